// Controller: the one loop. Drains the inbox, turns commands and observations into events, applies them, decides, journals
// all of it in one transaction, and only then answers and hands effects to the engine. The daemon calls step() with the
// real clock, the simulator with virtual time. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "base/result.h"
#include "base/time.h"
#include "control/inbox.h"
#include "control/view.h"
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
  void take_requests(std::vector<Inbox::Request>& requests, Time now);
  void take_observations(const std::vector<Observation>& observations, Time now);
  void run_timers(Time now);
  void decide_and_place(Time now);
  bool commit();
  void recover_from_failed_append(const Error& error);
  void hand_over_effects(Time now);
  Time next_due(Time now) const;

  Store& store_;
  Engine& engine_;
  Inbox& inbox_;
  View& view_;
  ClusterState state_;
  Plan plan_;
  LoopStats stats_;
  Events batch_;                                    // of this step, applied but not yet durable
  std::vector<std::pair<Reply, Result<Answer>>> replies_;
  std::set<AttemptKey> launched_;                   // effects already handed over by this process
  std::map<AttemptKey, StopCause> stopped_;
  std::set<AttemptKey> warned_;                     // WarningSignal sent
  Time last_reconcile_;
};

}  // namespace berth
