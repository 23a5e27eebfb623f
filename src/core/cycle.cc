// The decision, top-down:
//   walk      queues in fair order, their jobs by score: start what can start now, promise a place to what must wait
//   forecast  places for those that had none in the walk, so that every pending job has an expected start
//   estimate  beyond Policy::reserve_depth
//   settle    those held at gates, by the plans of those that they wait for
#include "core/decide.h"
#include "core/gated.h"
#include "core/gates.h"
#include "core/outlook.h"
#include "core/pass.h"
#include "core/promises.h"
#include "core/starts.h"

namespace berth {
namespace {

class Cycle {
 public:
  Cycle(const ClusterState& state, Time now) : pass_(state, now), gated_(pass_), starts_(pass_), promises_(pass_) {}

  Plan run() {
    walk();
    for (const Waiting& job : unprotected_) promises_.promise(job);
    promises_.estimate();
    gated_.settle();
    return std::move(pass_.plan);
  }

  // After run(), which gave `plan`.
  void leave(const Plan& plan, Outlook& left) {
    left.promises = pass_.timeline.take_promises(plan.starts);
    left.reservations = plan.reservations;
    promises_.leave(left);
    left.promised_below.assign(pass_.state.queues.size(), 0);
    for (const Reservation& r : plan.reservations)
      for (QueueId q = pass_.state.jobs.at(r.job).queue; q != kNoQueue;
           q = pass_.state.queues[static_cast<std::size_t>(q.value())].parent)
        left.promised_below[static_cast<std::size_t>(q.value())] = 1;
    left.shapes = pass_.state.indexes.shape_by_id;
    left.where = std::move(pass_.where);
  }

 private:
  using Pending = std::map<PendingKey, PendingInfo>;

  void walk() {
    const auto& pending = pass_.state.indexes.pending;
    std::vector<Pending::const_iterator> next;
    for (const Pending& queue : pending) next.push_back(queue.begin());
    for (QueueId leaf = pass_.order.next(); leaf != kNoQueue; leaf = pass_.order.next()) {
      const auto q = static_cast<std::size_t>(leaf.value());
      walk_queue(leaf, next[q], pending[q].end());
      if (next[q] == pending[q].end()) pass_.order.done(leaf);
    }
  }

  // Until something is given to the queue, its place in the order stays the same.
  void walk_queue(QueueId leaf, Pending::const_iterator& at, Pending::const_iterator end) {
    const bool off = queue_off(pass_.state, leaf) != kNoQueue;
    for (bool given = false; at != end && !given; ++at) {
      Waiting job{at->first.id, leaf, &at->second, HoldReason::capacity, {}, {}};
      if ((off || at->second.gated) && gated_.holds(job)) continue;
      given = consider(job);
    }
  }

  // True if the job was started or promised a place, so that its queue moves back in line.
  bool consider(Waiting& job) {
    if (auto placement = starts_.try_now(job)) {
      pass_.book(job, *placement, pass_.now);
      pass_.plan.starts.push_back({job.id, std::move(*placement), somebody_waits_});
      note_taken(job);
      return true;
    }
    const bool protect = is_protected(job);
    if (job.reason != HoldReason::queue_limit) {
      somebody_waits_ = true;
      starts_.waits(job);
    }
    if (protect && promises_.promise(job)) {
      note_taken(job);
      return true;
    }
    if (!protect) unprotected_.push_back(job);
    return false;
  }

  // Who may not be delayed by those that come after. Easy: only the first that waits for room.
  bool is_protected(const Waiting& job) const {
    if (pass_.state.policy.backfill == Backfill::conservative) return true;
    return pass_.state.policy.backfill == Backfill::easy && !somebody_waits_ && job.reason != HoldReason::queue_limit;
  }

  void note_taken(const Waiting& job) {
    if (job.info->gated) gated_.taken(job);
  }

  Pass pass_;
  Gated gated_;
  Starts starts_;
  Promises promises_;
  std::vector<Waiting> unprotected_;  // in order
  bool somebody_waits_ = false;       // for room, ahead in the order
};

}  // namespace

Plan decide(const ClusterState& state, Time now) { return Cycle(state, now).run(); }

Plan decide_in_full(const ClusterState& state, Time now, Outlook& left) {
  Cycle cycle(state, now);
  Plan plan = cycle.run();
  cycle.leave(plan, left);
  return plan;
}

}  // namespace berth
