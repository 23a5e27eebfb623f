#include "sim/checks.h"

#include <algorithm>
#include <map>

#include "core/decide.h"
#include "wire/names.h"

namespace berth {
namespace {

std::string named(JobId id) { return "job " + std::to_string(id.value()); }

std::map<JobId, int> mentions(const Plan& plan) {
  std::map<JobId, int> count;
  for (const auto& start : plan.starts) ++count[start.job];
  for (const auto& reservation : plan.reservations) ++count[reservation.job];
  for (const auto& held : plan.holds) ++count[held.job];
  return count;
}

}  // namespace

std::vector<std::string> plan_gaps(const ClusterState& state, const Plan& plan) {
  std::vector<std::string> gaps;
  auto count = mentions(plan);
  // Jobs that the plan started are no longer pending once it was carried out.
  for (const auto& start : plan.starts) {
    const auto job = state.jobs.find(start.job);
    if (job == state.jobs.end() || job->second.state != JobState::pending) count.erase(start.job);
  }
  for (const auto& [id, job] : state.jobs)
    if (job.state == JobState::pending && count[id] != 1)
      gaps.push_back(named(id) + " stands " + std::to_string(count[id]) + " times in the plan");
  for (const auto& [id, times] : count) {
    const auto job = state.jobs.find(id);
    if (times > 0 && (job == state.jobs.end() || job->second.state != JobState::pending))
      gaps.push_back(named(id) + " is in the plan, but is not pending");
  }
  return gaps;
}

std::vector<std::string> explanation_gaps(const ClusterState& state, const Plan& plan, Time now) {
  std::vector<std::string> gaps;
  const auto look = [&](JobId id, HoldReason reason, Time expected) {
    const auto why = explain(state, plan, id, now);
    if (why.blockers.empty()) {
      gaps.push_back(named(id) + " is held for " + std::string(name_of(reason)) + ", but explained by nothing");
    } else if (plan.whole && why.blockers.front().reason != reason) {
      gaps.push_back(named(id) + " is held for " + std::string(name_of(reason)) + ", but explained by " +
                     std::string(name_of(why.blockers.front().reason)));
    }
    // A promise whose time has come while the work ahead is still on its way out is due now.
    if (why.expected != expected && why.expected != std::max(expected, now))
      gaps.push_back(named(id) + " is expected at two times");
  };
  for (const auto& reservation : plan.reservations) look(reservation.job, reservation.reason, reservation.at);
  for (const auto& held : plan.holds) look(held.job, held.reason, held.expected);
  return gaps;
}

}  // namespace berth
