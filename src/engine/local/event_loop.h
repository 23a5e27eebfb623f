// EventLoop: one thread that waits for descriptors, timers and posted work, and sleeps when there is none.
// post and quit may be called from any thread; everything else belongs to the thread that runs it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/time.h"

namespace berth {

class EventLoop {
 public:
  using Work = std::function<void()>;
  using Clock = std::chrono::steady_clock;
  using TimerId = std::pair<Clock::time_point, std::uint64_t>;

  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void run();  // until quit
  void post(Work work);
  void quit();

  // `ready` is called whenever the descriptor can be read or its other end is gone. The caller unwatches before it closes.
  void watch(int fd, Work ready);
  void unwatch(int fd);
  TimerId after(Duration delay, Work work);
  void cancel(TimerId timer);  // of one that has fired already: nothing

 private:
  struct Watch {
    std::uint64_t token = 0;
    Work ready;
  };
  void wait_once();
  void dispatch(std::uint64_t token);
  void run_posted();
  void run_due();
  void arm();

  int epoll_ = -1;
  int wake_ = -1;
  int timer_ = -1;
  bool running_ = true;
  std::uint64_t next_token_ = 2;  // 0 and 1 are the loop's own
  std::uint64_t next_timer_ = 0;
  std::map<std::uint64_t, int> fd_of_token_;
  std::unordered_map<int, Watch> watches_;
  std::map<TimerId, Work> timers_;
  Clock::time_point armed_{};
  std::mutex mutex_;
  std::vector<Work> posted_;
};

}  // namespace berth
