#include "api/job_shown.h"

#include <algorithm>
#include <boost/json.hpp>
#include <span>

#include "api/clock.h"
#include "api/plan_parts.h"
#include "wire/view_json.h"

namespace berth::api {

namespace json = boost::json;

namespace {

// The lock is let go in between, so that a long listing does not hold up the loop.
constexpr std::size_t kRowsAtOnce = 250;

}  // namespace

json::array shown_rows(Services& services, const std::vector<Job>& jobs) {
  const Time now = wall_clock();
  json::array rows;
  for (std::size_t from = 0; from < jobs.size(); from += kRowsAtOnce) {
    const std::span block(jobs.data() + from, std::min(kRowsAtOnce, jobs.size() - from));
    std::vector<JobId> ids;
    for (const Job& job : block) ids.push_back(job.id);
    std::sort(ids.begin(), ids.end());
    services.view.read([&](const Snapshot& snapshot) {
      const Plan part = services.plan_parts.about(snapshot.plan, ids);
      const PlanIndex index(part);
      for (const Job& job : block) rows.push_back(job_row(snapshot.state, index, job, now));
    });
  }
  return rows;
}

json::object shown_job(Services& services, const Job& job, const Caller& caller) {
  const Time now = wall_clock();
  json::object detail = services.view.read([&](const Snapshot& snapshot) {
    const auto live = snapshot.state.jobs.find(job.id);
    const Plan part = services.plan_parts.about(snapshot.plan, {job.id});
    return job_detail(snapshot.state, PlanIndex(part), live == snapshot.state.jobs.end() ? job : live->second, now);
  });
  const bool whole = caller.may_act_for(job.spec->user);
  detail["private_left_out"] = !whole;
  json::object* spec = detail.if_contains("spec") ? detail["spec"].if_object() : nullptr;
  if (whole || !spec) return detail;
  (*spec)["env"] = json::object{};
  (*spec)["script"] = "";
  return detail;
}

}  // namespace berth::api
