// A decision beside the promises of an earlier one. Most of what is pending is ruled out by the group: shapes for which too
// little is free, limits that reach into promises. What remains is taken in the order of a full decision.
#include <algorithm>
#include <bit>

#include "core/gates.h"
#include "core/outlook.h"
#include "core/pass.h"
#include "core/place.h"
#include "core/starts.h"

namespace berth {
namespace {

class FollowUp {
 public:
  FollowUp(const ClusterState& state, Time now, Outlook& outlook)
      : outlook_(outlook), pass_(state, now, std::move(outlook.promises)), starts_(pass_) {
    take_candidates();
    count_free();
  }

  // False: it takes a full decision. The outlook is of use only if true.
  bool run(const std::vector<JobId>& arrived) {
    start_promised();
    find_groups();
    start_others();
    for (const JobId id : arrived) hold(id);
    return !limits_and_promises_;
  }

  Plan finish() {
    outlook_.promises = pass_.timeline.take_promises(pass_.plan.starts);
    outlook_.where = std::move(pass_.where);
    pass_.plan.whole = false;
    return std::move(pass_.plan);
  }

 private:
  using Keys = std::set<PendingKey>;
  struct Group {
    const PendingGroup* of;
    Keys::const_iterator at, end;
  };

  // Shapes come and go, and ids are used again.
  void take_candidates() {
    const auto& shapes = pass_.state.indexes.shape_by_id;
    for (std::size_t i = 0; i < std::min(outlook_.shapes.size(), shapes.size()); ++i)
      if (outlook_.shapes[i] != nullptr && outlook_.shapes[i] == shapes[i])
        pass_.where[i] = std::move(outlook_.where[i]);
    outlook_.shapes = shapes;
  }

  void count_free() {
    for (const NodeFree& free : pass_.state.indexes.node_free) {
      if (!free.usable || free.exclusive_tasks > 0) continue;
      const std::int64_t gpus = std::popcount(free.gpus);
      free_gpus_ += gpus;
      most_free_ = std::max(most_free_, gpus);
    }
  }

  // By whole GPUs alone.
  bool too_little_free(const Shape& shape) const {
    std::int64_t all = 0;
    for (const ShapeGroup& group : shape.groups) {
      if (group.gpus.count > most_free_) return true;
      all += std::int64_t{group.gpus.count} * group.count;
    }
    return all > free_gpus_;
  }

  bool too_little_free(const Placement& placement) const {
    std::int64_t all = 0;
    for (const TaskPlacement& task : placement) {
      const std::int64_t whole = whole_gpus(task);
      if (whole > most_free_) return true;
      all += whole;
    }
    return all > free_gpus_;
  }
  static std::int64_t whole_gpus(const TaskPlacement& task) {
    return std::count_if(task.gpus.begin(), task.gpus.end(), [](const GpuSlice& s) { return s.milli == kWholeGpu; });
  }

  Waiting waiting(QueueId queue, const PendingKey& key) const {
    const auto& pending = pass_.state.indexes.pending[static_cast<std::size_t>(queue.value())];
    return {key.id, queue, &pending.at(key), HoldReason::capacity, {}, {}};
  }

  void start(const Waiting& job, Placement placement, bool backfilled) {
    pass_.book(job, placement, pass_.now);
    for (const TaskPlacement& task : placement) free_gpus_ -= whole_gpus(task);
    pass_.plan.starts.push_back({job.id, std::move(placement), backfilled});
  }

  // Into its own place or another, if that came free early.
  void start_promised() {
    for (const Reservation& r : outlook_.reservations) promised_.push_back(r.job);
    std::sort(promised_.begin(), promised_.end());
    std::erase_if(outlook_.reservations, [&](const Reservation& r) {
      if (too_little_free(r.placement)) return false;
      const auto row = pass_.state.jobs.find(r.job);
      if (row == pass_.state.jobs.end() || row->second.state != JobState::pending) {
        pass_.timeline.unbook(r.job, r.placement);
        return true;
      }
      const Job& job = row->second;
      const Queue& queue = pass_.state.queues[static_cast<std::size_t>(job.queue.value())];
      const Waiting waits = waiting(job.queue, {pending_score(pass_.state.policy, queue, job), job.id});
      const Shape& shape = pass_.shape(*waits.info);
      const Window window = pass_.window_from(pass_.now, *waits.info);
      if (limits_promises(job.queue)) return false;
      pass_.timeline.unbook(r.job, r.placement);
      auto placement = place(pass_.timeline, shape, pass_.candidates_of(*waits.info), window);
      if (!placement) {
        pass_.timeline.book(job.id, job, r.placement, pass_.window_from(r.at, *waits.info));
        return false;
      }
      start(waits, std::move(*placement), false);
      return true;
    });
  }

