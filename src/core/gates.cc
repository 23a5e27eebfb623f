#include "core/gates.h"

#include <algorithm>
#include <string>

namespace berth {
namespace {

std::vector<const Job*> named_jobs(const ClusterState& state, JobId named) {
  std::vector<const Job*> jobs;
  const auto add = [&](JobId id) {
    const auto it = state.jobs.find(id);
    if (it != state.jobs.end()) jobs.push_back(&it->second);
  };
  const auto array = state.indexes.arrays.find(named);
  if (array == state.indexes.arrays.end())
    add(named);
  else
    for (const JobId id : array->second) add(id);
  return jobs;
}

DependencyStatus after(const Job& job, Duration delay, Time now) {
  const bool begun = job.attempt > 0 && job.started > Time{};
  if (begun) return job.started + delay <= now ? DependencyStatus::met : DependencyStatus::waits;
  return is_ended(job.state) ? DependencyStatus::met : DependencyStatus::waits;
}

DependencyStatus status_of(const Job& job, const Dependency& d, Time now) {
  if (d.kind == DependencyKind::after) return after(job, d.delay, now);
  if (!is_ended(job.state)) return DependencyStatus::waits;
  const bool good = job.state == JobState::completed;
  if (d.kind == DependencyKind::afterok) return good ? DependencyStatus::met : DependencyStatus::never;
  if (d.kind == DependencyKind::afternotok) return good ? DependencyStatus::never : DependencyStatus::met;
  return DependencyStatus::met;
}

// When the named jobs will have run out, as far as their limits say; 0 if that is not known.
Time known_release(const ClusterState& state, const Dependency& d, Time now) {
  Time latest{};
  for (const Job* job : named_jobs(state, d.job)) {
    // So long after the start counts also if the job has ended by then.
    if (d.kind == DependencyKind::after && job->started > Time{}) {
      latest = std::max(latest, job->started + d.delay);
      continue;
    }
    if (is_ended(job->state)) continue;
    const auto it = state.allocations.find(job->id);
    if (it == state.allocations.end() || it->second.ends_by == kForever) return Time{};
    latest = std::max({latest, it->second.ends_by, now});
  }
  return latest;
}

void add_time_gate(const Job& job, Time now, std::vector<Blocker>& out) {
  if (job.eligible <= now) return;
  Blocker b;
  b.reason = job.attempt > 0 ? HoldReason::backoff : HoldReason::begin_time;
  b.subject = job.attempt > 0 ? job.reason : "";
  b.until = job.eligible;
  out.push_back(b);
}

void add_dependency_gates(const ClusterState& state, const Job& job, Time now, std::vector<Blocker>& out) {
  for (const Dependency& d : job.spec->depends) {
    const DependencyStatus status = dependency_status(state, d, now);
    if (status == DependencyStatus::met) continue;
    Blocker b;
    b.reason = status == DependencyStatus::never ? HoldReason::dependency_never : HoldReason::dependency;
    b.subject = dependency_name(d);
    if (status == DependencyStatus::waits) b.until = known_release(state, d, now);
    out.push_back(b);
  }
}

// As in Slurm: it runs after all jobs of the same name and user that were submitted before it.
void add_singleton_gate(const ClusterState& state, const Job& job, std::vector<Blocker>& out) {
  if (!job.spec->singleton) return;
  const auto it = state.indexes.namesakes.find({job.spec->user, job.spec->name});
  if (it == state.indexes.namesakes.end()) return;
  for (const JobId other : it->second) {
    const bool active = is_active(state.jobs.at(other).state);
    if (other == job.id || (other > job.id && !active)) continue;
    Blocker b;
    b.reason = HoldReason::singleton;
    b.subject = std::to_string(other.value());
    out.push_back(b);
    return;
  }
}

void add_throttle_gate(const ClusterState& state, const Job& job, std::vector<Blocker>& out) {
  if (!job.array || job.array->throttle <= 0) return;
  const auto it = state.indexes.array_active.find(job.array->first);
  const auto active = it == state.indexes.array_active.end() ? 0 : static_cast<std::int64_t>(it->second.size());
  if (active < job.array->throttle) return;
  Blocker b;
  b.reason = HoldReason::array_throttle;
  b.subject = std::to_string(job.array->first.value());
  b.unit = "jobs";
  b.want = job.array->throttle;
  b.have = active;
  out.push_back(b);
}

}  // namespace

std::string dependency_name(const Dependency& d) {
  static constexpr const char* kNames[] = {"after", "afterok", "afternotok", "afterany"};
  return std::string(kNames[static_cast<int>(d.kind)]) + ":" + std::to_string(d.job.value());
}

DependencyStatus dependency_status(const ClusterState& state, const Dependency& d, Time now) {
  DependencyStatus worst = DependencyStatus::met;
  for (const Job* job : named_jobs(state, d.job)) worst = std::max(worst, status_of(*job, d, now));
  return worst;
}

QueueId queue_off(const ClusterState& state, QueueId leaf) {
  for (QueueId q = leaf; q != kNoQueue; q = state.queues[static_cast<std::size_t>(q.value())].parent)
    if (!state.queues[static_cast<std::size_t>(q.value())].off.empty()) return q;
  return kNoQueue;
}

std::vector<Blocker> closed_gates(const ClusterState& state, const Job& job, Time now) {
  std::vector<Blocker> out;
  if (!job.held_by.empty()) {
    Blocker b;
    b.reason = HoldReason::user_hold;
    b.subject = job.held_by;
    b.detail = job.reason;
    out.push_back(b);
  }
  if (const QueueId off = queue_off(state, job.queue); off != kNoQueue) {
    Blocker b;
    b.reason = HoldReason::queue_off;
    b.subject = state.queues[static_cast<std::size_t>(off.value())].spec.name;
    b.detail = state.queues[static_cast<std::size_t>(off.value())].off;
    out.push_back(b);
  }
  add_time_gate(job, now, out);
  add_dependency_gates(state, job, now, out);
  add_singleton_gate(state, job, out);
  add_throttle_gate(state, job, out);
  return out;
}

}  // namespace berth
