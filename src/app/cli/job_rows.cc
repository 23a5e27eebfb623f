#include "app/cli/job_rows.h"

#include <fmt/core.h>

#include <boost/json.hpp>

#include "app/cli/fields.h"
#include "app/cli/screen.h"
#include "wire/names.h"
#include "wire/text.h"

namespace berth {
namespace {

constexpr int kPage = 1000;

std::string query_of(const JobFilter& filter) {
  std::string query = fmt::format("?limit={}", kPage);
  if (!filter.states.empty()) query += "&state=" + Client::escape(joined(filter.states, ","));
  if (!filter.queue.empty()) query += "&queue=" + Client::escape(filter.queue);
  if (!filter.user.empty()) query += "&user=" + Client::escape(filter.user);
  if (!filter.name.empty()) query += "&name=" + Client::escape(filter.name);
  return query;
}

}  // namespace

Result<boost::json::value> fetch_jobs(Client& client, const JobFilter& filter) {
  const std::string query = query_of(filter);
  boost::json::array jobs;
  std::string after;
  for (;;) {
    Result<boost::json::value> page = client.get("/v1/jobs" + query + after);
    if (!page) return page.error();
    const auto& fields = as_object(*page);
    for (const auto& job : array_field(fields, "jobs")) jobs.push_back(job);
    const auto next = optional_number(fields, "next_after");
    if (!next) return boost::json::value{{"jobs", std::move(jobs)}};
    after = fmt::format("&after={}", *next);
  }
}

std::string job_path(const std::string& name) { return "/v1/jobs/" + Client::escape(name); }

std::string state_code(const boost::json::object& row) {
  const auto state = from_name<JobState>(text_field(row, "state"));
  return state ? std::string(slurm_code(*state)) : "?";
}

std::string where_or_why(const boost::json::object& row) {
  const auto state = from_name<JobState>(text_field(row, "state"));
  if (state && is_active(*state)) {
    const auto devices = texts_field(row, "gpus");
    return devices.empty() ? joined(texts_field(row, "nodes"), " ") : devices_cell(devices);
  }
  std::string why = text_field(row, "reason_text");
  if (const auto start = optional_number(row, "expected_start_ms"); start && state == JobState::pending) {
    why += fmt::format("{}starts {}{}", why.empty() ? "" : "; ", flag_field(row, "expected_exact") ? "" : "about ",
                       moment_cell(start));
  }
  return why;
}

}  // namespace berth
