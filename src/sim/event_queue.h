// EventQueue: virtual time and what is due in it. Actions run in order of time; those of one instant in the order in
// which they were put in, so that a run is repeated exactly. Time never goes back. For the simulator only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/time.h"

namespace berth {

class EventQueue {
 public:
  using Action = std::function<void()>;

  explicit EventQueue(Time start) : now_(start) {}

  Time now() const { return now_; }
  // `when` in the past means now.
  void at(Time when, Action action);
  void after(Duration delay, Action action) { at(now_ + delay, std::move(action)); }
  // When the next action is due; none if nothing waits.
  std::optional<Time> next() const;
  // Runs the actions due at `now()`, also those that they add for now. Returns how many ran.
  int run_due();
  // Moves time forward; nothing that is due earlier may still wait.
  void advance(Time to);

 private:
  Time now_;
  std::uint64_t sequence_ = 0;
  std::map<std::pair<Time, std::uint64_t>, Action> waiting_;
};

}  // namespace berth
