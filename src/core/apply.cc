// apply: the only code that changes ClusterState. One small function per event body; each takes what a row contributed
// to the indexes out, changes the row, and puts it in again.
#include <algorithm>

#include "base/check.h"
#include "core/decide.h"
#include "core/fairshare.h"
#include "core/indexes.h"

namespace berth {
namespace {

Job& job_of(ClusterState& state, JobId id) {
  const auto it = state.jobs.find(id);
  BERTH_CHECK(it != state.jobs.end(), "event about a job that is not there");
  return it->second;
}

Allocation& allocation_of(ClusterState& state, AttemptKey key) {
  const auto it = state.allocations.find(key.job);
  BERTH_CHECK(it != state.allocations.end() && it->second.key == key, "event about an attempt that is not live");
  return it->second;
}

Node& node_of(ClusterState& state, NodeId id) {
  BERTH_CHECK(id.value() >= 0 && static_cast<std::size_t>(id.value()) < state.nodes.size(),
              "event about an unknown node");
  return state.nodes[static_cast<std::size_t>(id.value())];
}

// Recorded use is brought up to date at the old rate before the rate changes.
void settle_usage(ClusterState& state, QueueId leaf, Time at) {
  for (QueueId q = leaf; q != kNoQueue;) {
    Queue& queue = state.queues[static_cast<std::size_t>(q.value())];
    const QueueUse& use = state.indexes.queue_use[static_cast<std::size_t>(q.value())];
    queue.usage = usage_at(queue.usage, use.weighted_milli_gpu, use.held.cpu.value(), state.policy.half_life, at);
    q = queue.parent;
  }
}

template <class F>
void change_job(ClusterState& state, JobId id, F&& change) {
  Job& job = job_of(state, id);
  remove_pending(state, job);
  remove_job(state, job);
  change(job);
  add_job(state, job);
  add_pending(state, job);
}

void on(ClusterState& state, Time at, const event::JobSubmitted& e) {
  const std::size_t count = e.spec->array ? e.spec->array->indexes.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    Job job;
    job.id = JobId(e.first.value() + static_cast<std::int64_t>(i));
    job.spec = e.spec;
    job.queue = e.queue;
    if (e.spec->array) job.array = ArrayRef{e.first, e.spec->array->indexes[i], e.spec->array->throttle};
    if (e.spec->hold) job.held_by = e.spec->user;
    job.submitted = at;
    job.eligible = std::max(at, e.spec->begin.value_or(at));
    BERTH_CHECK(job.id >= state.next_job, "a job id is used again");
    const Job& kept = state.jobs.emplace(job.id, std::move(job)).first->second;
    add_job(state, kept);
    add_pending(state, kept);
  }
  state.next_job = JobId(e.first.value() + static_cast<std::int64_t>(count));
}

void on(ClusterState& state, Time, const event::JobHeld& e) {
  change_job(state, e.job, [&](Job& job) { job.held_by = e.by; });
}

void on(ClusterState& state, Time, const event::JobReleased& e) {
  change_job(state, e.job, [](Job& job) {
    job.held_by.clear();
    job.launch_failures = 0;
  });
}

void on(ClusterState& state, Time at, const event::JobEnded& e) {
  BERTH_CHECK(is_ended(e.state), "JobEnded with a state that is not an end");
  BERTH_CHECK(!state.allocations.contains(e.job), "a job ended while its attempt holds resources");
  change_job(state, e.job, [&](Job& job) {
    BERTH_CHECK(!is_ended(job.state), "a job ended twice");
    job.state = e.state;
    job.ended = at;
    job.reason = e.reason;
  });
  note_ended(state, state.jobs.at(e.job));
}

void on(ClusterState& state, Time, const event::JobRequeued& e) {
  BERTH_CHECK(!state.allocations.contains(e.job), "a job was put back while its attempt holds resources");
  change_job(state, e.job, [&](Job& job) {
    BERTH_CHECK(is_active(job.state), "only an active job can be put back");
    job.state = JobState::pending;
    job.eligible = e.eligible;
    job.retries += e.spends_retry ? 1 : 0;
    job.launch_failures = e.launch_failure ? job.launch_failures + 1 : 0;
    job.reason = e.reason;
  });
}

void on(ClusterState& state, Time, const event::JobForgotten& e) {
  const auto it = state.jobs.find(e.job);
  BERTH_CHECK(it != state.jobs.end() && is_ended(it->second.state), "only an ended job can leave memory");
  remove_job(state, it->second);
  state.jobs.erase(it);
}

void on(ClusterState& state, Time at, const event::AttemptPlaced& e) {
  Job& job = job_of(state, e.key.job);
  BERTH_CHECK(job.state == JobState::pending, "an attempt of a job that is not pending");
  BERTH_CHECK(e.key.attempt == job.attempt + 1, "attempts are numbered without gaps");
  settle_usage(state, job.queue, at);
  change_job(state, job.id, [&](Job& j) {
    j.state = JobState::starting;
    j.attempt = e.key.attempt;
    j.started = Time{};
    j.exit = {};
    j.reason.clear();
  });
  Allocation a;
  a.key = e.key;
  a.placement = e.placement;
  a.placed = at;
  a.ends_by = at + e.limit;
  a.weighted_milli_gpu = e.weighted_milli_gpu;
  add_allocation(state, state.allocations.emplace(e.key.job, std::move(a)).first->second);
}

void on(ClusterState& state, Time at, const event::AttemptStarted& e) {
  Allocation& a = allocation_of(state, e.key);
  BERTH_CHECK(a.phase == AllocationPhase::starting, "an attempt started twice");
  remove_allocation(state, a);
  a.phase = AllocationPhase::running;
  a.started = at;
  a.ends_by = a.ends_by == kForever ? kForever : at + (a.ends_by - a.placed);
  add_allocation(state, a);
  change_job(state, e.key.job, [&](Job& job) {
    job.state = JobState::running;
    job.started = at;
    job.launch_failures = 0;
  });
}

void on(ClusterState& state, Time, const event::AttemptStopping& e) {
  Allocation& a = allocation_of(state, e.key);
  remove_allocation(state, a);
  a.phase = AllocationPhase::stopping;
  a.cause = e.cause;
  a.stop_deadline = e.deadline;
  add_allocation(state, a);
  change_job(state, e.key.job, [&](Job& job) {
    job.state = JobState::stopping;
    job.reason = e.by;
  });
}

void on(ClusterState& state, Time at, const event::AttemptEnded& e) {
  const Allocation& a = allocation_of(state, e.key);
  Job& job = job_of(state, e.key.job);
  settle_usage(state, job.queue, at);
  remove_allocation(state, a);
  state.allocations.erase(e.key.job);
  job.exit = e.exit;
}

void on(ClusterState& state, Time, const event::NodeSeen& e) {
  const auto n = static_cast<std::size_t>(e.node.value());
  BERTH_CHECK(n <= state.nodes.size(), "node ids are dense");
  if (n == state.nodes.size()) state.nodes.emplace_back();
  Node& node = state.nodes[n];
  node.id = e.node;
  node.name = e.report.name;
  node.state = e.report.state;
  node.cpus = e.report.cpus;
  node.memory = e.report.memory;
  node.features = e.report.features;
  node.gpus = e.report.gpus;
  if (!is_known_kind(state, node)) return rebuild_indexes(state);
  note_node_kind(state, e.node);
  refresh_node(state, e.node);
}

void on(ClusterState& state, Time, const event::NodeDrained& e) {
  node_of(state, e.node).drains[e.owner] = e.reason;
  refresh_node(state, e.node);
}

void on(ClusterState& state, Time, const event::NodeUndrained& e) {
  node_of(state, e.node).drains.erase(e.owner);
  state.launch_failures.erase(e.node);
  refresh_node(state, e.node);
}

void on(ClusterState& state, Time, const event::NodeLaunchFailed& e) { state.launch_failures[e.node].insert(e.job); }
void on(ClusterState& state, Time, const event::NodeLaunchWorked& e) { state.launch_failures.erase(e.node); }

void on(ClusterState& state, Time at, const event::QueueSet& e) {
  const auto q = static_cast<std::size_t>(e.queue.value());
  BERTH_CHECK(q <= state.queues.size(), "queue ids are dense");
  if (q == state.queues.size()) {
    state.queues.emplace_back().usage.as_of = at;
    state.indexes.queue_use.emplace_back();
  }
  for (const Queue& queue : state.queues)
    if (queue.id != kNoQueue) settle_usage(state, queue.id, at);
  Queue& queue = state.queues[q];
  queue.id = e.queue;
  queue.spec = e.spec;
  queue.off = e.off;
  relink_queues(state);
}

void on(ClusterState& state, Time, const event::QueueRemoved& e) {
  Queue& queue = state.queues[static_cast<std::size_t>(e.queue.value())];
  queue.spec = QueueSpec{};
  queue.off = "removed";
  relink_queues(state);
}

void on(ClusterState& state, Time at, const event::PolicySet& e) {
  for (const Queue& queue : state.queues) settle_usage(state, queue.id, at);
  state.policy = e.policy;
  relink_queues(state);
}

}  // namespace

void apply(ClusterState& state, const Event& event) {
  std::visit([&](const auto& body) { on(state, event.at, body); }, event.body);
  ++state.sequence;
  state.now = std::max(state.now, event.at);
}

}  // namespace berth
