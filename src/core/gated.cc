#include "core/gated.h"

#include <algorithm>

#include "core/gates.h"
#include "core/indexes.h"

namespace berth {

bool Gated::holds(const Waiting& waiting) {
  const Job& job = pass_.state.jobs.at(waiting.id);
  const std::vector<Blocker> gates = closed_gates(pass_.state, job, pass_.now);
  if (gates.empty() && !throttled(job)) return false;
  Kept kept{waiting, pass_.now};
  if (!job.held_by.empty() || (!gates.empty() && gates.front().reason == HoldReason::queue_off)) {
    kept.job.reason = gates.front().reason;
    pass_.hold(kept.job, kForever);  // no plan says when a person lifts it
    return true;
  }
  kept.job.reason = gates.empty() ? HoldReason::array_throttle : gates.front().reason;
  if (kept.job.reason == HoldReason::array_throttle) kept.job.subject = job.array->first;
  for (const Blocker& gate : gates) {
    kept.until = gate.until == Time{} || kept.until == Time{} ? Time{} : std::max(kept.until, gate.until);
    // Gates that time opens are looked at again when it has come; a dependency's time may be one (after:12+5).
    if (gate.until > pass_.now) pass_.plan.next_wake = std::min(pass_.plan.next_wake, gate.until);
  }
  if (gates.empty()) kept.until = Time{};
  kept_.push_back(kept);
  return true;
}

bool Gated::throttled(const Job& job) const {
  if (!job.array || job.array->throttle <= 0) return false;
  const auto active = pass_.state.indexes.array_active.find(job.array->first);
  const auto taken = taken_.find(job.array->first);
  const std::size_t count = (active == pass_.state.indexes.array_active.end() ? 0 : active->second.size()) +
                            (taken == taken_.end() ? 0 : static_cast<std::size_t>(taken->second));
  return count >= static_cast<std::size_t>(job.array->throttle);
}

void Gated::taken(const Waiting& waiting) {
  const Job& job = pass_.state.jobs.at(waiting.id);
  if (job.array && job.array->throttle > 0) ++taken_[job.array->first];
}

void Gated::settle() {
  if (kept_.empty()) return;
  list_plans();
  std::stable_sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.job.id < b.job.id; });
  for (const Kept& kept : kept_) {
    const Time expected = expected_start(kept);
    settled_[kept.job.id] = expected;
    pass_.hold(kept.job, expected);
  }
}

void Gated::list_plans() {
  const Plan& plan = pass_.plan;
  plans_.reserve(plan.starts.size() + plan.reservations.size() + plan.holds.size());
  for (const Start& s : plan.starts) plans_.emplace_back(s.job, pass_.now);
  for (const Reservation& r : plan.reservations) plans_.emplace_back(r.job, r.at);
  for (const Held& h : plan.holds) plans_.emplace_back(h.job, h.expected);
  std::sort(plans_.begin(), plans_.end());
}

// Null: the plan says nothing of it (yet).
const Time* Gated::planned_start(JobId id) const {
  if (const auto it = settled_.find(id); it != settled_.end()) return &it->second;
  const auto it = std::lower_bound(plans_.begin(), plans_.end(), std::pair{id, Time{}});
  return it != plans_.end() && it->first == id ? &it->second : nullptr;
}

// When the job will be over: by its allocation, or by its planned start and its limit.
Time Gated::expected_end(JobId id) const {
  const auto running = pass_.state.allocations.find(id);
  const Job& job = pass_.state.jobs.at(id);
  if (running != pass_.state.allocations.end())
    return std::max(known_end(running->second, effective_limit(pass_.state, job)), pass_.now);
  const Time* planned = planned_start(id);
  if (planned == nullptr) return is_ended(job.state) ? pass_.now : kForever;
  return *planned + effective_limit(pass_.state, job);
}

Time Gated::expected_start(const Kept& kept) {
  const Job& job = pass_.state.jobs.at(kept.job.id);
  Time at = std::max(job.eligible, pass_.now);
  for (const Dependency& d : job.spec->depends) {
    const auto array = pass_.state.indexes.arrays.find(d.job);
    const auto wait_for = [&](JobId id) {
      if (!pass_.state.jobs.contains(id) || dependency_status(pass_.state, d, pass_.now) == DependencyStatus::met)
        return;
      const Time* planned = planned_start(id);
      if (d.kind != DependencyKind::after)
        at = std::max(at, expected_end(id));
      else if (planned != nullptr)
        at = std::max(at, *planned + d.delay);
    };
    if (array == pass_.state.indexes.arrays.end())
      wait_for(d.job);
    else
      for (const JobId id : array->second) wait_for(id);
  }
  if (kept.until != Time{}) at = std::max(at, kept.until);
  if (job.spec->singleton) {
    const auto same = pass_.state.indexes.namesakes.find({job.spec->user, job.spec->name});
    for (const JobId id : same->second)
      if (id < job.id || pass_.state.allocations.contains(id)) at = std::max(at, expected_end(id));
  }
  if (job.array && job.array->throttle > 0) at = std::max(at, next_of_array(job, kept.job.info->limit));
  return at;
}

// Places of a throttled array are handed on as they come free, one element after the other.
Time Gated::next_of_array(const Job& job, Duration limit) {
  const auto [it, fresh] = array_ends_.try_emplace(job.array->first);
  if (fresh) {
    for (const JobId id : pass_.state.indexes.arrays.at(job.array->first))
      if (pass_.state.allocations.contains(id) || planned_start(id) != nullptr) it->second.insert(expected_end(id));
  }
  auto& ends = it->second;
  if (static_cast<std::int32_t>(ends.size()) < job.array->throttle) {
    ends.insert(pass_.now + limit);
    return pass_.now;
  }
  const Time free = *ends.begin();
  ends.erase(ends.begin());
  ends.insert(free + limit);
  return free;
}

}  // namespace berth
