#include "app/cli/job_wait.h"

#include <fmt/core.h>

#include <boost/json.hpp>

#include <algorithm>

#include "app/cli/fields.h"
#include "app/cli/job_rows.h"
#include "wire/names.h"

namespace berth {

bool has_ended(const boost::json::object& job) {
  const auto state = from_name<JobState>(text_field(job, "state"));
  return state && is_ended(*state);
}

std::string end_line(const boost::json::object& job) {
  const std::string why = text_field(job, "reason_text");
  return fmt::format("Job {} {}{}{}", text_field(job, "display_id"), text_field(job, "state"), why.empty() ? "" : ": ",
                     why);
}

// One job until it has ended or the time is over. The answer of the daemon is bounded, so it is asked again and again.
Result<boost::json::value> wait_until_ended(Client& client, const std::string& name,
                                            std::optional<std::chrono::steady_clock::time_point> until) {
  for (;;) {
    std::int64_t slice_s = 30;
    if (until) {
      const auto left = std::chrono::ceil<std::chrono::seconds>(*until - std::chrono::steady_clock::now()).count();
      slice_s = std::clamp<std::int64_t>(left, 0, slice_s);
    }
    Result<boost::json::value> job = client.get(fmt::format("{}/wait?timeout_s={}", job_path(name), slice_s));
    if (!job) return job;
    if (has_ended(as_object(*job)) || slice_s == 0) return job;
  }
}

}  // namespace berth
