// Feasible: which nodes, and which of their GPUs, a shape may use at all. By what is asked for, not by what is free.
// Computed once per pass and shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "core/timeline.h"
#include "model/state.h"

namespace berth {

// One way to satisfy the shape: all of its GPUs of one type that it named (or of any type, if it named none).
struct Option {
  std::string type;                              // empty: any
  std::vector<std::vector<std::uint64_t>> gpus;  // [group][node kind]: GPUs that will do
  std::vector<NodeId> nodes;                     // that meet the constraints and have such GPUs, usable or not
};

struct Candidates {
  std::vector<Option> options;  // in order of preference
};

Candidates candidates(const ClusterState& state, const Shape& shape);

// True if this GPU can serve the request when it is empty.
bool gpu_serves(const NodeKind& kind, std::size_t gpu, const GpuRequest& request, const std::string& type);

// What a share of a GPU of this size takes: by milli, by memory, or both; the one not given follows in proportion, rounded
// down, so that n shares of 1/n always fit together.
GpuRoom share_of(const GpuRequest& request, Mib whole);
std::int64_t shares_in(const GpuRoom& room, const GpuRoom& share);

// How many tasks of the group an empty node of this kind holds.
std::int64_t tasks_on_empty(const NodeKind& kind, const ShapeGroup& group, std::uint64_t gpus);

}  // namespace berth
