#include "bench/group_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace berth::bench {

GroupLog::GroupLog(const std::string& path)
    : fd_(open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0600)) {
  if (fd_ < 0) throw std::runtime_error(path + ": " + std::strerror(errno));
}

GroupLog::~GroupLog() { close(fd_); }

void GroupLog::write_out(const std::string& bytes) {
  const ssize_t n = write(fd_, bytes.data(), bytes.size());
  if (n != static_cast<ssize_t>(bytes.size()) || fdatasync(fd_) != 0)
    throw std::runtime_error("the floor's log: write");
}

void GroupLog::append(std::string_view record) {
  std::unique_lock lock(mutex_);
  waiting_.append(record);
  const std::uint64_t mine = ++taken_;
  while (durable_ < mine) {
    if (writing_) {
      durable_grew_.wait(lock);
      continue;
    }
    writing_ = true;
    const std::string bytes = std::move(waiting_);
    waiting_.clear();
    const std::uint64_t reached = taken_;
    lock.unlock();
    write_out(bytes);
    lock.lock();
    durable_ = reached;
    writing_ = false;
    durable_grew_.notify_all();
  }
}

}  // namespace berth::bench
