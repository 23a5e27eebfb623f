// The decision. Top-down:
//   walk      queues in fair order, their jobs by score: start what can start now, promise what must wait, hold the rest
//   forecast  promises for jobs that had none in the walk, so that every pending job has an expected start
//   estimate  beyond Policy::reserve_depth: by the work ahead and the size of the fleet
#include "core/cycle.h"

#include <algorithm>
#include <map>

#include "base/wide.h"
#include "core/decide.h"
#include "core/feasible.h"
#include "core/gates.h"
#include "core/order.h"
#include "core/place.h"
#include "core/queue_limits.h"
#include "core/reserve.h"
#include "core/timeline.h"

namespace berth {
namespace {

std::size_t index(QueueId q) { return static_cast<std::size_t>(q.value()); }

// What the pass has learned about a shape so far. Capacity only shrinks within a pass, so a failure stays one.
struct ShapeMemo {
  std::optional<Candidates> candidates;
  bool no_room = false;                  // does not fit on what is free now, promises aside
  Duration too_long = kUnlimited;        // jobs of this length or longer would delay a promise
  bool delayed = false;                  // too_long is set
};

class Pass {
 public:
  Pass(const ClusterState& state, Time now)
      : state_(state), now_(now), timeline_(state, now), limits_(state, now), reserver_(timeline_, limits_),
        order_(state, now), memos_(state.indexes.shape_by_id.size()) {
    plan_.at = now;
    plan_.version = state.sequence;
  }

  Plan run() {
    walk();
    forecast();
    estimate();
    return std::move(plan_);
  }

 private:
  struct Waiting {
    const PendingKey* key;
    const PendingInfo* info;
    QueueId queue;
    HoldReason reason;
    JobId subject;
  };

  void walk() {
    std::vector<std::map<PendingKey, PendingInfo>::const_iterator> cursors;
    for (const auto& queue : state_.indexes.pending) cursors.push_back(queue.begin());
    for (QueueId leaf = order_.next(); leaf != kNoQueue; leaf = order_.next()) {
      auto& cursor = cursors[index(leaf)];
      const auto& queue = state_.indexes.pending[index(leaf)];
      const QueueId off = queue_off(state_, leaf);
      // Until something is given to the queue its place in the order stays the same.
      bool given = false;
      for (; cursor != queue.end() && !given; ++cursor) {
        if (off != kNoQueue) hold(cursor->first.id, HoldReason::queue_off, {}, off, kForever);
        else given = consider(leaf, cursor->first, cursor->second);
      }
      if (cursor == queue.end()) order_.done(leaf);
    }
  }

  // True if the job was started or promised a place, so that its queue moves back in line.
  bool consider(QueueId leaf, const PendingKey& key, const PendingInfo& info) {
    if (info.gated && hold_at_gate(leaf, key.id)) return false;
    ShapeMemo& memo = memo_of(info);
    const Window window{now_, now_ + info.limit};
    HoldReason reason = HoldReason::capacity;
    JobId subject{};
    if (const auto blocked = limits_.blocker(leaf, info.total, window)) {
      reason = blocked->reason;
      queue_of_limit_[key.id] = blocked->subject;
    } else if (const JobId ahead = strictly_behind(memo); ahead != JobId{}) {
      reason = HoldReason::behind;
      subject = ahead;
    } else if (start_now(leaf, key.id, info, memo, window, reason, subject)) {
      return true;
    }
    return wait(leaf, key, info, memo, reason, subject);
  }

  bool hold_at_gate(QueueId leaf, JobId id) {
    const Job& job = state_.jobs.at(id);
    const std::vector<Blocker> gates = closed_gates(state_, job, now_);
    if (!gates.empty()) {
      Time until{};
      for (const Blocker& b : gates) until = b.until == Time{} || until == kForever ? kForever : std::max(until, b.until);
      if (job.eligible > now_) plan_.next_wake = std::min(plan_.next_wake, job.eligible);
      for (const Blocker& b : gates)
        if (b.reason == HoldReason::dependency && b.until > now_) plan_.next_wake = std::min(plan_.next_wake, b.until);
      hold(id, gates.front().reason, {}, leaf, until);
      return true;
    }
    if (!job.array || job.array->throttle <= 0) return false;
    const auto active = state_.indexes.array_active.find(job.array->first);
    const std::int32_t running = active == state_.indexes.array_active.end() ? 0 : active->second;
    const auto begun = array_starts_.find(job.array->first);
    if (running + (begun == array_starts_.end() ? 0 : begun->second) < job.array->throttle) return false;
    hold(id, HoldReason::array_throttle, job.array->first, leaf, kForever);
    return true;
  }

