// ClusterState: all that berth knows. Only core/apply.cc changes it, one event at a time; everything else reads.
// The first part is what stores keep (rows). The second part, Indexes, follows from it and is never stored.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/amount.h"
#include "base/ids.h"
#include "base/time.h"
#include "model/allocation.h"
#include "model/job.h"
#include "model/node.h"
#include "model/policy.h"
#include "model/queue.h"

namespace berth {

// What is held on one GPU.
struct GpuUse {
  MilliGpu milli;
  Mib memory;
  friend bool operator==(const GpuUse&, const GpuUse&) = default;
};

// What is held on one node, by allocations.
struct NodeUse {
  MilliCpu cpus;
  Mib memory;
  std::int32_t tasks = 0;
  std::int32_t exclusive_tasks = 0;      // of groups that share their node with nobody
  std::vector<GpuUse> gpus;              // beside Node::gpus
  friend bool operator==(const NodeUse&, const NodeUse&) = default;
};

// What is held by the jobs of a queue and of all below it.
struct QueueUse {
  Resources held;
  std::int32_t jobs = 0;                 // active ones
  std::int64_t weighted_milli_gpu = 0;   // rate of charging
  friend bool operator==(const QueueUse&, const QueueUse&) = default;
};

// Order within a queue: greater score first, then the smaller id. The score is priority in units of waiting time, less the
// time of submit, so that it never changes while a job waits (core/order.h).
struct PendingKey {
  std::int64_t score = 0;
  JobId id;
  friend bool operator==(const PendingKey&, const PendingKey&) = default;
  friend bool operator<(const PendingKey& a, const PendingKey& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  }
};

struct Indexes {
  std::vector<NodeUse> node_use;                          // by NodeId
  std::vector<QueueUse> queue_use;                        // by QueueId
  std::vector<std::set<PendingKey>> pending;              // by QueueId
  std::int64_t pending_count = 0;
  std::set<std::pair<Time, JobId>> limits;                // running allocations by the end of their limit
  std::set<std::pair<Time, JobId>> stop_deadlines;        // stopping ones by deadline
  std::set<std::pair<Time, JobId>> ended;                 // ended jobs in memory by time of end
  std::map<JobId, std::set<JobId>> dependents;            // job -> pending jobs that name it
  std::map<std::pair<std::string, std::string>, std::set<JobId>> singletons;  // (user, name) -> live jobs with or beside one
  std::map<JobId, std::set<JobId>> arrays;                // array -> its live elements (not ended)
  std::map<JobId, std::int32_t> array_active;             // array -> active elements
  friend bool operator==(const Indexes&, const Indexes&) = default;
};

struct ClusterState {
  std::uint64_t sequence = 0;            // of the last event folded in
  Time now;                              // of that event
  JobId next_job{1};
  std::map<JobId, Job> jobs;             // live ones and those that ended not long ago
  std::map<JobId, Allocation> allocations;   // of active jobs
  std::vector<Node> nodes;               // by NodeId
  std::vector<Queue> queues;             // by QueueId; a removed one has an empty name
  Policy policy;
  std::map<NodeId, std::set<JobId>> launch_failures;   // jobs whose launch failed there since one worked

  Indexes indexes;
};

}  // namespace berth
