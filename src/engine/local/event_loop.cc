#include "engine/local/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/check.h"

namespace berth {
namespace {

constexpr std::uint64_t kWakeToken = 0;
constexpr std::uint64_t kTimerToken = 1;
constexpr int kMostEvents = 64;

void add(int epoll, int fd, std::uint64_t token) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = token;
  BERTH_CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0, "a descriptor that cannot be watched");
}

void swallow(int fd) {
  std::uint64_t count = 0;
  (void)!read(fd, &count, sizeof count);
}

}  // namespace

EventLoop::EventLoop()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      timer_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {
  BERTH_CHECK(epoll_ >= 0 && wake_ >= 0 && timer_ >= 0, "out of descriptors for the engine's loop");
  add(epoll_, wake_, kWakeToken);
  add(epoll_, timer_, kTimerToken);
}

EventLoop::~EventLoop() {
  for (const int fd : {timer_, wake_, epoll_}) close(fd);
}

void EventLoop::run() {
  while (running_) wait_once();
}

void EventLoop::post(Work work) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = posted_.empty();
    posted_.push_back(std::move(work));
  }
  const std::uint64_t one = 1;
  if (first) (void)!write(wake_, &one, sizeof one);
}

void EventLoop::quit() {
  post([this] { running_ = false; });
}

void EventLoop::watch(int fd, Work ready) {
  const std::uint64_t token = next_token_++;
  watches_[fd] = {token, std::move(ready)};
  fd_of_token_[token] = fd;
  add(epoll_, fd, token);
}

void EventLoop::unwatch(int fd) {
  const auto found = watches_.find(fd);
  if (found == watches_.end()) return;
  epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
  fd_of_token_.erase(found->second.token);
  watches_.erase(found);
}

EventLoop::TimerId EventLoop::after(Duration delay, Work work) {
  const auto wait = std::chrono::milliseconds(std::clamp<std::int64_t>(delay.ms(), 0, hours(24 * 365).ms()));
  const TimerId id{Clock::now() + wait, next_timer_++};
  timers_[id] = std::move(work);
  arm();
  return id;
}

void EventLoop::cancel(TimerId timer) {
  timers_.erase(timer);
  arm();
}

void EventLoop::arm() {
  const Clock::time_point first = timers_.empty() ? Clock::time_point{} : timers_.begin()->first.first;
  if (first == armed_) return;
  armed_ = first;
  const auto since_boot = std::chrono::duration_cast<std::chrono::nanoseconds>(first.time_since_epoch()).count();
  itimerspec spec{};
  spec.it_value.tv_sec = since_boot / 1'000'000'000;
  spec.it_value.tv_nsec = since_boot % 1'000'000'000;
  timerfd_settime(timer_, TFD_TIMER_ABSTIME, &spec, nullptr);
}

void EventLoop::wait_once() {
  epoll_event events[kMostEvents];
  const int count = epoll_wait(epoll_, events, kMostEvents, -1);
  BERTH_CHECK(count >= 0 || errno == EINTR, "epoll_wait failed");
  for (int i = 0; i < count; ++i) dispatch(events[i].data.u64);
}

// By token, not by descriptor: an earlier handler of the same round may have closed it and opened another of that number.
void EventLoop::dispatch(std::uint64_t token) {
  if (token == kWakeToken) return run_posted();
  if (token == kTimerToken) return run_due();
  const auto found = fd_of_token_.find(token);
  if (found == fd_of_token_.end()) return;
  const Work ready = watches_.at(found->second).ready;  // a copy: it may unwatch itself
  ready();
}

void EventLoop::run_posted() {
  swallow(wake_);
  std::vector<Work> works;
  {
    const std::lock_guard lock(mutex_);
    works.swap(posted_);
  }
  for (Work& work : works) work();
}

void EventLoop::run_due() {
  swallow(timer_);
  const Clock::time_point now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    const Work work = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    work();
  }
  armed_ = {};
  arm();
}

}  // namespace berth
