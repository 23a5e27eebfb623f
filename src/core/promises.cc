#include "core/promises.h"

#include <algorithm>

#include "base/wide.h"
#include "core/order.h"

namespace berth {

bool Promises::promise(Waiting job) {
  if (static_cast<std::int32_t>(pass_.plan.reservations.size()) >= pass_.state.policy.reserve_depth) {
    beyond_.push_back(job);
    return false;
  }
  std::optional<Promise> found;
  if (!never_starts(job)) {
    const Time not_before = job.reason == HoldReason::behind ? promised_at(job.subject) : pass_.now;
    if (not_before < kForever)
      found = reserver_.earliest({pass_.shape(*job.info), job.info->shape, pass_.candidates_of(*job.info), job.queue,
                                  job.info->total, job.info->limit, not_before});
  }
  if (!found) {
    if (job.reason != HoldReason::behind) never_.try_emplace({job.info->shape, job.queue}, job.info->limit);
    if (no_usable_node(job)) job.reason = HoldReason::no_usable_node;
    pass_.hold(job, kForever);
    return false;
  }
  pass_.book(job, found->placement, found->at);
  promised_[job.id] = found->at;
  pass_.plan.reservations.push_back({job.id, found->at, std::move(found->placement), job.reason, job.subject});
  return true;
}

bool Promises::never_starts(const Waiting& job) const {
  const auto it = never_.find({job.info->shape, job.queue});
  return it != never_.end() && job.info->limit >= it->second;
}

// Not enough nodes that would do take work, whatever runs on them.
bool Promises::no_usable_node(const Waiting& job) {
  const ClusterState& state = pass_.state;
  const Shape& shape = pass_.shape(*job.info);
  const auto enough = [&](const Option& option) {
    for (std::size_t g = 0; g < shape.groups.size(); ++g) {
      std::int64_t tasks = 0;
      for (const NodeId node : option.nodes) {
        const auto n = static_cast<std::size_t>(node.value());
        const auto kind = static_cast<std::size_t>(state.indexes.node_kind[n]);
        if (state.nodes[n].usable())
          tasks += tasks_on_empty(state.indexes.kinds[kind], shape.groups[g], option.gpus[g][kind]);
      }
      if (tasks < shape.groups[g].count) return false;
    }
    return true;
  };
  const auto& options = pass_.candidates_of(*job.info).options;
  return std::none_of(options.begin(), options.end(), enough);
}

Time Promises::promised_at(JobId id) const {
  const auto it = promised_.find(id);
  return it == promised_.end() ? kForever : it->second;
}

// The promised work ahead begins by the last promise; what comes after is taken to be served by the whole fleet at once.
void Promises::estimate() {
  Time base = pass_.now;
  for (const Reservation& r : pass_.plan.reservations) base = std::max(base, r.at);
  std::int64_t fleet = 0;
  for (const Node& node : pass_.state.nodes)
    if (node.usable()) fleet += static_cast<std::int64_t>(node.gpus.size()) * 1000;
  fleet = std::max<std::int64_t>(fleet, 1000);
  last_expected_ = base;
  Wide ahead = 0;
  for (const Waiting& job : beyond_) {
    const auto delay = static_cast<std::int64_t>(std::min<Wide>(ahead / fleet, hours(24 * 365).ms()));
    last_expected_ = base + milliseconds(delay);
    pass_.hold(job, never_starts(job) ? kForever : last_expected_);
    const std::int64_t length = std::min(job.info->limit, hours(24 * 7)).ms();
    ahead += Wide{std::max<std::int64_t>(job.info->total.gpu.value(), 1)} * length;
  }
}

void Promises::leave(Outlook& left) const {
  std::vector<char> seen(pass_.state.queues.size(), 0);
  for (const Waiting& job : beyond_) {
    char& known = seen[static_cast<std::size_t>(job.queue.value())];
    if (known != 0) continue;
    known = 1;
    const Job& row = pass_.state.jobs.at(job.id);
    const Queue& queue = pass_.state.queues[static_cast<std::size_t>(job.queue.value())];
    left.frontier.try_emplace(job.queue, PendingKey{pending_score(pass_.state.policy, queue, row), job.id});
  }
  left.last_expected = last_expected_;
}

}  // namespace berth