  ShapeMemo& memo_of(const PendingInfo& info) {
    ShapeMemo& memo = memos_[static_cast<std::size_t>(info.shape)];
    if (!memo.candidates) memo.candidates = candidates(state_, shape_of(info));
    return memo;
  }
  const Shape& shape_of(const PendingInfo& info) const {
    return *state_.indexes.shape_by_id[static_cast<std::size_t>(info.shape)];
  }

  // Backfill::none: a job waits behind any other that wants one of the same nodes.
  JobId strictly_behind(const ShapeMemo& memo) const {
    if (state_.policy.backfill != Backfill::none || closed_.empty()) return JobId{};
    for (const Option& option : memo.candidates->options)
      for (const NodeId node : option.nodes)
        if (const JobId ahead = closed_[static_cast<std::size_t>(node.value())]; ahead != JobId{}) return ahead;
    return JobId{};
  }

  bool start_now(QueueId leaf, JobId id, const PendingInfo& info, ShapeMemo& memo, Window window, HoldReason& reason,
                 JobId& subject) {
    if (memo.no_room) return false;
    if (memo.delayed && info.limit >= memo.too_long) {
      reason = HoldReason::reserved_room;
      subject = delayed_subject_[info.shape];
      return false;
    }
    if (auto placement = place(timeline_, shape_of(info), *memo.candidates, window)) {
      const std::int64_t weight = weighted_milli_gpu(state_, *placement);
      const Job& job = state_.jobs.at(id);
      timeline_.book(id, job, *placement, window);
      limits_.book(leaf, info.total, window);
      order_.debit(leaf, weight, info.total.gpu);
      if (job.array) ++array_starts_[job.array->first];
      plan_.starts.push_back({id, std::move(*placement), capacity_waits_});
      return true;
    }
    if (!timeline_.has_promises()) {
      memo.no_room = true;
      return false;
    }
    // Would it fit if nobody had been promised anything? Asked over the next moment only.
    const auto bare = place(timeline_, shape_of(info), *memo.candidates, {now_, now_ + milliseconds(1)});
    if (!bare) {
      memo.no_room = true;
      return false;
    }
    memo.delayed = true;
    memo.too_long = info.limit;
    delayed_subject_[info.shape] = timeline_.promised(*bare, window);
    reason = HoldReason::reserved_room;
    subject = delayed_subject_[info.shape];
    return false;
  }

  bool wait(QueueId leaf, const PendingKey& key, const PendingInfo& info, ShapeMemo& memo, HoldReason reason, JobId subject) {
    const bool first_of_all = !capacity_waits_;
    if (reason != HoldReason::queue_limit) {
      capacity_waits_ = true;
      close_nodes(memo, key.id);
    }
    const bool protect = state_.policy.backfill == Backfill::conservative ||
                         (state_.policy.backfill == Backfill::easy && first_of_all && reason != HoldReason::queue_limit);
    const Waiting waiting{&key, &info, leaf, reason, subject};
    if (!protect) {
      waiting_.push_back(waiting);
      return false;
    }
    return promise(waiting);
  }

  void close_nodes(const ShapeMemo& memo, JobId id) {
    if (state_.policy.backfill != Backfill::none) return;
    closed_.resize(state_.nodes.size());
    for (const Option& option : memo.candidates->options)
      for (const NodeId node : option.nodes) {
        JobId& ahead = closed_[static_cast<std::size_t>(node.value())];
        if (ahead == JobId{}) ahead = id;
      }
  }

