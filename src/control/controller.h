// Controller: the one loop. Drains the inbox, turns commands and observations into events, applies them, decides, journals
// all of it in one transaction, and only then answers and hands effects to the engine. The daemon calls step() with the
// real clock, the simulator with virtual time. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "control/inbox.h"
#include "control/view.h"
#include "core/planner.h"
#include "model/plan.h"
#include "model/state.h"
#include "ports/engine.h"
#include "ports/store.h"

namespace berth {

class Controller {
 public:
  Controller(Store& store, Engine& engine, Inbox& inbox, View& view);

  // Loads the rows, checks the invariants, attaches the engine and lets it adopt what ran. Call once, before step().
  Result<void> recover(Time now);
  // One turn. Returns when the next is due even if nothing arrives (kForever: never).
  Time step(Time now);

  const ClusterState& state() const { return state_; }
  const Plan& plan() const { return plan_; }
  const LoopStats& stats() const { return stats_; }

 private:
  void emit(Event event);
  void take_observations(const std::vector<Observation>& observations, Time now);
  observation::AttemptsReported with_young_attempts(observation::AttemptsReported report) const;
  void take_requests(std::vector<Inbox::Request>& requests, Time now);
  void run_timers(Time now);
  bool decide_if_due(Time now);
  Result<void> commit();
  void roll_back(const Error& error, std::vector<Observation> observations);
  void answer();

  // Effects, derived from state; each is handed over once by this process, and again by the next.
  void hand_over(const Events& events, Time now);
  void start(const Allocation& allocation);
  void stop(const Allocation& allocation);
  void stop_unknown(const std::vector<Observation>& observations, Time now);
  void send_warnings(Time now);
  void repeat_stops(Time now);
  Launch launch_of(const Allocation& allocation) const;
  Time next_due(Time now) const;

  Store& store_;
  Engine& engine_;
  Inbox& inbox_;
  View& view_;
  ClusterState state_;
  Planner planner_;
  Plan plan_;    // whole
  Plan change_;  // what the newest decision changed of it
  LoopStats stats_;
  Events batch_;  // of this step: applied, not yet durable
  std::vector<std::pair<Reply, Result<Answer>>> replies_;
  std::vector<Observation> kept_back_;      // of a step whose append failed
  std::set<AttemptKey> warned_;             // WarningSignal sent
  std::map<AttemptKey, Time> repeat_stop_;  // stops that had no effect yet, and when to say so again
  Time last_reconcile_;
  bool decided_ = false;  // at least once since recover()
};

}  // namespace berth
