// Queue: a tenant in the tree. Jobs are submitted to leaves; quota, limit and weight hold at every level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/amount.h"
#include "base/ids.h"
#include "base/time.h"

namespace berth {

// What an administrator writes. Names are unique over the whole tree.
struct QueueSpec {
  std::string name;
  std::string parent;             // empty: a root
  std::int32_t weight = 1;        // share of what is idle; 0: only when nobody else wants it
  std::optional<MilliGpu> quota;  // guaranteed; none: nothing is
  std::optional<MilliGpu> limit;  // never passed; none: no limit
  std::optional<MilliCpu> cpu_limit;
  std::optional<Mib> memory_limit;
  std::optional<std::int32_t> max_running_jobs;
  std::optional<Duration> default_time_limit;
  std::optional<Duration> max_time_limit;
  std::int32_t priority = 0;  // added to the priority of its jobs
  bool is_default = false;    // takes jobs that name no queue; at most one
  friend bool operator==(const QueueSpec&, const QueueSpec&) = default;
};

// GPU time with a half-life, in weighted milli-GPU milliseconds; `cpu` likewise in milli-core milliseconds.
// Exact integers: core/fairshare.h says how they decay.
struct Usage {
  std::int64_t gpu = 0;
  std::int64_t cpu = 0;
  Time as_of;
  friend bool operator==(const Usage&, const Usage&) = default;
};

struct Queue {
  QueueId id;
  QueueSpec spec;
  QueueId parent = kNoQueue;
  std::string off;  // why it takes and starts nothing; empty: it is on
  Usage usage;      // its own and its children's
  friend bool operator==(const Queue&, const Queue&) = default;
};

}  // namespace berth
