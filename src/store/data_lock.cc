#include "store/data_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace berth {
namespace {

Error cannot_lock(const std::filesystem::path& file, int failure) {
  const bool full = failure == ENOSPC || failure == EDQUOT;
  return {full ? ErrorCode::exhausted : ErrorCode::io,
          "cannot open " + file.string() + ": " + std::strerror(failure),
          "a data directory that this user can write, on a disk with room (--data DIR)"};
}

Error held_by_another(const std::filesystem::path& data_dir, int descriptor) {
  std::array<char, 24> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  std::string holder(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  holder.resize(std::min(holder.size(), holder.find('\n')));
  return {ErrorCode::conflict,
          "the data directory " + data_dir.string() + " is in use by another berth daemon, process " +
              (holder.empty() ? "unknown" : holder),
          "stop that daemon, or use another directory (--data DIR)"};
}

// For people who look, and for the message above; the lock holds without it, so that a full disk does not matter.
void leave_pid(int descriptor) {
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, pid.data(), pid.size(), 0);
}

}  // namespace

Result<DataLock> DataLock::take(const std::filesystem::path& data_dir) {
  const std::filesystem::path file = data_dir / "lock";
  DataLock lock;
  lock.descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock.descriptor_ < 0) return cannot_lock(file, errno);
  if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return held_by_another(data_dir, lock.descriptor_);
    return cannot_lock(file, errno);
  }
  leave_pid(lock.descriptor_);
  return lock;
}

DataLock::DataLock(DataLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

DataLock& DataLock::operator=(DataLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

DataLock::~DataLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace berth
