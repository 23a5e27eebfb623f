// Which rows a batch of events touched, so that a store writes those and no others. What each event changes is said in
// model/event.h; the conformance suite holds this list against apply(). For the stores only.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "model/event.h"
#include "model/state.h"

namespace berth {

// Each list ascending and without repeats.
struct TouchedRows {
  std::vector<std::pair<JobId, std::shared_ptr<const JobSpec>>> specs;  // new ones, by the first job that has it
  std::vector<JobId> jobs;                                              // in memory after the batch
  std::vector<JobId> forgotten;                                         // left memory in this batch
  std::vector<JobId> last_seen;    // those of `forgotten` that other events of the batch changed (last_row.h)
  std::vector<JobId> allocations;  // of these jobs: there after the batch, or gone
  std::vector<NodeId> nodes;       // with their launch failures
  std::vector<QueueId> queues;
  bool policy = false;
};

TouchedRows touched_rows(const Events& events, const ClusterState& after);

// The first job of those that share its spec: the array's first element, or the job itself.
inline JobId spec_id(const Job& job) { return job.array ? job.array->first : job.id; }

}  // namespace berth
