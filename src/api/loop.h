// Loop: readiness of descriptors, timers and hand-over from other threads, on one thread. Nothing wakes while nothing is due.
// All but post() belong to the thread in run(). The only face of Asio in this folder: no other header knows it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace berth::api {

using SteadyTime = std::chrono::steady_clock::time_point;

class Loop {
 public:
  using Task = std::function<void()>;

  // One call, once, at a time; moved by each arm(), dropped by cancel() and by the destructor.
  class Timer {
   public:
    virtual ~Timer() = default;
    virtual void arm(SteadyTime at, Task task) = 0;
    virtual void cancel() = 0;
  };
  // Owns a descriptor. A task runs once, when the descriptor is ready or broken; never after the destructor.
  class Watch {
   public:
    virtual ~Watch() = default;
    virtual int fd() const = 0;
    virtual void readable(Task task) = 0;
    virtual void writable(Task task) = 0;
  };

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  std::unique_ptr<Timer> timer();
  std::unique_ptr<Watch> watch(int fd);
  // Any thread.
  void post(Task task);
  // Returns when nothing is watched, armed or posted any more.
  void run();

 private:
  struct Asio;
  std::unique_ptr<Asio> asio_;
};

}  // namespace berth::api
