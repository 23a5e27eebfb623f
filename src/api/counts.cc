#include "api/counts.h"

#include "wire/names.h"

namespace berth::api {
namespace {

std::string use_of(const Gpu& gpu, MilliGpu held) {
  if (gpu.health != GpuHealth::ok) return std::string(name_of(gpu.health));
  if (held == MilliGpu{}) return "free";
  return held < kWholeGpu ? "shared" : "held";
}

void count_gpus(const ClusterState& state, const Node& node, Counts& counts) {
  const auto index = static_cast<std::size_t>(node.id.value());
  for (std::size_t i = 0; i < node.gpus.size(); ++i) {
    const Gpu& gpu = node.gpus[i];
    const bool known = index < state.indexes.node_use.size() && i < state.indexes.node_use[index].gpus.size();
    const MilliGpu held = known ? state.indexes.node_use[index].gpus[i].milli : MilliGpu{};
    ++counts.all_gpus;
    counts.virtual_gpus += gpu.is_virtual ? 1 : 0;
    ++counts.gpus[{gpu.type, use_of(gpu, held)}];
    counts.held_milli += held.value();
    if (node.usable() && gpu.health == GpuHealth::ok) counts.usable_milli += kWholeGpu.value();
  }
}

void count_jobs(const ClusterState& state, Counts& counts) {
  const auto ended = static_cast<std::int64_t>(state.indexes.ended.size());
  for (const auto phase : {AllocationPhase::starting, AllocationPhase::running, AllocationPhase::stopping})
    counts.jobs[std::string(name_of(phase))] = 0;
  for (const auto& [id, allocation] : state.allocations) ++counts.jobs[std::string(name_of(allocation.phase))];
  counts.jobs["ended"] = ended;
  counts.jobs["pending"] = static_cast<std::int64_t>(state.jobs.size() - state.allocations.size()) - ended;
}

}  // namespace

Counts count(const ClusterState& state) {
  Counts counts;
  count_jobs(state, counts);
  for (const char* name : {"up", "down", "unknown", "drained"}) counts.nodes[name] = 0;
  for (const Node& node : state.nodes) {
    ++counts.nodes[node.state == NodeState::up && !node.drains.empty() ? "drained" : std::string(name_of(node.state))];
    count_gpus(state, node, counts);
  }
  return counts;
}

}  // namespace berth::api
