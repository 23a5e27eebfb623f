// One pass over all pending jobs, for decide() (core/decide.h). The phases stand in cycle.cc, in their order.
#pragma once

#include "base/time.h"
#include "model/plan.h"
#include "model/state.h"

namespace berth {

// How much weighted GPU time a second of the placement costs: milli-GPU, by Policy::type_weights_milli.
std::int64_t weighted_milli_gpu(const ClusterState& state, const Placement& placement);

}  // namespace berth
