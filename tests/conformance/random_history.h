// A random but possible history of a small cluster: events that apply() takes, in any mix, with every kind among them.
// Same seed, same history.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/prng.h"
#include "core/decide.h"

namespace berth {

class RandomHistory {
 public:
  explicit RandomHistory(std::uint64_t seed) : prng_(seed) {
    begin();
    submit();
  }

  const ClusterState& state() const { return state_; }
  // All jobs that ever were, as they are now or were when they left memory.
  std::map<JobId, Job> all_jobs() const {
    std::map<JobId, Job> all = forgotten_;
    all.insert(state_.jobs.begin(), state_.jobs.end());
    return all;
  }

  // The events since the last call, at least `count` more of them, already applied to state().
  Events take(std::size_t count) {
    while (batch_.size() < count) step();
    return std::exchange(batch_, {});
  }

 private:
  void emit(event::Body body) {
    if (const auto* gone = std::get_if<event::JobForgotten>(&body)) forgotten_.insert(*state_.jobs.find(gone->job));
    batch_.push_back({now_, std::move(body)});
    apply(state_, batch_.back());
  }

  void begin() {
    now_ = Time(1'700'000'000'000);
    for (std::int32_t q = 0; q < 4; ++q) set_queue(QueueId(q));
    for (std::int32_t n = 0; n < 3; ++n) see_node(NodeId(n));
  }

