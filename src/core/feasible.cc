#include "core/feasible.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace berth {
namespace {

bool has_features(const NodeKind& kind, const NodeConstraints& wanted) {
  const auto present = [&](const std::string& feature) {
    if (std::find(kind.features.begin(), kind.features.end(), feature) != kind.features.end()) return true;
    // A GPU type may be asked for as a feature too (sbatch -C h100).
    return std::any_of(kind.gpu_types.begin(), kind.gpu_types.end(),
                       [&](const std::string& type) { return gpu_type_matches(feature, type); });
  };
  return std::all_of(wanted.features.begin(), wanted.features.end(),
                     [&](const auto& any) { return std::any_of(any.begin(), any.end(), present); });
}

bool name_allowed(const std::string& name, const NodeConstraints& wanted) {
  const auto in = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  return !in(wanted.exclude) && (wanted.include.empty() || in(wanted.include));
}

Option make_option(const ClusterState& state, const Shape& shape, const std::vector<char>& kind_ok, std::string type) {
  Option option;
  option.type = std::move(type);
  const auto& kinds = state.indexes.kinds;
  std::vector<char> useful(kinds.size(), 0);
  for (const ShapeGroup& group : shape.groups) {
    auto& masks = option.gpus.emplace_back(kinds.size(), 0);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (!kind_ok[k]) continue;
      for (std::size_t g = 0; group.gpus.any() && g < kinds[k].gpu_types.size(); ++g)
        if (gpu_serves(kinds[k], g, group.gpus, option.type)) masks[k] |= std::uint64_t{1} << g;
      if (tasks_on_empty(kinds[k], group, masks[k]) > 0) useful[k] = 1;
    }
  }
  for (const Node& node : state.nodes) {
    const auto kind = static_cast<std::size_t>(state.indexes.node_kind[static_cast<std::size_t>(node.id.value())]);
    if (useful[kind] && name_allowed(node.name, shape.nodes)) option.nodes.push_back(node.id);
  }
  return option;
}

}  // namespace

bool gpu_serves(const NodeKind& kind, std::size_t gpu, const GpuRequest& request, const std::string& type) {
  if (!type.empty() && !gpu_type_matches(type, kind.gpu_types[gpu])) return false;
  return kind.gpu_memory[gpu] >= request.memory;
}

GpuRoom share_of(const GpuRequest& request, Mib whole) {
  const std::int64_t size = std::max<std::int64_t>(whole.value(), 1);
  GpuRoom share{request.milli, request.memory};
  if (share.milli == MilliGpu{})
    share.milli = MilliGpu(std::max<std::int64_t>(request.memory.value() * 1000 / size, 1));
  if (share.memory == Mib{}) share.memory = Mib(size * request.milli.value() / 1000);
  return share;
}

std::int64_t shares_in(const GpuRoom& room, const GpuRoom& share) {
  const std::int64_t by_milli = room.milli.value() / std::max<std::int64_t>(share.milli.value(), 1);
  return share.memory == Mib{} ? by_milli : std::min(by_milli, room.memory.value() / share.memory.value());
}

std::int64_t tasks_on_empty(const NodeKind& kind, const ShapeGroup& group, std::uint64_t gpus) {
  std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (group.max_per_node > 0) most = std::min<std::int64_t>(most, group.max_per_node);
  if (group.cpus > MilliCpu{}) most = std::min(most, kind.cpus.value() / group.cpus.value());
  if (group.memory > Mib{}) most = std::min(most, kind.memory.value() / group.memory.value());
  if (group.gpus.count > 0) return std::min<std::int64_t>(most, std::popcount(gpus) / group.gpus.count);
  if (!group.gpus.is_share()) return most;
  std::int64_t shares = 0;
  for (std::size_t g = 0; g < kind.gpu_types.size(); ++g) {
    if ((gpus >> g & 1) == 0) continue;
    const GpuRoom share = share_of(group.gpus, kind.gpu_memory[g]);
    shares += shares_in({kWholeGpu, kind.gpu_memory[g]}, share);
  }
  return std::min(most, shares);
}

Candidates candidates(const ClusterState& state, const Shape& shape) {
  std::vector<char> kind_ok;
  for (const NodeKind& kind : state.indexes.kinds) kind_ok.push_back(has_features(kind, shape.nodes) ? 1 : 0);
  Candidates out;
  if (shape.gpu_types.empty()) out.options.push_back(make_option(state, shape, kind_ok, ""));
  for (const std::string& type : shape.gpu_types) out.options.push_back(make_option(state, shape, kind_ok, type));
  return out;
}

}  // namespace berth
