// Inbox: where commands and observations wait for the controller. Any thread may post; only the controller drains.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/command.h"
#include "model/observation.h"

namespace berth {

// Called once, on the controller's thread, after what the command did is durable (or was refused).
using Reply = std::function<void(Result<Answer>)>;

class Inbox {
 public:
  struct Request {
    Command command;
    Reply reply;
  };
  struct Batch {
    std::vector<Request> requests;
    std::vector<Observation> observations;
    bool empty() const { return requests.empty() && observations.empty(); }
  };

  void post(Command command, Reply reply);
  void post(Observation observation);
  // Takes all that waits, at most `max_requests` requests; never blocks.
  Batch drain(std::size_t max_requests);
  // Blocks until something waits, `timeout` is over (none: no timeout), or wake() was called.
  void wait(std::optional<Duration> timeout);
  void wake();

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::vector<Request> requests_;
  std::vector<Observation> observations_;
  bool woken_ = false;
};

}  // namespace berth