  void step() {
    now_ = now_ + milliseconds(prng_.below(5'000));
    switch (prng_.below(16)) {
      case 0:
      case 1:
      case 2:
        return submit();
      case 3:
      case 4:
      case 5:
        return place();
      case 6:
      case 7:
        return start_attempt();
      case 8:
        return stop_attempt();
      case 9:
      case 10:
        return end_attempt();
      case 11:
        return end_pending();
      case 12:
        return forget();
      case 13:
        return hold_or_release();
      case 14:
        return touch_node();
      default:
        return touch_settings();
    }
  }

  std::string word() {
    static const std::vector<std::string> words{"train", "eval", "a\"b\\c", "naïve", "日本", "x y", ""};
    return words[static_cast<std::size_t>(prng_.below(words.size()))];
  }

  void submit() {
    auto spec = std::make_shared<JobSpec>();
    spec->name = word();
    spec->user = prng_.chance(1, 2) ? "ann" : "bob";
    spec->command = {"true", word()};
    spec->priority = static_cast<std::int32_t>(prng_.below(5));
    spec->hold = prng_.chance(1, 5);
    spec->singleton = prng_.chance(1, 10);
    if (prng_.chance(1, 3)) spec->time_limit = minutes(1 + prng_.below(100));
    if (prng_.chance(1, 4)) spec->begin = now_ + minutes(prng_.below(20));
    spec->groups[0].gpus.count = static_cast<std::int32_t>(prng_.below(3));
    if (spec->groups[0].gpus.count == 0 && prng_.chance(1, 2)) spec->groups[0].gpus.milli = MilliGpu(400);
    if (prng_.chance(1, 4)) {
      spec->array.emplace();
      for (std::int32_t i = 0; i < 1 + prng_.below(4); ++i) spec->array->indexes.push_back(i * 2);
      spec->array->throttle = static_cast<std::int32_t>(prng_.below(3));
    }
    const JobId named(1 + prng_.below(state_.next_job.value()));
    const bool depends = prng_.chance(1, 5) && state_.jobs.contains(named);
    if (depends) spec->depends.push_back({DependencyKind::afterany, named, {}});
    emit(event::JobSubmitted{state_.next_job, QueueId(2 + static_cast<std::int32_t>(prng_.below(2))), spec});
  }

  template <class Good>
  const Job* pick(Good good) {
    std::vector<const Job*> found;
    for (const auto& [id, job] : state_.jobs) {
      if (good(job)) found.push_back(&job);
    }
    return found.empty() ? nullptr : found[static_cast<std::size_t>(prng_.below(found.size()))];
  }
  const Allocation* pick_allocation(AllocationPhase phase) {
    const Job* job = pick([&](const Job& j) {
      const auto a = state_.allocations.find(j.id);
      return a != state_.allocations.end() && a->second.phase == phase;
    });
    return job ? &state_.allocations.at(job->id) : nullptr;
  }

  // What is asked of one node, if it is free there.
  bool fits(const Node& node, const TaskGroup& group, TaskPlacement& task) const {
    const NodeUse& use = state_.indexes.node_use[static_cast<std::size_t>(node.id.value())];
    if (use.cpus + group.cpus > node.cpus) return false;
    task = {0, 0, node.id, group.cpus, group.memory, {}};
    const MilliGpu each = group.gpus.count > 0 ? kWholeGpu : group.gpus.milli;
    std::int32_t left = group.gpus.count > 0 ? group.gpus.count : (group.gpus.is_share() ? 1 : 0);
    for (std::size_t g = 0; g < node.gpus.size() && left > 0; ++g) {
      if (use.gpus[g].milli + each > kWholeGpu) continue;
      const Mib memory(node.gpus[g].memory.value() * each.value() / 1000);
      task.gpus.push_back({static_cast<std::int32_t>(g), each, memory});
      --left;
    }
    return left == 0;
  }

  void place() {
    const Job* job = pick([](const Job& j) { return j.state == JobState::pending; });
    if (!job) return;
    const Node& node = state_.nodes[static_cast<std::size_t>(prng_.below(state_.nodes.size()))];
    TaskPlacement task;
    if (!fits(node, job->spec->groups[0], task)) return;
    const Duration limit = job->spec->time_limit.value_or(kUnlimited);
    const std::int64_t rate = 1000 * static_cast<std::int64_t>(task.gpus.size());
    emit(event::AttemptPlaced{{job->id, job->attempt + 1}, {task}, limit, rate, prng_.chance(1, 3)});
  }

  void start_attempt() {
    const Allocation* a = pick_allocation(AllocationPhase::starting);
    if (!a) return;
    const NodeId node = a->placement[0].node;
    emit(event::AttemptStarted{a->key});
    if (prng_.chance(1, 3)) emit(event::NodeLaunchWorked{node});
  }

  void stop_attempt() {
    const Allocation* a = pick_allocation(AllocationPhase::running);
    if (a) emit(event::AttemptStopping{a->key, StopCause::user, now_ + seconds(30), "ann"});
  }

  void end_attempt() {
    const auto phase = static_cast<AllocationPhase>(prng_.below(3));
    const Allocation* a = pick_allocation(phase);
    if (!a) return;
    const AttemptKey key = a->key;
    const NodeId node = a->placement[0].node;
    if (phase == AllocationPhase::starting) {
      emit(event::AttemptEnded{key, Outcome::launch_failed, {}, "no shim", 0, {}});
      emit(event::NodeLaunchFailed{node, key.job});
      return emit(event::JobRequeued{key.job, now_ + seconds(5), false, true, "the launch failed"});
    }
    const auto code = static_cast<std::int32_t>(prng_.below(3));
    emit(event::AttemptEnded{key, code ? Outcome::failed : Outcome::succeeded, {code, 0}, word(), 5, Mib(7)});
    if (code == 2) return emit(event::JobRequeued{key.job, now_ + seconds(10), true, false, "exit code 2"});
    emit(event::JobEnded{key.job, code ? JobState::failed : JobState::completed, word()});
    maybe_forget_at_once(key.job);
  }

  void end_pending() {
    const Job* job = pick([](const Job& j) { return j.state == JobState::pending; });
    if (!job) return;
    const JobId id = job->id;
    emit(event::JobEnded{id, JobState::cancelled, "cancelled by ann"});
    maybe_forget_at_once(id);
  }

  bool may_be_forgotten(const Job& job) const {
    const auto& waited_for = state_.indexes.dependents;
    return is_ended(job.state) && !waited_for.contains(job.id) && !(job.array && waited_for.contains(job.array->first));
  }
  void maybe_forget_at_once(JobId id) {
    if (prng_.chance(1, 6) && may_be_forgotten(state_.jobs.at(id))) emit(event::JobForgotten{id});
  }
  void forget() {
    const Job* job = pick([&](const Job& j) { return may_be_forgotten(j); });
    if (job) emit(event::JobForgotten{job->id});
  }

  void hold_or_release() {
    const Job* job = pick([](const Job& j) { return j.state == JobState::pending; });
    if (!job) return;
    if (job->held_by.empty())
      emit(event::JobHeld{job->id, word() + "x"});
    else
      emit(event::JobReleased{job->id});
  }

  void touch_node() {
    const NodeId node(static_cast<std::int32_t>(prng_.below(state_.nodes.size() + (state_.nodes.size() < 6 ? 1 : 0))));
    const bool known = static_cast<std::size_t>(node.value()) < state_.nodes.size();
    if (!known || prng_.chance(1, 2)) return see_node(node);
    if (prng_.chance(1, 2))
      emit(event::NodeDrained{node, "admin", word()});
    else
      emit(event::NodeUndrained{node, "admin"});
  }

  void see_node(NodeId id) {
    NodeReport report{"n" + std::to_string(id.value()), NodeState::up, MilliCpu(16'000), Mib(64'000), {"ib"}, {}};
    if (prng_.chance(1, 6)) report.state = NodeState::unknown;
    for (int g = 0; g < 4; ++g) {
      const std::string uuid = report.name + "-g" + std::to_string(g);
      Gpu gpu{uuid, g < 2 ? "H100-80GB" : "A100-40GB", Mib(40'000), {}, {}, "", g == 3};
      if (prng_.chance(1, 5)) gpu.health = GpuHealth::suspect, gpu.detail = word();
      report.gpus.push_back(gpu);
    }
    emit(event::NodeSeen{id, report});
  }

  // Queues 0 and 1 are roots, all others hang below one of them and take the jobs.
  void set_queue(QueueId id) {
    QueueSpec spec;
    spec.name = "q" + std::to_string(id.value());
    if (id.value() >= 2) spec.parent = prng_.chance(1, 2) ? "q0" : "q1";
    spec.weight = 1 + static_cast<std::int32_t>(prng_.below(3));
    if (prng_.chance(1, 2)) spec.quota = MilliGpu(1000 * prng_.below(5));
    if (prng_.chance(1, 3)) spec.default_time_limit = minutes(1 + prng_.below(60));
    spec.is_default = id.value() == 2;
    emit(event::QueueSet{id, spec, prng_.chance(1, 8) ? "parent is off" : ""});
  }

  void touch_settings() {
    if (prng_.chance(1, 3)) {
      Policy policy = state_.policy;
      policy.half_life = hours(1 + prng_.below(48));
      policy.type_weights_milli[word() + "t"] = static_cast<std::int32_t>(prng_.below(3000));
      return emit(event::PolicySet{policy});
    }
    const auto last = static_cast<std::int32_t>(state_.queues.size());
    if (prng_.chance(1, 3) && last > 4 && !state_.queues[static_cast<std::size_t>(last - 1)].spec.name.empty()) {
      return emit(event::QueueRemoved{QueueId(last - 1)});  // no job was ever submitted to it
    }
    set_queue(QueueId(static_cast<std::int32_t>(prng_.below(last < 8 ? last + 1 : 4))));
  }

  Prng prng_;
  ClusterState state_;
  Events batch_;
  Time now_;
  std::map<JobId, Job> forgotten_;
};

}  // namespace berth
