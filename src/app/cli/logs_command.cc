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

bool completed(const boost::json::object& job) { return text_field(job, "state") == name_of(JobState::completed); }

int report_end(const boost::json::object& answer, const std::string& name, bool json) {
  if (json) say(to_text(answer));
  if (!flag_field(answer, "ended")) {
    note(fmt::format("berth: job {} has not ended yet; see: berth why {}", name, name));
    return kExitNo;
  }
  int worst = kExitDone;
  for (const auto& value : array_field(answer, "jobs")) {
    if (!json) say(end_line(as_object(value)));
    if (!completed(as_object(value))) worst = kExitNo;
  }
  return worst;
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
    const Result<boost::json::value> answer = wait_until_ended(client, name, until);
    worst = std::max(worst, answer ? report_end(as_object(*answer), name, json) : fail(answer.error()));
  }
  return worst;
}

}  // namespace berth
