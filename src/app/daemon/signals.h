// Signals: a thread that sleeps until the daemon is told to stop (SIGTERM, SIGINT) or to read its configuration again (SIGHUP).
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace berth {

class Signals {
 public:
  // Blocks the signals in the calling thread and in all that it starts later. Before any other thread starts.
  static void block();

  // Both run on the thread of this object.
  Signals(std::function<void()> stop, std::function<void()> reload);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  void run();

  std::function<void()> stop_, reload_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace berth
