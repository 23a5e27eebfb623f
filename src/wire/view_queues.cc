// The view of queues, as lines and as a tree.
#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <vector>

#include "wire/view_json.h"
#include "wire/view_parts.h"

namespace berth {
namespace {

namespace json = boost::json;

// A broken tree may have a ring; then the depth is cut where it closes.
std::int64_t depth_of(const ClusterState& state, const Queue& queue) {
  std::int64_t depth = 0;
  QueueId at = queue.parent;
  while (at != kNoQueue && depth < static_cast<std::int64_t>(state.queues.size())) {
    at = state.queues.at(static_cast<std::size_t>(at.value())).parent;
    ++depth;
  }
  return depth;
}

// Weighted milli-GPU milliseconds as thousandths of GPU hours.
std::int64_t hours_milli(const Usage& usage) { return usage.gpu / hours(1).ms(); }

struct ByName {
  bool operator()(const Queue* a, const Queue* b) const {
    return a->spec.name != b->spec.name ? a->spec.name < b->spec.name : a->id < b->id;
  }
};
using Children = std::map<QueueId, std::vector<const Queue*>>;

void add_subtree(const ClusterState& state, const Children& children, QueueId parent, json::array& rows,
                 std::vector<bool>& done) {
  const auto found = children.find(parent);
  if (found == children.end()) return;
  for (const Queue* queue : found->second) {
    const auto i = static_cast<std::size_t>(queue->id.value());
    if (done[i]) continue;
    done[i] = true;
    rows.push_back(queue_row(state, *queue));
    add_subtree(state, children, queue->id, rows, done);
  }
}

}  // namespace

json::object queue_row(const ClusterState& state, const Queue& queue) {
  const auto i = static_cast<std::size_t>(queue.id.value());
  const QueueUse use = i < state.indexes.queue_use.size() ? state.indexes.queue_use[i] : QueueUse{};
  const std::size_t pending = i < state.indexes.pending.size() ? state.indexes.pending[i].size() : 0;
  const QueueSpec& spec = queue.spec;
  return {{"id", queue.id.value()},
          {"name", shown_text(spec.name)},
          {"parent", text_or_null(queue.parent == kNoQueue ? spec.parent : queue_name(state, queue.parent))},
          {"depth", depth_of(state, queue)},
          {"is_default", spec.is_default},
          {"off", text_or_null(queue.off)},
          {"weight", spec.weight},
          {"priority", spec.priority},
          {"quota_milli", amount_or_null(spec.quota)},
          {"limit_milli", amount_or_null(spec.limit)},
          {"cpu_limit_milli", amount_or_null(spec.cpu_limit)},
          {"memory_limit_mib", amount_or_null(spec.memory_limit)},
          {"max_running_jobs", spec.max_running_jobs ? json::value(*spec.max_running_jobs) : nullptr},
          {"default_time_limit_ms", duration_or_null(spec.default_time_limit.value_or(kUnlimited))},
          {"max_time_limit_ms", duration_or_null(spec.max_time_limit.value_or(kUnlimited))},
          {"held_gpus_milli", use.held.gpu.value()},
          {"held_cpus_milli", use.held.cpu.value()},
          {"held_memory_mib", use.held.memory.value()},
          {"running", use.jobs},
          {"pending", pending},
          {"usage_gpu_hours_milli", hours_milli(queue.usage)},
          {"usage_as_of_ms", queue.usage.as_of.ms()}};
}

json::array queue_rows(const ClusterState& state) {
  Children children;
  for (const Queue& queue : state.queues) {
    if (!queue.spec.name.empty()) children[queue.parent].push_back(&queue);
  }
  for (auto& [parent, list] : children) std::sort(list.begin(), list.end(), ByName{});
  json::array rows;
  std::vector<bool> done(state.queues.size());
  add_subtree(state, children, kNoQueue, rows, done);
  // Those of a broken tree hang on nothing that was reached.
  for (const auto& [parent, list] : children) add_subtree(state, children, parent, rows, done);
  return rows;
}

}  // namespace berth
