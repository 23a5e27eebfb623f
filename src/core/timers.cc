// What time alone brings about.
#include <string>

#include "core/decide.h"
#include "core/gates.h"

namespace berth {
namespace {

// So many at most in one step, so that a step stays short.
constexpr std::size_t kForgetAtOnce = 1'000;

void end_limits(const ClusterState& state, Time now, Events& out) {
  for (const auto& [at, id] : state.indexes.limits) {
    if (at > now) return;
    const Allocation& a = state.allocations.at(id);
    const Job& job = state.jobs.at(id);
    out.push_back(
        {now, event::AttemptStopping{a.key, StopCause::limit, now + job.spec->interrupt.grace, "time limit reached"}});
  }
}

void end_hopeless(const ClusterState& state, Time now, Events& out) {
  std::set<JobId> done;
  for (const JobId settled : state.indexes.settled) {
    const auto waiting = state.indexes.dependents.find(settled);
    if (waiting == state.indexes.dependents.end()) continue;
    for (const JobId id : waiting->second) {
      const Job& job = state.jobs.at(id);
      for (const Dependency& d : job.spec->depends) {
        if (dependency_status(state, d, now) != DependencyStatus::never || !done.insert(id).second) continue;
        out.push_back({now, event::JobEnded{id, JobState::cancelled,
                                            "dependency " + dependency_name(d) + " can never be fulfilled"}});
      }
    }
  }
}

void forget_old(const ClusterState& state, Time now, Events& out) {
  std::size_t count = 0;
  for (const auto& [at, id] : state.indexes.ended) {
    if (at + state.policy.keep_ended > now || count == kForgetAtOnce) return;
    const Job& job = state.jobs.at(id);
    const bool named =
        state.indexes.dependents.contains(id) || (job.array && state.indexes.dependents.contains(job.array->first));
    if (named) continue;
    out.push_back({now, event::JobForgotten{id}});
    ++count;
  }
}

}  // namespace

Events timers(const ClusterState& state, Time now) {
  Events out;
  end_limits(state, now, out);
  end_hopeless(state, now, out);
  forget_old(state, now, out);
  return out;
}

}  // namespace berth
