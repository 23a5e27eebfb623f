#include "api/file_events.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace berth::api {

FileEvents::Watch& FileEvents::Watch::operator=(Watch&& other) noexcept {
  if (this != &other) {
    end();
    events_ = std::exchange(other.events_, nullptr);
    wd_ = other.wd_;
    number_ = other.number_;
  }
  return *this;
}

void FileEvents::Watch::end() {
  if (FileEvents* events = std::exchange(events_, nullptr)) events->drop(wd_, number_);
}

FileEvents::Watch FileEvents::watch(int file, Task grown) {
  if (!inotify_) {
    const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) return {};
    inotify_ = loop_.watch(fd);
    await();
  }
  // By the descriptor, not the name: the file that is read is the one that is watched.
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  const int wd = ::inotify_add_watch(inotify_->fd(), name.c_str(), IN_MODIFY);
  if (wd < 0) {
    if (tasks_.empty()) inotify_.reset();
    return {};
  }
  const std::uint64_t number = next_++;
  tasks_[wd].emplace(number, std::move(grown));
  return {this, wd, number};
}

void FileEvents::await() {
  inotify_->readable([this] { take(); });
}

void FileEvents::take() {
  alignas(inotify_event) std::array<char, 16 * 1024> buffer;
  const ssize_t n = ::read(inotify_->fd(), buffer.data(), buffer.size());
  std::set<int> grown;
  for (std::size_t at = 0; n > 0 && at < static_cast<std::size_t>(n);) {
    inotify_event event{};
    std::memcpy(&event, buffer.data() + at, sizeof event);
    grown.insert(event.wd);
    at += sizeof event + event.len;
  }
  await();
  std::vector<Task> tasks;
  for (const int wd : grown) {
    const auto found = tasks_.find(wd);
    if (found == tasks_.end()) continue;
    for (const auto& [number, task] : found->second) tasks.push_back(task);
  }
  for (const Task& task : tasks) task();
}

void FileEvents::drop(int wd, std::uint64_t number) {
  const auto found = tasks_.find(wd);
  if (found == tasks_.end()) return;
  found->second.erase(number);
  if (!found->second.empty()) return;
  ::inotify_rm_watch(inotify_->fd(), wd);
  tasks_.erase(found);
  if (tasks_.empty()) inotify_.reset();
}

}  // namespace berth::api
