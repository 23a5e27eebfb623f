// Checks of a submit, for handle.cc: everything that can be known to be wrong is said at submit, not found out by waiting.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "model/job.h"
#include "model/state.h"

namespace berth {

struct Admission {
  QueueId queue;
  std::vector<std::string> notes;  // true but worth knowing
};

Result<Admission> admit(const ClusterState& state, const JobSpec& spec, Time now);

// "2 GPUs", "0.5 GPU": for messages of core.
std::string gpus_text(MilliGpu amount);

}  // namespace berth
