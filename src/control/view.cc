#include "control/view.h"

#include "core/decide.h"
#include "core/planner.h"

namespace berth {

void View::reset(ClusterState state, std::string engine) {
  const std::unique_lock lock(mutex_);
  snapshot_.state = std::move(state);
  snapshot_.plan = Plan{};
  snapshot_.engine = std::move(engine);
  tail_.clear();
}

void View::publish(const Events& events, const Plan* plan, const LoopStats& loop) {
  {
    const std::unique_lock lock(mutex_);
    for (const Event& event : events) {
      apply(snapshot_.state, event);
      tail_.push_back({snapshot_.state.sequence, event});
      if (tail_.size() > kTailSize) tail_.pop_front();
    }
    if (plan != nullptr) merge(snapshot_.plan, *plan);
    snapshot_.loop = loop;
  }
  if (!events.empty() && woken_) woken_();
}

void View::on_publish(std::function<void()> woken) { woken_ = std::move(woken); }

Result<Explanation> View::why(JobId job, Time now) const {
  const std::shared_lock lock(mutex_);
  if (!snapshot_.state.jobs.contains(job))
    return Error{ErrorCode::not_found, "there is no job " + std::to_string(job.value()) + " in memory",
                 "see: berth queue"};
  return explain(snapshot_.state, snapshot_.plan, job, now);
}

Result<Answer> View::preview(const Command& command, Time now) const {
  const std::shared_lock lock(mutex_);
  auto handled = handle(snapshot_.state, command, now);
  if (!handled) return handled.error();
  return std::move(handled->answer);
}

View::Tail View::tail(std::uint64_t after, std::size_t limit) const {
  const std::shared_lock lock(mutex_);
  Tail out;
  const std::uint64_t newest = snapshot_.state.sequence;
  if (after >= newest) return out;
  const std::uint64_t first = tail_.empty() ? newest + 1 : tail_.front().sequence;
  out.complete = after + 1 >= first;
  if (!out.complete) return out;
  for (std::size_t i = after + 1 - first; i < tail_.size() && out.records.size() < limit; ++i)
    out.records.push_back(tail_[i]);
  return out;
}

}  // namespace berth
