// Why a pending job does not run: every blocker with numbers, by the code that decides.
#include <algorithm>
#include <string>

#include "core/decide.h"
#include "core/feasible.h"
#include "core/gates.h"
#include "core/indexes.h"
#include "core/place.h"
#include "core/queue_limits.h"
#include "core/timeline.h"

namespace berth {
namespace {

Blocker blocker(HoldReason reason, std::string subject = {}) {
  Blocker b;
  b.reason = reason;
  b.subject = std::move(subject);
  return b;
}

// `most`: what the node with the most of it has free, for when there is not even room for one task.
Blocker shortage(const char* unit, std::int64_t each, std::int64_t tasks, std::int64_t have_tasks, std::int64_t most,
                 const std::string& type) {
  Blocker b = blocker(HoldReason::capacity, type);
  b.unit = unit;
  b.want = each * tasks;
  b.have = have_tasks > 0 ? each * have_tasks : std::min(most, each * tasks);
  if (tasks > 1) b.detail = std::to_string(tasks) + " tasks asked, room for " + std::to_string(have_tasks);
  return b;
}

MilliGpu gpu_each(const ShapeGroup& group) {
  if (group.gpus.count > 0) return kWholeGpu * group.gpus.count;
  return group.gpus.milli;
}

// What one group lacks within the window: each kind of resource that is short by itself, or all of them together.
void add_shortages(const Timeline& timeline, const Shape& shape, std::size_t g, const Option& option, Window window,
                   std::vector<Blocker>& out) {
  const ShapeGroup& group = shape.groups[g];
  const Room room = room_for(timeline, shape, g, option, window);
  if (room.tasks >= group.count) return;
  const std::size_t before = out.size();
  const std::int64_t gpu = std::max<std::int64_t>(gpu_each(group).value(), 1);
  if (group.gpus.any() && room.by_gpu < group.count)
    out.push_back(shortage("gpu", gpu, group.count, room.by_gpu, room.most_gpu.value(), option.type));
  if (group.cpus > MilliCpu{} && room.by_cpu < group.count)
    out.push_back(shortage("cpu", group.cpus.value(), group.count, room.by_cpu, room.most_cpu.value(), option.type));
  if (group.memory > Mib{} && room.by_memory < group.count)
    out.push_back(
        shortage("memory", group.memory.value(), group.count, room.by_memory, room.most_memory.value(), option.type));
  if (out.size() == before) out.push_back(shortage("tasks", 1, group.count, room.tasks, 0, option.type));
}

// Nodes that would do but take no work now.
void add_unusable(const ClusterState& state, const Candidates& where, std::vector<Blocker>& out) {
  std::int64_t count = 0;
  Blocker b = blocker(HoldReason::no_usable_node);
  for (const Option& option : where.options) {
    for (const NodeId id : option.nodes) {
      const Node& node = state.nodes[static_cast<std::size_t>(id.value())];
      if (node.usable() || count++ > 0) continue;
      b.subject = node.name;
      b.detail = node.state == NodeState::down ? "down" : node.state == NodeState::unknown ? "not heard of" : "";
      for (const auto& [owner, reason] : node.drains)
        b.detail += (b.detail.empty() ? "" : "; ") + ("drained by " + owner + ": " + reason);
    }
  }
  if (count == 0) return;
  b.unit = "nodes";
  b.have = count;
  out.push_back(b);
}

// The longest limit with which it would start now, between promises; 0: none.
Duration longest_that_starts(const Timeline& timeline, const Shape& shape, const Candidates& where, const Plan& plan,
                             Time now) {
  Duration best{};
  for (const Reservation& r : plan.reservations) {
    const Duration length = r.at - now;
    if (length > best && place(timeline, shape, where, {now, r.at})) best = length;
  }
  return best;
}

std::string minutes_text(Duration d) {
  const std::int64_t s = d.ms() / 1000;
  if (s < 120) return std::to_string(s) + "s";
  return s < 7200 ? std::to_string(s / 60) + "m" : std::to_string(s / 3600) + "h" + std::to_string(s / 60 % 60) + "m";
}

class Explainer {
 public:
  Explainer(const ClusterState& state, const Plan& plan, const Job& job, Time now)
      : state_(state),
        plan_(plan),
        job_(job),
        now_(now),
        timeline_(state, now),
        limits_(state, now),
        shape_(shape_of(*job.spec)),
        where_(candidates(state, shape_)),
        total_(total_request(state, *job.spec)),
        limit_(effective_limit(state, job)) {
    out_.job = job.id;
  }

  Explanation run() {
    if (job_.state != JobState::pending) return out_;
    // The room as the pass saw it when it came to this job: with what was started and promised before.
    const bool placed = book_plan_before();
    out_.blockers = closed_gates(state_, job_, now_);
    for (Blocker& b : limits_.blockers(job_.queue, total_, window())) out_.blockers.push_back(std::move(b));
    add_room();
    put_deciding_first();
    if (!placed && out_.blockers.empty()) out_.blockers.push_back(blocker(HoldReason::not_reached));
    expectation();
    fixes();
    return out_;
  }

 private:
  Window window() const { return {now_, now_ + limit_}; }

