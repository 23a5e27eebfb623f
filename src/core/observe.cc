// What an engine saw, as facts. A message about an attempt that is not the live one is dropped (rule 10).
#include <algorithm>
#include <set>

#include "core/decide.h"

namespace berth {
namespace {

constexpr std::int32_t kGoOnLater = 85;  // exit status "checkpointed, go on later" (design, section 6)
constexpr Duration kAfterLoss = seconds(5);
constexpr const char* kBlame = "berth";  // owner of drains after failed launches

const Allocation* live(const ClusterState& state, AttemptKey key) {
  const auto it = state.allocations.find(key.job);
  return it != state.allocations.end() && it->second.key == key ? &it->second : nullptr;
}

Duration doubled(Duration base, std::int32_t times, Duration most) {
  std::int64_t ms = base.ms();
  for (std::int32_t i = 0; i < times && ms < most.ms(); ++i) ms *= 2;
  return Duration(std::min(ms, most.ms()));
}

std::string exit_text(const ExitStatus& exit) {
  if (exit.signal != 0) return "ended by signal " + std::to_string(exit.signal);
  return "exit code " + std::to_string(exit.code);
}

Event requeued(const Job& job, Time now, Duration delay, bool retry, bool launch, std::string why) {
  return {now, event::JobRequeued{job.id, now + delay, retry, launch, std::move(why)}};
}

Event ended(const Job& job, Time now, JobState state, std::string why) {
  return {now, event::JobEnded{job.id, state, std::move(why)}};
}

bool may_go_on(const Job& job) { return job.spec->interrupt.mode != Interruptible::no; }

RetryAction rule_for(const RetryPolicy& retry, std::int32_t code) {
  for (const RetryRule& rule : retry.rules)
    if (code >= rule.first_exit && code <= rule.last_exit) return rule.action;
  return RetryAction::retry;
}

// The job's own failure: the only kind that spends its retries.
void after_failure(const Job& job, const observation::AttemptEnded& seen, Time now, Events& out) {
  const RetryPolicy& retry = job.spec->retry;
  std::string why = seen.message.empty() ? exit_text(seen.exit) : seen.message;
  if (job.retries < retry.attempts && rule_for(retry, seen.exit.code) == RetryAction::retry) {
    out.push_back(requeued(job, now, doubled(retry.backoff, job.retries, retry.backoff_max), true, false, why));
    return;
  }
  out.push_back(ended(job, now, JobState::failed, std::move(why)));
}

void blame_node(const ClusterState& state, const Job& job, const std::string& name, Time now, Events& out) {
  for (const Node& node : state.nodes) {
    if (node.name != name) continue;
    out.push_back({now, event::NodeLaunchFailed{node.id, job.id}});
    const auto it = state.launch_failures.find(node.id);
    std::set<JobId> jobs = it == state.launch_failures.end() ? std::set<JobId>{} : it->second;
    jobs.insert(job.id);
    if (static_cast<std::int32_t>(jobs.size()) < state.policy.node_failures_drain || node.drains.contains(kBlame))
      return;
    out.push_back(
        {now, event::NodeDrained{node.id, kBlame,
                                 "launches of " + std::to_string(jobs.size()) + " different jobs failed in a row"}});
    return;
  }
}

void after_launch_failure(const ClusterState& state, const Job& job, const observation::AttemptEnded& seen, Time now,
                          Events& out) {
  blame_node(state, job, seen.node, now, out);
  const Policy& policy = state.policy;
  const std::string why = "launch failed" + (seen.node.empty() ? "" : " on " + seen.node) + ": " + seen.message;
  out.push_back(requeued(job, now, doubled(policy.launch_backoff, job.launch_failures, minutes(30)), false, true, why));
  if (job.launch_failures + 1 >= policy.launch_failures_hold) out.push_back({now, event::JobHeld{job.id, kBlame}});
}

void after_loss(const Job& job, const observation::AttemptEnded& seen, Time now, Events& out) {
  const std::string why = "lost" + (seen.node.empty() ? "" : " on " + seen.node) + ": " + seen.message;
  if (job.spec->retry.requeue_on_node_failure)
    out.push_back(requeued(job, now, kAfterLoss, false, false, why));
  else
    out.push_back(ended(job, now, JobState::failed, why));
}

// berth wanted it to end. Work that was finished inside its grace time has succeeded, unless its user cancelled it.
void after_stop(const Job& job, const Allocation& a, const observation::AttemptEnded& seen, Time now, Events& out) {
  const bool done = seen.outcome == Outcome::succeeded;
  const bool go_on = seen.exit.code == kGoOnLater && may_go_on(job);
  switch (a.cause) {
    case StopCause::none:
    case StopCause::user:
      out.push_back(ended(job, now, JobState::cancelled, job.reason));
      return;
    case StopCause::limit:
      if (done)
        out.push_back(ended(job, now, JobState::completed, "ended inside its grace time"));
      else if (go_on)
        out.push_back(requeued(job, now, Duration{}, false, false, "time limit reached; it goes on later"));
      else
        out.push_back(ended(job, now, JobState::timeout, "time limit reached"));
      return;
    case StopCause::preempt:
    case StopCause::reclaim:
    case StopCause::drain:
    case StopCause::requeue:
      if (done)
        out.push_back(ended(job, now, JobState::completed, "ended inside its grace time"));
      else
        out.push_back(requeued(job, now, Duration{}, false, false, job.reason));
      return;
  }
}

void after_own_end(const ClusterState& state, const Job& job, const observation::AttemptEnded& seen, Time now,
                   Events& out) {
  switch (seen.outcome) {
    case Outcome::succeeded:
      out.push_back(ended(job, now, JobState::completed, ""));
      return;
    case Outcome::failed:
    case Outcome::stopped:
      if (seen.exit.code == kGoOnLater && may_go_on(job))
        out.push_back(requeued(job, now, Duration{}, false, false, "checkpointed; it goes on later"));
      else
        after_failure(job, seen, now, out);
      return;
    case Outcome::launch_failed:
      after_launch_failure(state, job, seen, now, out);
      return;
    case Outcome::rejected:
      out.push_back(ended(job, now, JobState::failed, seen.message));
      return;
    case Outcome::lost:
      after_loss(job, seen, now, out);
      return;
  }
}

void end_attempt(const ClusterState& state, const Allocation& a, const observation::AttemptEnded& seen, Time now,
                 Events& out) {
  const Job& job = state.jobs.at(a.key.job);
  const bool stopping = a.phase == AllocationPhase::stopping;
  const Outcome outcome = stopping && seen.outcome == Outcome::failed ? Outcome::stopped : seen.outcome;
  out.push_back({now, event::AttemptEnded{a.key, outcome, seen.exit, seen.message, seen.cpu_ms, seen.peak_memory}});
  if (stopping)
    after_stop(job, a, seen, now, out);
  else
    after_own_end(state, job, seen, now, out);
}

void on(const ClusterState& state, const observation::AttemptStarted& seen, Time now, Events& out) {
  const Allocation* a = live(state, seen.key);
  if (a == nullptr || a->phase != AllocationPhase::starting) return;
  out.push_back({now, event::AttemptStarted{seen.key}});
  std::set<NodeId> nodes;
  for (const TaskPlacement& task : a->placement)
    if (state.launch_failures.contains(task.node) && nodes.insert(task.node).second)
      out.push_back({now, event::NodeLaunchWorked{task.node}});
}

void on(const ClusterState& state, const observation::AttemptEnded& seen, Time now, Events& out) {
  if (const Allocation* a = live(state, seen.key)) end_attempt(state, *a, seen, now, out);
}

void on(const ClusterState& state, const observation::AttemptsReported& seen, Time now, Events& out) {
  const std::set<AttemptKey> known(seen.live.begin(), seen.live.end());
  for (const auto& [id, a] : state.allocations) {
    // One that is starting may still be on its way to the engine.
    if (a.phase == AllocationPhase::starting || known.contains(a.key)) continue;
    observation::AttemptEnded lost;
    lost.key = a.key;
    lost.outcome = Outcome::lost;
    lost.exit.code = 1;
    lost.message = "the engine no longer knows this attempt";
    end_attempt(state, a, lost, now, out);
  }
}

// GPUs that are not in the report any more stay, as lost, so that indexes never move; new ones come at the end.
NodeReport merged(const Node& node, NodeReport report) {
  std::vector<Gpu> gpus = node.gpus;
  for (Gpu& old : gpus) {
    const auto it =
        std::find_if(report.gpus.begin(), report.gpus.end(), [&](const Gpu& g) { return g.uuid == old.uuid; });
    if (it != report.gpus.end()) {
      old = *it;
      report.gpus.erase(it);
    } else if (old.health != GpuHealth::lost) {
      old.health = GpuHealth::lost;
      old.detail = "no longer reported";
    }
  }
  gpus.insert(gpus.end(), report.gpus.begin(), report.gpus.end());
  if (gpus.size() > kMaxGpusPerNode) gpus.resize(kMaxGpusPerNode);
  report.gpus = std::move(gpus);
  return report;
}

bool same(const Node& node, const NodeReport& r) {
  return node.name == r.name && node.state == r.state && node.cpus == r.cpus && node.memory == r.memory &&
         node.features == r.features && node.gpus == r.gpus;
}

// Attempts on a node that is known to be dead are lost; those that hold a dead GPU are put back.
void after_node_change(const ClusterState& state, NodeId id, const NodeReport& report, std::set<JobId>& gone, Time now,
                       Events& out) {
  for (const auto& [job_id, a] : state.allocations) {
    for (const TaskPlacement& task : a.placement) {
      if (task.node != id || gone.contains(job_id)) continue;
      if (report.state == NodeState::down) {
        gone.insert(job_id);
        observation::AttemptEnded lost;
        lost.key = a.key;
        lost.outcome = Outcome::lost;
        lost.exit.code = 1;
        lost.node = report.name;
        lost.message = "the node is down";
        end_attempt(state, a, lost, now, out);
        continue;
      }
      for (const GpuSlice& slice : task.gpus) {
        const Gpu& gpu = report.gpus[static_cast<std::size_t>(slice.gpu)];
        if (gpu.health != GpuHealth::lost || a.phase != AllocationPhase::running || gone.contains(job_id)) continue;
        gone.insert(job_id);
        const Job& job = state.jobs.at(job_id);
        out.push_back({now, event::AttemptStopping{a.key, StopCause::drain, now + job.spec->interrupt.grace,
                                                   "GPU " + gpu.uuid + " on " + report.name + " was lost"}});
      }
    }
  }
}

void on(const ClusterState& state, const observation::NodesReported& seen, Time now, Events& out) {
  std::size_t count = state.nodes.size();
  std::set<JobId> gone;
  std::set<std::string> names;
  for (const NodeReport& report : seen.nodes) {
    if (!names.insert(report.name).second) continue;
    const auto it =
        std::find_if(state.nodes.begin(), state.nodes.end(), [&](const Node& n) { return n.name == report.name; });
    if (it == state.nodes.end()) {
      NodeReport cut = report;
      if (cut.gpus.size() > kMaxGpusPerNode) cut.gpus.resize(kMaxGpusPerNode);
      out.push_back({now, event::NodeSeen{NodeId(static_cast<std::int32_t>(count++)), std::move(cut)}});
      continue;
    }
    NodeReport whole = merged(*it, report);
    if (same(*it, whole)) continue;
    after_node_change(state, it->id, whole, gone, now, out);
    out.push_back({now, event::NodeSeen{it->id, std::move(whole)}});
  }
}

}  // namespace

Events observe(const ClusterState& state, const Observation& seen, Time now) {
  Events out;
  std::visit([&](const auto& body) { on(state, body, now, out); }, seen.body);
  return out;
}

}  // namespace berth
