// Checks: what must hold between a state, its plan and its view, whatever happened. For the simulator and property tests.
#pragma once

#include <string>
#include <vector>

#include "model/plan.h"
#include "model/state.h"

namespace berth {

// A plan is complete if every pending job stands in exactly one of its lists, and nothing else does.
std::vector<std::string> plan_gaps(const ClusterState& state, const Plan& plan);
// explain() must name the plan's reason first, give at least one blocker and the same expected start.
std::vector<std::string> explanation_gaps(const ClusterState& state, const Plan& plan, Time now);

}  // namespace berth
