#include "core/pass.h"

namespace berth {

void Pass::book(const Waiting& job, const Placement& placement, Time start) {
  const Window window = window_from(start, *job.info);
  timeline.book(job.id, state.jobs.at(job.id), placement, window);
  const Resources held = resources_of(placement);
  limits.book(job.queue, held, window);
  order.debit(job.queue, weighted_milli_gpu(state, placement), held.gpu);
}

std::int64_t weighted_milli_gpu(const ClusterState& state, const Placement& placement) {
  std::int64_t sum = 0;
  for (const TaskPlacement& task : placement) {
    const Node& node = state.nodes[static_cast<std::size_t>(task.node.value())];
    for (const GpuSlice& slice : task.gpus) {
      const auto weight = state.policy.type_weights_milli.find(node.gpus[static_cast<std::size_t>(slice.gpu)].type);
      sum += slice.milli.value() * (weight == state.policy.type_weights_milli.end() ? 1000 : weight->second) / 1000;
    }
  }
  return sum;
}

}  // namespace berth
