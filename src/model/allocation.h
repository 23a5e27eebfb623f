// Allocation: what one attempt of a job holds, from the decision to start it until its end is known.
// A job has at most one. While it exists its resources are booked, whatever phase it is in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/amount.h"
#include "base/ids.h"
#include "base/time.h"
#include "model/job.h"

namespace berth {

// A piece of one GPU of a node; milli == 1000 is the whole device (then memory is all that it has).
struct GpuSlice {
  std::int32_t gpu = 0;  // index into Node::gpus
  MilliGpu milli;
  Mib memory;
  friend bool operator==(const GpuSlice&, const GpuSlice&) = default;
};

struct TaskPlacement {
  std::int32_t rank = 0;  // 0..n-1 over the whole job, groups in order
  std::int32_t group = 0;
  NodeId node;
  MilliCpu cpus;
  Mib memory;
  std::vector<GpuSlice> gpus;
  friend bool operator==(const TaskPlacement&, const TaskPlacement&) = default;
};

using Placement = std::vector<TaskPlacement>;  // by rank

struct AttemptKey {
  JobId job;
  std::int32_t attempt = 0;
  friend auto operator<=>(const AttemptKey&, const AttemptKey&) = default;
};

enum class AllocationPhase { starting, running, stopping };

struct Allocation {
  AttemptKey key;
  AllocationPhase phase = AllocationPhase::starting;
  Placement placement;
  Time placed;                          // when it was decided
  Time started;                         // when it ran; 0: not yet
  Time ends_by;                         // when its limit is over; kForever without one
  StopCause cause = StopCause::none;    // while stopping
  Time stop_deadline;                   // while stopping: when SIGKILL is due
  std::int64_t weighted_milli_gpu = 0;  // rate at which it is charged to its queues
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

}  // namespace berth
