// The task's cgroups: made before the birth where that is free (v2), and joined after it where joining waits for the
// whole machine (v1: a write to cgroup.procs can take 15 ms, which no start of a job should pay).
#pragma once

#include <cstdint>

#include "engine/local/shim/orders.h"

namespace berth::shim {

// errno of the first thing that failed, else 0.
int make_groups(const Orders& orders);
// Moves all that the job has become by now into its v1 groups. What cannot be set is left out: limits are best effort.
void apply_late_limits(const Orders& orders, int job_pid);
std::int64_t peak_mib(const Orders& orders);  // 0: not known
std::int64_t oom_kills(const Orders& orders);

}  // namespace berth::shim
