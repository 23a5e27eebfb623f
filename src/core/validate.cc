// A plan as facts. What it starts is checked against the books once more, by other code than that which planned it.
#include <map>
#include <set>

#include "base/check.h"
#include "core/decide.h"
#include "core/indexes.h"
#include "core/pass.h"

namespace berth {
namespace {

// Adds the placement to the books of its nodes and checks that nothing is held twice (rule 1).
void check_task(const ClusterState& state, std::map<NodeId, NodeUse>& books, const TaskPlacement& task) {
  const Node& node = state.nodes[static_cast<std::size_t>(task.node.value())];
  BERTH_CHECK(node.usable(), "a start on a node that takes no work");
  NodeUse& use =
      books.try_emplace(task.node, state.indexes.node_use[static_cast<std::size_t>(task.node.value())]).first->second;
  use.cpus += task.cpus;
  use.memory += task.memory;
  BERTH_CHECK(use.cpus <= node.cpus && use.memory <= node.memory, "a start takes more of a node than it has");
  for (const GpuSlice& slice : task.gpus) {
    const auto g = static_cast<std::size_t>(slice.gpu);
    use.gpus[g].milli += slice.milli;
    use.gpus[g].memory += slice.memory;
    BERTH_CHECK(node.gpus[g].health == GpuHealth::ok, "a start on a GPU that is not healthy");
    BERTH_CHECK(use.gpus[g].milli <= kWholeGpu && use.gpus[g].memory <= node.gpus[g].memory, "a GPU is given twice");
  }
}

std::size_t task_count(const JobSpec& spec) {
  std::size_t sum = 0;
  for (const TaskGroup& group : spec.groups) sum += static_cast<std::size_t>(group.count);
  return sum;
}

}  // namespace

Events to_events(const ClusterState& state, const Plan& plan) {
  BERTH_CHECK(plan.version == state.sequence, "a plan for another state");
  std::map<NodeId, NodeUse> books;
  std::set<JobId> seen;
  Events events;
  for (const Start& start : plan.starts) {
    const auto job = state.jobs.find(start.job);
    BERTH_CHECK(job != state.jobs.end() && job->second.state == JobState::pending,
                "a start of a job that is not pending");
    BERTH_CHECK(seen.insert(start.job).second, "a job is started twice in one plan");
    BERTH_CHECK(start.placement.size() == task_count(*job->second.spec), "a gang starts whole or not at all");
    for (const TaskPlacement& task : start.placement) check_task(state, books, task);
    events.push_back({plan.at, event::AttemptPlaced{{start.job, job->second.attempt + 1},
                                                    start.placement,
                                                    effective_limit(state, job->second),
                                                    weighted_milli_gpu(state, start.placement),
                                                    start.backfilled}});
  }
  return events;
}

}  // namespace berth
