#include "app/cli/job_wait.h"

#include <fmt/core.h>

#include <boost/json.hpp>

#include <algorithm>

#include "app/cli/fields.h"
#include "app/cli/job_rows.h"

namespace berth {

std::string end_line(const boost::json::object& job) {
  const std::string why = text_field(job, "reason_text");
  return fmt::format("Job {} {}{}{}", text_field(job, "display_id"), text_field(job, "state"), why.empty() ? "" : ": ",
                     why);
}

// The answer of the daemon is bounded, so it is asked again and again.
Result<boost::json::value> wait_until_ended(Client& client, const std::string& name,
                                            std::optional<std::chrono::steady_clock::time_point> until) {
  for (;;) {
    std::int64_t slice_s = 30;
    if (until) {
      const auto left = std::chrono::ceil<std::chrono::seconds>(*until - std::chrono::steady_clock::now()).count();
      slice_s = std::clamp<std::int64_t>(left, 0, slice_s);
    }
    Result<boost::json::value> answer = client.get(fmt::format("{}/wait?timeout_s={}", job_path(name), slice_s));
    if (!answer) return answer;
    if (flag_field(as_object(*answer), "ended") || slice_s == 0) return answer;
  }
}

}  // namespace berth