  // Gives the job its earliest place on the timeline; false if none is known or the depth is used up.
  bool promise(const Waiting& w) {
    ShapeMemo& memo = memo_of(*w.info);
    if (static_cast<std::int32_t>(plan_.reservations.size()) >= state_.policy.reserve_depth) {
      beyond_.push_back(w);
      return false;
    }
    Time not_before = now_;
    if (w.reason == HoldReason::behind) not_before = std::max(not_before, promised_at(w.subject));
    std::optional<Promise> found;
    if (!never_starts(w))
      found = reserver_.earliest({shape_of(*w.info), w.info->shape, *memo.candidates, w.queue, w.info->total, w.info->limit,
                                  not_before});
    if (!found) {
      never_.try_emplace({w.info->shape, w.queue}, w.info->limit);
      hold_by_reason(w, kForever);
      return false;
    }
    const Window window{found->at, found->at + w.info->limit};
    timeline_.book(w.key->id, state_.jobs.at(w.key->id), found->placement, window);
    limits_.book(w.queue, w.info->total, window);
    order_.debit(w.queue, weighted_milli_gpu(state_, found->placement), w.info->total.gpu);
    plan_.reservations.push_back({w.key->id, found->at, std::move(found->placement), w.reason, w.subject});
    return true;
  }

  bool never_starts(const Waiting& w) const {
    const auto it = never_.find({w.info->shape, w.queue});
    return it != never_.end() && w.info->limit >= it->second;
  }

  Time promised_at(JobId id) const {
    for (const Reservation& r : plan_.reservations)
      if (r.job == id) return r.at;
    return kForever;
  }

  void forecast() {
    const std::vector<Waiting> waiting = std::move(waiting_);
    for (const Waiting& w : waiting) promise(w);
  }

  // The reserved work ahead ends at its last promise; what comes after is served by the whole fleet at once. A rough guess,
  // and told as one.
  void estimate() {
    Time base = now_;
    for (const Reservation& r : plan_.reservations) base = std::max(base, r.at);
    std::int64_t fleet = 0;
    for (const Node& node : state_.nodes)
      if (node.usable()) fleet += static_cast<std::int64_t>(node.gpus.size()) * 1000;
    fleet = std::max<std::int64_t>(fleet, 1000);
    Wide ahead = 0;
    for (const Waiting& w : beyond_) {
      const auto delay = static_cast<std::int64_t>(std::min<Wide>(ahead / fleet, hours(24 * 365).ms()));
      hold_by_reason(w, never_starts(w) ? kForever : base + milliseconds(delay));
      const std::int64_t length = std::min(w.info->limit, hours(24 * 7)).ms();
      ahead += static_cast<Wide>(std::max<std::int64_t>(w.info->total.gpu.value(), 1)) * length;
    }
  }

  void hold_by_reason(const Waiting& w, Time expected) {
    QueueId queue = w.queue;
    if (w.reason == HoldReason::queue_limit) {
      const auto it = queue_of_limit_.find(w.key->id);
      for (QueueId q = w.queue; q != kNoQueue; q = state_.queues[index(q)].parent)
        if (it != queue_of_limit_.end() && state_.queues[index(q)].spec.name == it->second) queue = q;
    }
    hold(w.key->id, w.reason, w.subject, queue, expected);
  }

  void hold(JobId id, HoldReason reason, JobId subject, QueueId queue, Time expected) {
    plan_.holds.push_back({id, reason, subject, queue, expected});
  }

  const ClusterState& state_;
  Time now_;
  Timeline timeline_;
  QueueLimits limits_;
  Reserver reserver_;
  QueueOrder order_;
  std::vector<ShapeMemo> memos_;                        // by shape id
  std::map<std::int32_t, JobId> delayed_subject_;       // by shape id
  std::map<JobId, std::int32_t> array_starts_;          // of this pass
  std::map<JobId, std::string> queue_of_limit_;
  std::map<std::pair<std::int32_t, QueueId>, Duration> never_;  // jobs of this shape and queue, so long or longer
  std::vector<JobId> closed_;                           // by NodeId: who waits for it (Backfill::none)
  std::vector<Waiting> waiting_;                        // no promise yet, in order
  std::vector<Waiting> beyond_;                         // past the depth, in order
  bool capacity_waits_ = false;                         // somebody ahead waits for room
  Plan plan_;
};

}  // namespace

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

Plan decide(const ClusterState& state, Time now) { return Pass(state, now).run(); }

}  // namespace berth
