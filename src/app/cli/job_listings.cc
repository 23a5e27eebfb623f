// queue and jobs: what waits and runs, and what became of all.
#include <fmt/core.h>

#include <boost/json.hpp>

#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/fields.h"
#include "app/cli/job_rows.h"
#include "app/cli/screen.h"
#include "app/cli/table.h"
#include "wire/names.h"

namespace berth {
namespace {

std::string exit_cell(const boost::json::object& row) {
  const auto signal = number_field(row, "exit_signal");
  if (signal != 0) return fmt::format("signal {}", signal);
  const auto code = optional_number(row, "exit_code");
  return code ? fmt::format("{}", *code) : "-";
}

std::vector<std::string> queue_cells(const boost::json::object& row) {
  return {text_field(row, "display_id"),
          text_field(row, "queue"),
          text_field(row, "name"),
          text_field(row, "user"),
          state_code(row),
          elapsed_cell(number_field(row, "elapsed_ms")),
          fmt::format("{}", number_field(row, "tasks")),
          gpus_cell(number_field(row, "gpus_milli")),
          where_or_why(row)};
}

bool is_pending(const boost::json::value* row) { return text_field(as_object(*row), "state") == "pending"; }

// What runs first, then what waits; each by id.
std::string queue_text(const boost::json::value& value, bool with_header) {
  std::vector<const boost::json::value*> rows;
  for (const auto& row : array_field(as_object(value), "jobs")) rows.push_back(&row);
  std::stable_partition(rows.begin(), rows.end(), [](const auto* row) { return !is_pending(row); });
  Table table({{"JOBID", Align::right},
               {"QUEUE"},
               {"NAME"},
               {"USER"},
               {"ST"},
               {"TIME", Align::right},
               {"TASKS", Align::right},
               {"GPUS", Align::right},
               {"WHERE/WHY"}});
  for (const auto* row : rows) table.add(queue_cells(as_object(*row)));
  return table.text(with_header);
}

std::string jobs_text(const boost::json::value& value, bool with_header) {
  Table table({{"JOBID", Align::right},
               {"QUEUE"},
               {"NAME"},
               {"USER"},
               {"STATE"},
               {"SUBMITTED"},
               {"TIME", Align::right},
               {"TRY", Align::right},
               {"EXIT"},
               {"WHERE/WHY"}});
  for (const auto& job : array_field(as_object(value), "jobs")) {
    const auto& row = as_object(job);
    table.add({text_field(row, "display_id"), text_field(row, "queue"), text_field(row, "name"),
               text_field(row, "user"), text_field(row, "state"), moment_cell(optional_number(row, "submitted_ms")),
               elapsed_cell(number_field(row, "elapsed_ms")), fmt::format("{}", number_field(row, "attempt")),
               exit_cell(row), where_or_why(row)});
  }
  return table.text(with_header);
}

int show_jobs(Client& client, const Listing& listing, const JobFilter& filter,
              std::string (*text)(const boost::json::value&, bool)) {
  return show(
      client, listing, [&](Client& from) { return fetch_jobs(from, filter); },
      [&](const boost::json::value& value) { return text(value, !listing.no_header); });
}

}  // namespace

int run_queue(Client& client, const Listing& listing, const JobFilter& filter) {
  JobFilter live = filter;
  if (live.states.empty()) live.states = {"pending", "starting", "running", "stopping"};
  return show_jobs(client, listing, live, queue_text);
}

int run_jobs(Client& client, const Listing& listing, const JobFilter& filter) {
  return show_jobs(client, listing, filter, jobs_text);
}

}  // namespace berth
