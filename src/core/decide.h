// The core's faces for control: all pure. No clock, randomness, I/O or threads; the same input gives the same bytes.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "model/command.h"
#include "model/event.h"
#include "model/hold.h"
#include "model/observation.h"
#include "model/plan.h"
#include "model/state.h"

namespace berth {

// core/apply.cc: the only code that changes state. The event must be possible in this state (BERTH_CHECK).
void apply(ClusterState& state, const Event& event);
// Builds state.indexes anew from the rows.
void rebuild_indexes(ClusterState& state);

// core/handle.cc: a command as facts, or why not. `notes` of the answer are for people.
struct Handled {
  Events events;
  Answer answer;
};
Result<Handled> handle(const ClusterState& state, const Command& command, Time now);

// core/observe.cc: what an engine saw, as facts; stale messages give none.
Events observe(const ClusterState& state, const Observation& observation, Time now);
// core/timers.cc: what time alone brings about: limits over, hopeless dependencies, ended jobs that may leave memory.
Events timers(const ClusterState& state, Time now);

// core/cycle.cc: one decision over all pending jobs.
Plan decide(const ClusterState& state, Time now);
// core/validate.cc: the plan as facts; starts that the state does not allow are our bug (BERTH_CHECK).
Events to_events(const ClusterState& state, const Plan& plan);
// core/explain.cc: every blocker of one job, with numbers; `plan` is the newest.
Explanation explain(const ClusterState& state, const Plan& plan, JobId job, Time now);
// core/invariants.cc: what is broken, in words; empty if nothing is. Rebuilds and compares indexes: for tests and start-up.
std::vector<std::string> broken_invariants(const ClusterState& state);

}  // namespace berth
