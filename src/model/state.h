// ClusterState: all that berth knows. Only core/apply.cc changes it, one event at a time; everything else reads.
// The first part is what stores keep (rows). The second part, Indexes, follows from it and is never stored.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
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
  std::int32_t exclusive_tasks = 0;  // of groups that share their node with nobody
  std::vector<GpuUse> gpus;          // beside Node::gpus
  friend bool operator==(const NodeUse&, const NodeUse&) = default;
};

// What is held by the jobs of a queue and of all below it.
struct QueueUse {
  Resources held;
  std::int32_t jobs = 0;                // active ones
  std::int64_t weighted_milli_gpu = 0;  // rate of charging
  friend bool operator==(const QueueUse&, const QueueUse&) = default;
};

// What is free on one node now, in a form that is cheap to copy and to scan. Only what may be given out counts:
// an unusable node has nothing free.
struct NodeFree {
  MilliCpu cpus;
  Mib memory;
  std::uint64_t gpus = 0;  // bit i: GPU i is healthy, nobody holds a part of it, no foreign process
  std::int32_t tasks = 0;  // that run there
  std::int32_t exclusive_tasks = 0;
  bool usable = false;
  friend bool operator==(const NodeFree&, const NodeFree&) = default;
};

// What one task of an active job holds of a node, and until when as far as is known.
struct Booking {
  JobId job;
  std::int32_t rank = 0;
  Time to;  // kForever without a limit
  MilliCpu cpus;
  Mib memory;
  bool exclusive = false;
  std::uint64_t gpu_mask = 0;  // of the GPUs in `gpus`
  std::vector<GpuSlice> gpus;
  friend bool operator==(const Booking&, const Booking&) = default;
};

// Nodes that cannot be told apart by what jobs ask for: same GPU types, features and amounts.
struct NodeKind {
  MilliCpu cpus;
  Mib memory;
  std::vector<std::string> features;
  std::vector<std::string> gpu_types;  // by GPU index
  std::vector<Mib> gpu_memory;
  friend auto operator<=>(const NodeKind&, const NodeKind&) = default;
};

// Jobs that cannot be told apart by what they ask of nodes: what fails for one fails for all.
struct ShapeGroup {
  std::int32_t count = 1;
  std::int32_t max_per_node = 0;
  bool exclusive = false;
  GpuRequest gpus;
  MilliCpu cpus;
  Mib memory;
  friend auto operator<=>(const ShapeGroup&, const ShapeGroup&) = default;
};
struct Shape {
  std::vector<ShapeGroup> groups;
  std::vector<std::string> gpu_types;
  NodeConstraints nodes;
  friend auto operator<=>(const Shape&, const Shape&) = default;
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

// What a pass needs to know of a pending job without looking at the job itself.
struct PendingInfo {
  std::int32_t shape = 0;  // ShapeUse::id
  bool gated = false;      // held, dependent, singleton, throttled or not yet eligible: look closer
  Duration limit = kUnlimited;
  Resources total;  // asked for, over all tasks
  friend bool operator==(const PendingInfo&, const PendingInfo&) = default;
};

// Pending jobs that no gate concerns, by what a decision can rule out at once. `octave`: limit in [2^octave, 2^(octave+1)) ms.
struct PendingGroup {
  std::int32_t shape = 0;
  std::int32_t octave = 0;
  QueueId queue = kNoQueue;
  friend auto operator<=>(const PendingGroup&, const PendingGroup&) = default;
};

struct ShapeUse {
  std::int32_t id = 0;
  std::int64_t jobs = 0;  // pending jobs of this shape
  friend bool operator==(const ShapeUse&, const ShapeUse&) = default;
};

struct Indexes {
  std::vector<NodeUse> node_use;               // by NodeId
  std::vector<NodeFree> node_free;             // by NodeId
  std::vector<std::vector<Booking>> bookings;  // by NodeId; by job and rank
  std::vector<std::int32_t> node_kind;         // by NodeId
  std::vector<NodeKind> kinds;
  std::vector<QueueUse> queue_use;             // by QueueId
  std::vector<std::vector<QueueId>> children;  // by QueueId
  std::vector<QueueId> roots;
  std::vector<std::map<PendingKey, PendingInfo>> pending;  // by QueueId
  std::int64_t pending_count = 0;
  std::map<PendingGroup, std::set<PendingKey>> pending_groups;
  std::map<Shape, ShapeUse> shapes;
  std::vector<std::shared_ptr<const Shape>> shape_by_id;  // null: the id is free
  std::set<std::pair<Time, JobId>> limits;                // running allocations by the end of their limit
  std::set<std::pair<Time, JobId>> warnings;              // running ones by when their WarningSignal is due
  std::set<std::pair<Time, JobId>> stop_deadlines;        // stopping ones by deadline
  std::set<std::pair<Time, JobId>> ended;                 // ended jobs in memory by time of end
  std::map<JobId, std::set<JobId>> dependents;            // job -> pending jobs that name it
  std::set<JobId> settled;                                // ended jobs that pending ones still name
  std::map<std::pair<std::string, std::string>, std::set<JobId>> namesakes;  // (user, name) -> jobs not ended
  std::map<JobId, std::set<JobId>> arrays;                                   // array -> all elements in memory
  std::map<JobId, std::set<JobId>> array_active;                             // array -> active elements
};

struct ClusterState {
  std::uint64_t sequence = 0;  // of the last event folded in
  Time now;                    // of that event
  JobId next_job{1};
  std::map<JobId, Job> jobs;                // live ones and those that ended not long ago
  std::map<JobId, Allocation> allocations;  // of active jobs
  std::vector<Node> nodes;                  // by NodeId
  std::vector<Queue> queues;                // by QueueId; a removed one has an empty name
  Policy policy;
  std::map<NodeId, std::set<JobId>> launch_failures;  // jobs whose launch failed there since one worked

  Indexes indexes;
};

}  // namespace berth
