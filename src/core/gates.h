// Gates: what keeps a job back whatever is free: holds, times, dependencies, singletons, throttles, queues that are off.
#pragma once

#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "model/hold.h"
#include "model/state.h"

namespace berth {

// All closed gates of a pending job, in the order in which they are told. `until` is set where time opens the gate;
// for a dependency on a running job it is when that job's limit ends.
std::vector<Blocker> closed_gates(const ClusterState& state, const Job& job, Time now);

// The queue or one above it that is off, else kNoQueue.
QueueId queue_off(const ClusterState& state, QueueId leaf);

enum class DependencyStatus { met, waits, never };
DependencyStatus dependency_status(const ClusterState& state, const Dependency& dependency, Time now);

// "afterok:12", as users write it.
std::string dependency_name(const Dependency& dependency);

}  // namespace berth
