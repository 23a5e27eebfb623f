// Event: one fact, already true. apply() folds events into ClusterState; the store keeps them in its journal.
// Adding a field: give it a default and read old journals without it (wire/event_json.h). Never change a meaning.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "model/allocation.h"
#include "model/job.h"
#include "model/node.h"
#include "model/policy.h"
#include "model/queue.h"

namespace berth::event {

// ids first, first+1, ...: one per index of the spec's array, or one job.
struct JobSubmitted {
  JobId first;
  QueueId queue;
  std::shared_ptr<const JobSpec> spec;
};
struct JobHeld {
  JobId job;
  std::string by;
};
struct JobReleased {
  JobId job;
};
// A pending job ended without running again (cancelled, dependency never fulfilled, out of retries...).
struct JobEnded {
  JobId job;
  JobState state;
  std::string reason;
};
// It goes back to pending after an attempt (AttemptEnded came first).
struct JobRequeued {
  JobId job;
  Time eligible;
  bool spends_retry;
  bool launch_failure;
  std::string reason;
};
// An ended job leaves memory; the store keeps it.
struct JobForgotten {
  JobId job;
};

struct AttemptPlaced {
  AttemptKey key;
  Placement placement;
  Duration limit;
  std::int64_t weighted_milli_gpu;
  bool backfilled;
};
struct AttemptStarted {
  AttemptKey key;
};
struct AttemptStopping {
  AttemptKey key;
  StopCause cause;
  Time deadline;
  std::string by;
};
// Frees what it held. Measured: cpu time in ms and peak memory; 0 if unknown.
struct AttemptEnded {
  AttemptKey key;
  Outcome outcome;
  ExitStatus exit;
  std::string message;
  std::int64_t cpu_ms;
  Mib peak_memory;
};

struct NodeSeen {
  NodeId node;
  NodeReport report;
};  // new or changed, whole
struct NodeDrained {
  NodeId node;
  std::string owner;
  std::string reason;
};
struct NodeUndrained {
  NodeId node;
  std::string owner;
};
struct NodeLaunchFailed {
  NodeId node;
  JobId job;
};  // counts towards Policy::node_failures_drain
struct NodeLaunchWorked {
  NodeId node;
};

struct QueueSet {
  QueueId queue;
  QueueSpec spec;
  std::string off;
};  // new or changed
struct QueueRemoved {
  QueueId queue;
};  // only without jobs; its id stays used
struct PolicySet {
  Policy policy;
};

using Body = std::variant<JobSubmitted, JobHeld, JobReleased, JobEnded, JobRequeued, JobForgotten, AttemptPlaced,
                          AttemptStarted, AttemptStopping, AttemptEnded, NodeSeen, NodeDrained, NodeUndrained,
                          NodeLaunchFailed, NodeLaunchWorked, QueueSet, QueueRemoved, PolicySet>;

}  // namespace berth::event

namespace berth {

struct Event {
  Time at;
  event::Body body;
};

using Events = std::vector<Event>;

}  // namespace berth
