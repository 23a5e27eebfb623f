#include "api/job_shown.h"

#include <algorithm>
#include <boost/json.hpp>

#include "api/clock.h"
#include "api/job_lookup.h"
#include "wire/view_json.h"

namespace berth::api {

namespace json = boost::json;

json::array shown_rows(Services& services, const std::vector<Job>& jobs) {
  std::vector<JobId> ids;
  for (const Job& job : jobs) ids.push_back(job.id);
  std::sort(ids.begin(), ids.end());
  const Time now = wall_clock();
  return services.view.read([&](const Snapshot& snapshot) {
    const Plan part = plan_about(snapshot.plan, ids);
    const PlanIndex index(part);
    json::array rows;
    for (const Job& job : jobs) rows.push_back(job_row(snapshot.state, index, job, now));
    return rows;
  });
}

json::object shown_job(Services& services, const Job& job, const Caller& caller) {
  const Time now = wall_clock();
  json::object detail = services.view.read([&](const Snapshot& snapshot) {
    const auto live = snapshot.state.jobs.find(job.id);
    const Plan part = plan_about(snapshot.plan, {job.id});
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
