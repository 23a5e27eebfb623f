// Configure: a whole configuration of queues and policy against what is in force, as events for the differences.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "core/decide.h"
#include "model/command.h"
#include "model/state.h"

namespace berth {

// Never refuses a tree: a queue that is wrong is turned off with the reason, and only that one (with what is below it).
// Without any queue there is one, "default".
Result<Handled> configure(const ClusterState& state, const command::Configure& wanted, Time now);

}  // namespace berth