  // Those of which some job may start.
  void find_groups() {
    groups_.resize(pass_.state.queues.size());
    const auto& all = pass_.state.indexes.pending_groups;
    for (auto it = all.begin(); it != all.end();) {
      if (!some_start(it->first)) {
        it = all.lower_bound({it->first.shape + 1, 0, kNoQueue});
        continue;
      }
      for (const std::int32_t shape = it->first.shape; it != all.end() && it->first.shape == shape; ++it)
        groups_[static_cast<std::size_t>(it->first.queue.value())].push_back(
            {&it->first, it->second.begin(), it->second.end()});
    }
  }

  // `first` has the shortest limits of its shape.
  bool some_start(const PendingGroup& first) {
    const PendingInfo info{first.shape, false, milliseconds(std::int64_t{1} << first.octave), {}};
    const Shape& shape = pass_.shape(info);
    return !too_little_free(shape) &&
           place(pass_.timeline, shape, pass_.candidates_of(info), pass_.window_from(pass_.now, info));
  }

  void start_others() {
    std::vector<QueueId> open;
    for (const Queue& queue : pass_.state.queues)
      if (!groups_[static_cast<std::size_t>(queue.id.value())].empty() &&
          queue_off(pass_.state, queue.id) == kNoQueue && !limits_promises(queue.id))
        open.push_back(queue.id);
    pass_.order.only(open);
    for (QueueId leaf = pass_.order.next(); leaf != kNoQueue; leaf = pass_.order.next())
      if (!start_one(leaf)) pass_.order.done(leaf);
  }

  // Limits of queues over time are for a full decision, if promises count against them.
  bool limits_promises(QueueId leaf) {
    for (QueueId q = leaf; q != kNoQueue; q = pass_.state.queues[static_cast<std::size_t>(q.value())].parent)
      if (outlook_.promised_below[static_cast<std::size_t>(q.value())] != 0 && pass_.limits.limited(q))
        limits_and_promises_ = true;
    return limits_and_promises_;
  }

  // The first of the queue that can start; false: none can.
  bool start_one(QueueId leaf) {
    auto& groups = groups_[static_cast<std::size_t>(leaf.value())];
    for (;;) {
      std::erase_if(groups, [&](const Group& g) { return g.at == g.end || ruled_out(*g.of); });
      if (groups.empty()) return false;
      const auto first =
          std::min_element(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return *a.at < *b.at; });
      const PendingKey key = *first->at++;
      if (std::binary_search(promised_.begin(), promised_.end(), key.id)) continue;
      Waiting job = waiting(leaf, key);
      auto placement = starts_.try_now(job);
      if (!placement) continue;
      start(job, std::move(*placement), true);
      return true;
    }
  }

  bool ruled_out(const PendingGroup& group) const {
    const auto& shape = *pass_.state.indexes.shape_by_id[static_cast<std::size_t>(group.shape)];
    return too_little_free(shape) || starts_.none_starts(group.shape, milliseconds(std::int64_t{1} << group.octave));
  }

  // Why an arrival does not start; when it is expected, the next full decision will say better.
  void hold(JobId id) {
    const auto row = pass_.state.jobs.find(id);
    if (row == pass_.state.jobs.end() || row->second.state != JobState::pending) return;
    const auto starts = [id](const Start& s) { return s.job == id; };
    if (std::any_of(pass_.plan.starts.begin(), pass_.plan.starts.end(), starts)) return;
    const Job& job = row->second;
    if (limits_promises(job.queue)) return;
    const Queue& queue = pass_.state.queues[static_cast<std::size_t>(job.queue.value())];
    Waiting waits = waiting(job.queue, {pending_score(pass_.state.policy, queue, job), id});
    if (auto placement = starts_.try_now(waits))
      start(waits, std::move(*placement), true);
    else
      pass_.hold(waits, outlook_.last_expected);
  }

  Outlook& outlook_;
  Pass pass_;
  Starts starts_;
  std::vector<JobId> promised_;             // by id; those that were promised when the pass began
  std::vector<std::vector<Group>> groups_;  // by QueueId
  std::int64_t free_gpus_ = 0;              // whole ones
  std::int64_t most_free_ = 0;              // on one node, when the pass began
  bool limits_and_promises_ = false;
};

}  // namespace

std::optional<Plan> follow_up(const ClusterState& state, Time now, const std::vector<JobId>& arrived,
                              Outlook& outlook) {
  FollowUp pass(state, now, outlook);
  if (!pass.run(arrived)) return std::nullopt;
  return pass.finish();
}

}  // namespace berth
