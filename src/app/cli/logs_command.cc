// logs: what a task wrote; wait: until jobs have ended.
#include <fmt/core.h>

#include <boost/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/fields.h"
#include "app/cli/job_rows.h"
#include "app/cli/job_wait.h"
#include "app/cli/screen.h"
#include "wire/errors.h"
#include "wire/json_document.h"
#include "wire/names.h"

namespace berth {
namespace {

using Clock = std::chrono::steady_clock;

int report_end(const boost::json::value& job, bool json) {
  const auto& fields = as_object(job);
  if (json) say(to_text(job));
  if (!has_ended(fields)) {
    return fail({ErrorCode::timeout,
                 fmt::format("job {} is still {}", text_field(fields, "display_id"), text_field(fields, "state")),
                 fmt::format("see: berth why {}", text_field(fields, "display_id"))});
  }
  if (!json) say(end_line(fields));
  return text_field(fields, "state") == name_of(JobState::completed) ? kExitDone : kExitNo;
}

}  // namespace

int run_logs(Client& client, const LogsOptions& options) {
  const std::string path = fmt::format("{}/logs?task={}&stream={}{}", job_path(options.job), options.task,
                                       options.errors ? "stderr" : "stdout", options.follow ? "&follow=true" : "");
  const Result<void> done = client.stream(path, [](std::string_view data) {
    const bool written = std::fwrite(data.data(), 1, data.size(), stdout) == data.size();
    return std::fflush(stdout) == 0 && written;
  });
  return done ? kExitDone : fail(done.error());
}

int run_wait(Client& client, const JobNames& jobs, std::int32_t timeout_s, bool json) {
  std::optional<Clock::time_point> until;
  if (timeout_s > 0) until = Clock::now() + std::chrono::seconds(timeout_s);
  int worst = kExitDone;
  for (const auto& name : jobs) {
    const Result<boost::json::value> job = wait_until_ended(client, name, until);
    worst = std::max(worst, job ? report_end(*job, json) : fail(job.error()));
  }
  return worst;
}

}  // namespace berth
