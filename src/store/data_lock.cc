#include "store/data_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string>
#include <utility>

namespace berth {
namespace {

constexpr int kTries = 500;
constexpr long kPause_ns = 10'000'000;

Error cannot_lock(const std::filesystem::path& file, int failure) {
  const bool full = failure == ENOSPC || failure == EDQUOT;
  return {full ? ErrorCode::exhausted : ErrorCode::io, "cannot open " + file.string() + ": " + std::strerror(failure),
          "a data directory that this user can write, on a disk with room (--data DIR)"};
}

// What the holder left in the file: its process id.
std::string holder_of(int descriptor) {
  std::array<char, 24> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  std::string holder(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  holder.resize(std::min(holder.size(), holder.find('\n')));
  return holder;
}

bool holder_is_gone(int descriptor) {
  pid_t pid = 0;
  const std::string holder = holder_of(descriptor);
  std::from_chars(holder.data(), holder.data() + holder.size(), pid);
  return pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH;
}

// A daemon killed while it starts a process leaves the lock with that child until the child runs its program, which is
// at once. So a lock whose holder is dead is waited for, a little.
int lock_when_free(int descriptor) {
  for (int tries = 0;; ++tries) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return 0;
    const int failure = errno;
    if (failure != EWOULDBLOCK || tries == kTries || !holder_is_gone(descriptor)) return failure;
    const timespec pause{0, kPause_ns};
    ::nanosleep(&pause, nullptr);
  }
}

Error held_by_another(const std::filesystem::path& data_dir, int descriptor) {
  const std::string holder = holder_of(descriptor);
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
  if (const int failure = lock_when_free(lock.descriptor_); failure != 0) {
    if (failure == EWOULDBLOCK) return held_by_another(data_dir, lock.descriptor_);
    return cannot_lock(file, failure);
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
