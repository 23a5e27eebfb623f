// View: the published read side. It follows the controller by folding the same events into a state of its own, so that
// readers (API, metrics) never wait for a decision, nor a decision for them beyond one short lock.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/command.h"
#include "model/hold.h"
#include "model/plan.h"
#include "model/state.h"
#include "ports/store.h"

namespace berth {

// Figures about the loop itself.
struct LoopStats {
  std::uint64_t steps = 0;
  std::uint64_t decisions = 0;
  std::int64_t last_decision_us = 0;  // how long the newest decision took
  std::int64_t max_decision_us = 0;
  std::uint64_t append_failures = 0;
  std::string last_failure;  // of the store, in words; empty while all is well
};

// What a reader sees: one consistent moment.
struct Snapshot {
  ClusterState state;
  Plan plan;
  LoopStats loop;
  std::string engine;  // Engine::describe()
};

class View {
 public:
  // Controller only.
  void reset(ClusterState state, std::string engine);
  // `plan` is what the newest decision changed (core/planner.h), if there was one, else null.
  void publish(const Events& events, const Plan* plan, const LoopStats& loop);
  // `woken` runs on the controller's thread after each publish that brought events; it must only hand over and return.
  // Set before the loop starts.
  void on_publish(std::function<void()> woken);

  // Any thread. `f` runs under a shared lock: read, copy out what is needed, return.
  template <class F>
  auto read(F&& f) const {
    std::shared_lock lock(mutex_);
    return std::forward<F>(f)(snapshot_);
  }

  // All blockers of a job, by the code that decides. not_found if it is not in memory.
  Result<Explanation> why(JobId job, Time now) const;
  // What submit would answer, without doing it: errors as they would be, notes on what can never or not yet run.
  Result<Answer> preview(const Command& command, Time now) const;

  // Newest records with sequence > after, oldest first, from memory. `complete` is false if some between are no longer
  // in memory: then read Store::journal.
  struct Tail {
    std::vector<JournalRecord> records;
    bool complete = true;
  };
  Tail tail(std::uint64_t after, std::size_t limit) const;

 private:
  static constexpr std::size_t kTailSize = 10'000;
  mutable std::shared_mutex mutex_;
  Snapshot snapshot_;
  std::deque<JournalRecord> tail_;
  std::function<void()> woken_;
};

}  // namespace berth
