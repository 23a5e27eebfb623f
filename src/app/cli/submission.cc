#include "app/cli/submission.h"

#include <fmt/core.h>

#include <boost/json.hpp>

#include <algorithm>

#include "app/cli/fields.h"
#include "app/cli/job_wait.h"
#include "app/cli/screen.h"
#include "wire/job_json.h"
#include "wire/names.h"

namespace berth {

Result<Submitted> submit_job(Client& client, const JobSpec& spec, bool dry_run) {
  const std::string body = fmt::format(R"({{"spec":{}}})", job_spec_to_json(spec));
  const Result<boost::json::value> answer = client.post(dry_run ? "/v1/jobs?dry_run=true" : "/v1/jobs", body);
  if (!answer) return answer.error();
  Submitted submitted;
  const auto& fields = as_object(*answer);
  for (const auto& id : array_field(fields, "jobs")) {
    if (id.is_number() && !dry_run) submitted.jobs.push_back(id.to_number<std::int64_t>());
  }
  submitted.notes = texts_field(fields, "notes");
  return submitted;
}

void print_warnings(const std::vector<std::string>& left_out, const std::vector<std::string>& warnings) {
  if (!left_out.empty()) {
    note(fmt::format("berth: warning: not valid UTF-8, so left out of the job's environment: {}",
                     joined(left_out, ", ")));
  }
  for (const auto& warning : warnings) note("berth: warning: " + warning);
}

namespace {

// The row of that job; the wait for the first of an array tells of all its elements.
const boost::json::object& row_of(const boost::json::object& answer, std::int64_t id) {
  for (const auto& row : array_field(answer, "jobs")) {
    if (number_field(as_object(row), "id") == id) return as_object(row);
  }
  return as_object(boost::json::value());
}

}  // namespace

Result<int> wait_for_jobs(Client& client, const std::vector<std::int64_t>& jobs, bool quiet) {
  int worst = 0;
  for (const auto id : jobs) {
    const Result<boost::json::value> answer = wait_until_ended(client, fmt::format("{}", id));
    if (!answer) return answer.error();
    const auto& job = row_of(as_object(*answer), id);
    if (!quiet) say(end_line(job));
    if (text_field(job, "state") == name_of(JobState::completed)) continue;
    const auto code = static_cast<int>(number_field(job, "exit_code"));
    worst = std::max(worst, code == 0 ? 1 : code);
  }
  return worst;
}

}  // namespace berth
