// Handover: brings work from other threads to the loop's thread. Replies of the controller hold one and may outlive the
// server: after close() what they bring is dropped. Any thread; close() on the loop's thread or after it has ended.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "api/loop.h"

namespace berth::api {

class Handover : public std::enable_shared_from_this<Handover> {
 public:
  explicit Handover(Loop& loop) : loop_(&loop) {}
  // The loop is woken once for all that comes before it gets to it.
  void bring(Loop::Task task);
  void close();

 private:
  void run_all();

  std::mutex mutex_;
  Loop* loop_;
  std::vector<Loop::Task> tasks_;
};

}  // namespace berth::api
