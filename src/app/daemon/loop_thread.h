// LoopThread: the controller on a thread of its own: waits for what arrives or is due, and steps. Sleeps while nothing is.
#pragma once

#include <atomic>
#include <thread>

#include "app/daemon/clock.h"
#include "control/controller.h"
#include "control/inbox.h"

namespace berth {

class LoopThread {
 public:
  // The three must outlive it; the controller has recovered.
  LoopThread(Controller& controller, Inbox& inbox, Clock& clock);
  // Ends after the turn that is under way.
  ~LoopThread();
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

 private:
  void run();

  Controller& controller_;
  Inbox& inbox_;
  Clock& clock_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace berth
