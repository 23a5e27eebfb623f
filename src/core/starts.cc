#include "core/starts.h"

#include "core/place.h"

namespace berth {
namespace {

void blocked(Waiting& job, HoldReason reason, JobId subject = {}) {
  job.reason = reason;
  job.subject = subject;
}

}  // namespace

std::optional<Placement> Starts::try_now(Waiting& job) {
  if (over_limit(job) || behind(job)) return std::nullopt;
  return find_room(job);
}

bool Starts::over_limit(Waiting& job) {
  const QueueId limit = pass_.limits.first_over(job.queue, job.info->total, pass_.window_from(pass_.now, *job.info));
  if (limit == kNoQueue) return false;
  blocked(job, HoldReason::queue_limit);
  job.limit = limit;
  return true;
}

bool Starts::behind(Waiting& job) {
  if (first_waiting_.empty()) return false;
  for (const Option& option : pass_.candidates_of(*job.info).options) {
    for (const NodeId node : option.nodes) {
      const JobId ahead = first_waiting_[static_cast<std::size_t>(node.value())];
      if (ahead == JobId{}) continue;
      blocked(job, HoldReason::behind, ahead);
      return true;
    }
  }
  return false;
}

std::optional<Placement> Starts::find_room(Waiting& job) {
  Memo& memo = memos_[static_cast<std::size_t>(job.info->shape)];
  blocked(job, HoldReason::capacity);
  if (memo.no_room) return std::nullopt;
  if (memo.too_long && job.info->limit >= *memo.too_long) {
    blocked(job, HoldReason::reserved_room, memo.delayed);
    return std::nullopt;
  }
  const Shape& shape = pass_.shape(*job.info);
  const Candidates& where = pass_.candidates_of(*job.info);
  const Window window = pass_.window_from(pass_.now, *job.info);
  if (auto placement = place(pass_.timeline, shape, where, window)) return placement;
  // Would it fit if nobody had been promised anything? Asked over the next moment only.
  std::optional<Placement> bare;
  if (pass_.timeline.has_promises())
    bare = place(pass_.timeline, shape, where, {pass_.now, pass_.now + milliseconds(1)});
  if (!bare) {
    memo.no_room = true;
    return std::nullopt;
  }
  memo.too_long = job.info->limit;
  memo.delayed = pass_.timeline.promised(*bare, window);
  blocked(job, HoldReason::reserved_room, memo.delayed);
  return std::nullopt;
}

void Starts::waits(const Waiting& job) {
  if (pass_.state.policy.backfill != Backfill::none) return;
  first_waiting_.resize(pass_.state.nodes.size());
  for (const Option& option : pass_.candidates_of(*job.info).options)
    for (const NodeId node : option.nodes) {
      JobId& first = first_waiting_[static_cast<std::size_t>(node.value())];
      if (first == JobId{}) first = job.id;
    }
}

}  // namespace berth