  bool book_plan_before() {
    for (const Start& s : plan_.starts) {
      const auto it = state_.jobs.find(s.job);
      if (it == state_.jobs.end() || it->second.state != JobState::pending) continue;
      if (s.job == job_.id) return true;
      book(it->second, s.placement, now_);
    }
    for (const Reservation& r : plan_.reservations) {
      const auto it = state_.jobs.find(r.job);
      if (it == state_.jobs.end() || it->second.state != JobState::pending) continue;
      if (r.job == job_.id) {
        reservation_ = &r;
        return true;
      }
      book(it->second, r.placement, std::max(r.at, now_ + milliseconds(1)));
    }
    for (const Held& h : plan_.holds) {
      if (h.job != job_.id) continue;
      held_ = &h;
      return true;
    }
    return false;
  }

  void book(const Job& other, const Placement& placement, Time from) {
    const Duration length = effective_limit(state_, other);
    timeline_.book(other.id, other, placement, {from, from + length});
    limits_.book(other.queue, resources_of(placement), {from, from + length});
  }

  void add_room() {
    const bool nowhere =
        std::all_of(where_.options.begin(), where_.options.end(), [](const Option& o) { return o.nodes.empty(); });
    if (nowhere) {
      out_.blockers.push_back(blocker(HoldReason::no_such_node));
      return;
    }
    if (place(timeline_, shape_, where_, window())) return;
    add_unusable(state_, where_, out_.blockers);
    const Timeline bare(state_, now_);
    if (const auto fits = place(bare, shape_, where_, {now_, now_ + milliseconds(1)})) {
      const JobId ahead = timeline_.promised(*fits, window());
      out_.blockers.push_back(
          blocker(HoldReason::reserved_room, ahead == JobId{} ? "" : std::to_string(ahead.value())));
      shorter_ = longest_that_starts(timeline_, shape_, where_, plan_, now_);
      return;
    }
    std::vector<Blocker> least;
    for (const Option& option : where_.options) {
      std::vector<Blocker> here;
      for (std::size_t g = 0; g < shape_.groups.size(); ++g)
        add_shortages(bare, shape_, g, option, {now_, now_ + milliseconds(1)}, here);
      if (least.empty() || (!here.empty() && here.size() < least.size())) least = std::move(here);
    }
    if (least.empty()) least.push_back(blocker(HoldReason::capacity));  // the groups fit each, but not together
    out_.blockers.insert(out_.blockers.end(), least.begin(), least.end());
  }

  // What the plan gives as the reason stands first.
  void put_deciding_first() {
    HoldReason reason{};
    if (held_ != nullptr)
      reason = held_->reason;
    else if (reservation_ != nullptr)
      reason = reservation_->reason;
    else
      return;
    auto& list = out_.blockers;
    const auto it = std::find_if(list.begin(), list.end(), [&](const Blocker& b) { return b.reason == reason; });
    if (it != list.end()) {
      std::rotate(list.begin(), it, it + 1);
      return;
    }
    const JobId subject = held_ != nullptr ? held_->subject : reservation_->subject;
    if (reason == HoldReason::behind || reason == HoldReason::reserved_room || reason == HoldReason::array_throttle)
      list.insert(list.begin(), blocker(reason, subject == JobId{} ? "" : std::to_string(subject.value())));
  }

  void expectation() {
    if (reservation_ != nullptr) {
      out_.expected = std::max(reservation_->at, now_);
      out_.exact = true;
    } else if (held_ != nullptr) {
      out_.expected = held_->expected;
    }
  }

  void fixes() {
    for (const Blocker& b : out_.blockers) {
      if (b.reason == HoldReason::user_hold) out_.fixes.push_back("berth release " + std::to_string(job_.id.value()));
      if (b.reason == HoldReason::no_usable_node && b.detail.find("drained by admin") != std::string::npos)
        out_.fixes.push_back("berth undrain " + b.subject);
    }
    if (shorter_ > Duration{})
      out_.fixes.push_back("a time limit of " + minutes_text(shorter_) + " or less would start now");
    if (shape_.groups.size() != 1 || shape_.groups[0].count < 2) return;
    std::int64_t tasks = 0;
    for (const Option& option : where_.options)
      tasks = std::max(tasks, room_for(timeline_, shape_, 0, option, window()).tasks);
    if (tasks > 0 && tasks < shape_.groups[0].count && !out_.blockers.empty())
      out_.fixes.push_back(std::to_string(tasks) + " tasks instead of " + std::to_string(shape_.groups[0].count) +
                           " would fit now");
  }

  const ClusterState& state_;
  const Plan& plan_;
  const Job& job_;
  Time now_;
  Timeline timeline_;
  QueueLimits limits_;
  Shape shape_;
  Candidates where_;
  Resources total_;
  Duration limit_;
  const Reservation* reservation_ = nullptr;
  const Held* held_ = nullptr;
  Duration shorter_;
  Explanation out_;
};

}  // namespace

Explanation explain(const ClusterState& state, const Plan& plan, JobId id, Time now) {
  return Explainer(state, plan, state.jobs.at(id), now).run();
}

}  // namespace berth
