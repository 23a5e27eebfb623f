#include "core/order.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "base/wide.h"
#include "core/fairshare.h"

namespace berth {
namespace {

// Larger than any time of submit in ms until the year 2109, so that one point always outweighs any wait.
constexpr std::int64_t kStrictStep = std::int64_t{1} << 42;

std::size_t index(QueueId q) { return static_cast<std::size_t>(q.value()); }

}  // namespace

std::int64_t pending_score(const Policy& policy, const Queue& queue, const Job& job) {
  const std::int64_t step = policy.age_step > Duration{} ? std::min(policy.age_step.ms(), kStrictStep) : kStrictStep;
  const std::int64_t wanted = std::int64_t{job.spec->priority} + queue.spec.priority;
  return std::clamp<std::int64_t>(wanted, -kMaxPriority, kMaxPriority) * step - job.submitted.ms();
}

QueueOrder::QueueOrder(const ClusterState& state, Time now) : state_(state), shares_(state.queues.size()) {
  for (const Queue& queue : state.queues) {
    const QueueUse& use = state.indexes.queue_use[index(queue.id)];
    Share& share = shares_[index(queue.id)];
    const Usage usage =
        usage_at(queue.usage, use.weighted_milli_gpu, use.held.cpu.value(), state.policy.half_life, now);
    share.held = scaled_average_rate(usage.gpu, state.policy.half_life) + use.weighted_milli_gpu * kRateScale;
    share.cpu = scaled_average_rate(usage.cpu, state.policy.half_life) + use.held.cpu.value() * kRateScale;
    share.gpus = use.held.gpu;
    if (state.indexes.pending[index(queue.id)].empty()) continue;
    for (QueueId q = queue.id; q != kNoQueue; q = state.queues[index(q)].parent) ++shares_[index(q)].open_leaves;
  }
}

// Inside quota first; then the smaller share per weight, of GPUs, then of CPUs; weight 0 takes what nobody else wants.
bool QueueOrder::before(QueueId a, QueueId b) const {
  const Share& x = shares_[index(a)];
  const Share& y = shares_[index(b)];
  const QueueSpec& p = state_.queues[index(a)].spec;
  const QueueSpec& q = state_.queues[index(b)].spec;
  const bool x_over = x.gpus >= p.quota.value_or(MilliGpu{});
  const bool y_over = y.gpus >= q.quota.value_or(MilliGpu{});
  if (x_over != y_over) return y_over;
  if ((p.weight == 0) != (q.weight == 0)) return q.weight == 0;
  const Wide v = std::max(p.weight, 1);
  const Wide w = std::max(q.weight, 1);
  if (x.held * w != y.held * v) return x.held * w < y.held * v;
  if (x.cpu * w != y.cpu * v) return x.cpu * w < y.cpu * v;
  return a < b;
}

QueueId QueueOrder::best(const std::vector<QueueId>& among) const {
  QueueId found = kNoQueue;
  for (const QueueId q : among)
    if (shares_[index(q)].open_leaves > 0 && (found == kNoQueue || before(q, found))) found = q;
  return found;
}

QueueId QueueOrder::next() const {
  const Indexes& ix = state_.indexes;
  QueueId at = best(ix.roots);
  while (at != kNoQueue) {
    const QueueId below = best(ix.children[index(at)]);
    if (below == kNoQueue) return at;
    at = below;
  }
  return kNoQueue;
}

void QueueOrder::only(const std::vector<QueueId>& leaves) {
  for (Share& share : shares_) share.open_leaves = 0;
  for (const QueueId leaf : leaves)
    for (QueueId q = leaf; q != kNoQueue; q = state_.queues[index(q)].parent) ++shares_[index(q)].open_leaves;
}

void QueueOrder::done(QueueId leaf) {
  for (QueueId q = leaf; q != kNoQueue; q = state_.queues[index(q)].parent) {
    BERTH_CHECK(shares_[index(q)].open_leaves > 0, "a queue is done twice");
    --shares_[index(q)].open_leaves;
  }
}

void QueueOrder::debit(QueueId leaf, std::int64_t weighted_milli_gpu, MilliGpu gpus) {
  for (QueueId q = leaf; q != kNoQueue; q = state_.queues[index(q)].parent) {
    shares_[index(q)].held += weighted_milli_gpu * kRateScale;
    shares_[index(q)].gpus += gpus;
  }
}

}  // namespace berth
