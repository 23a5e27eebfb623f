// Counts: the state of the cluster in a few numbers, for /v1/status and /metrics. Pure. Its work grows with what runs and
// with the machines, not with jobs that wait or have ended.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "model/state.h"

namespace berth::api {

struct Counts {
  std::map<std::string, std::int64_t> jobs;                          // in memory: pending, starting, ..., ended
  std::map<std::pair<std::string, std::string>, std::int64_t> gpus;  // by type and use: free, shared, held or a health
  std::map<std::string, std::int64_t> nodes;                         // up, down, unknown, drained
  std::int64_t virtual_gpus = 0;
  std::int64_t all_gpus = 0;
  std::int64_t held_milli = 0;
  std::int64_t usable_milli = 0;
};

Counts count(const ClusterState& state);

}  // namespace berth::api
