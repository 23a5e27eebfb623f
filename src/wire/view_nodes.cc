// The views of nodes and GPUs.
#include <algorithm>
#include <boost/json.hpp>
#include <vector>

#include "wire/names.h"
#include "wire/view_json.h"
#include "wire/view_parts.h"

namespace berth {
namespace {

namespace json = boost::json;

template <class T>
const T& at_or_empty(const std::vector<T>& list, std::int32_t index) {
  static const T empty{};
  const auto i = static_cast<std::size_t>(index);
  return i < list.size() ? list[i] : empty;
}

json::array drains_of(const Node& node) {
  json::array drains;
  for (const auto& [owner, reason] : node.drains) {
    drains.push_back({{"owner", shown_text(owner)}, {"reason", shown_text(reason)}});
  }
  return drains;
}

json::array strings(const std::vector<std::string>& list) {
  json::array array;
  for (const std::string& each : list) array.emplace_back(shown_text(each));
  return array;
}

json::array types_of(const Node& node) {
  std::map<std::string, std::int64_t> counts;
  for (const Gpu& gpu : node.gpus) ++counts[gpu.type];
  json::array types;
  for (const auto& [type, count] : counts) types.push_back({{"type", shown_text(type)}, {"count", count}});
  return types;
}

json::array jobs_on(const ClusterState& state, NodeId node) {
  json::array jobs;
  JobId last;
  for (const Booking& booking : at_or_empty(state.indexes.bookings, node.value())) {
    if (booking.job != last) jobs.emplace_back(booking.job.value());
    last = booking.job;
  }
  return jobs;
}

json::array holders_of(const ClusterState& state, NodeId node, std::int32_t index) {
  json::array holders;
  for (const Booking& booking : at_or_empty(state.indexes.bookings, node.value())) {
    for (const GpuSlice& slice : booking.gpus) {
      if (slice.gpu != index) continue;
      const auto job = state.jobs.find(booking.job);
      holders.push_back({{"job", booking.job.value()},
                         {"display_id", job_name(state, booking.job)},
                         {"user", job == state.jobs.end() ? json::value(nullptr) : shown_text(job->second.spec->user)},
                         {"rank", booking.rank},
                         {"milli", slice.milli.value()},
                         {"memory_mib", slice.memory.value()}});
    }
  }
  return holders;
}

struct Promise {
  Time at;
  JobId job;
  friend auto operator<=>(const Promise&, const Promise&) = default;
};
using Promises = std::map<std::pair<NodeId, std::int32_t>, std::vector<Promise>>;

Promises promises_of(const PlanIndex& plan) {
  Promises all;
  for (const auto& [job, reservation] : plan.reservations()) {
    for (const TaskPlacement& task : reservation->placement) {
      for (const GpuSlice& slice : task.gpus) all[{task.node, slice.gpu}].push_back({reservation->at, job});
    }
  }
  for (auto& [gpu, list] : all) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return all;
}

json::array promised(const Promises& promises, NodeId node, std::int32_t index) {
  json::array list;
  const auto found = promises.find({node, index});
  if (found == promises.end()) return list;
  for (const Promise& promise : found->second) {
    list.push_back({{"job", promise.job.value()}, {"at_ms", promise.at.ms()}});
  }
  return list;
}

json::object gpu_view(const ClusterState& state, const Promises& promises, const Node& node, std::int32_t index) {
  const Gpu& gpu = node.gpus.at(static_cast<std::size_t>(index));
  const GpuUse use = at_or_empty(at_or_empty(state.indexes.node_use, node.id.value()).gpus, index);
  return {{"node", shown_text(node.name)},
          {"index", index},
          {"uuid", shown_text(gpu.uuid)},
          {"type", shown_text(gpu.type)},
          {"health", name_of(gpu.health)},
          {"detail", text_or_null(gpu.detail)},
          {"is_virtual", gpu.is_virtual},
          {"memory_mib", gpu.memory.value()},
          {"foreign_mib", gpu.foreign.value()},
          {"held_milli", use.milli.value()},
          {"held_memory_mib", use.memory.value()},
          {"free_milli", std::max(MilliGpu{}, kWholeGpu - use.milli).value()},
          {"holders", holders_of(state, node.id, index)},
          {"reserved", promised(promises, node.id, index)}};
}

std::vector<const Node*> by_name(const ClusterState& state) {
  std::vector<const Node*> nodes;
  for (const Node& node : state.nodes) nodes.push_back(&node);
  std::sort(nodes.begin(), nodes.end(),
            [](const Node* a, const Node* b) { return a->name != b->name ? a->name < b->name : a->id < b->id; });
  return nodes;
}

}  // namespace

json::object node_row(const ClusterState& state, const Node& node) {
  const NodeUse& use = at_or_empty(state.indexes.node_use, node.id.value());
  const auto healthy = [](const Gpu& gpu) { return gpu.health == GpuHealth::ok; };
  const auto is_virtual = [](const Gpu& gpu) { return gpu.is_virtual; };
  MilliGpu held;
  for (const GpuUse& gpu : use.gpus) held += gpu.milli;
  const auto failures = state.launch_failures.find(node.id);
  const std::size_t failed = failures == state.launch_failures.end() ? 0 : failures->second.size();
  return {{"id", node.id.value()},
          {"name", shown_text(node.name)},
          {"state", name_of(node.state)},
          {"usable", node.usable()},
          {"drains", drains_of(node)},
          {"features", strings(node.features)},
          {"gpus", node.gpus.size()},
          {"gpus_ok", std::count_if(node.gpus.begin(), node.gpus.end(), healthy)},
          {"gpus_milli", (kWholeGpu * static_cast<std::int64_t>(node.gpus.size())).value()},
          {"gpus_held_milli", held.value()},
          {"cpus_milli", node.cpus.value()},
          {"cpus_held_milli", use.cpus.value()},
          {"memory_mib", node.memory.value()},
          {"memory_held_mib", use.memory.value()},
          {"gpu_types", types_of(node)},
          {"is_virtual", std::any_of(node.gpus.begin(), node.gpus.end(), is_virtual)},
          {"jobs", jobs_on(state, node.id)},
          {"launch_failures", failed}};
}

json::object gpu_row(const ClusterState& state, const PlanIndex& plan, const Node& node, std::int32_t index) {
  return gpu_view(state, promises_of(plan), node, index);
}

json::array node_rows(const ClusterState& state) {
  json::array rows;
  for (const Node* node : by_name(state)) rows.push_back(node_row(state, *node));
  return rows;
}

json::array gpu_rows(const ClusterState& state, const PlanIndex& plan) {
  const Promises promises = promises_of(plan);
  json::array rows;
  for (const Node* node : by_name(state)) {
    for (std::size_t i = 0; i < node->gpus.size(); ++i) {
      rows.push_back(gpu_view(state, promises, *node, static_cast<std::int32_t>(i)));
    }
  }
  return rows;
}

}  // namespace berth
