// plan: what runs until when, what starts when and where, and what has no time yet.
#include <fmt/core.h>

#include <boost/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/fields.h"
#include "app/cli/screen.h"
#include "app/cli/table.h"

namespace berth {
namespace {

std::string place_cell(const boost::json::object& row) {
  const auto devices = texts_field(row, "gpus");
  return devices.empty() ? joined(texts_field(row, "nodes"), " ") : devices_cell(devices);
}

void add_line(Table& table, const std::string& when, const std::string& what, const boost::json::object& row,
              const std::string& note) {
  table.add({when, what, text_field(row, "display_id"), text_field(row, "queue"), text_field(row, "name"),
             place_cell(row), note});
}

std::string plan_text(const boost::json::value& value, bool with_header) {
  const auto& plan = as_object(value);
  Table table({{"WHEN"}, {"WHAT"}, {"JOBID", Align::right}, {"QUEUE"}, {"NAME"}, {"WHERE"}, {"NOTE"}});
  for (const auto& job : array_field(plan, "running")) {
    const auto ends = optional_number(as_object(job), "ends_by_ms");
    add_line(table, "now", "runs", as_object(job),
             ends ? "until " + moment_cell(ends) + " at the latest" : "no time limit");
  }
  for (const auto& job : array_field(plan, "starts")) {
    add_line(table, "now", "starts", as_object(job), flag_field(as_object(job), "backfilled") ? "backfilled" : "");
  }
  for (const auto& job : array_field(plan, "reservations")) {
    add_line(table, moment_cell(optional_number(as_object(job), "at_ms")), "reserved", as_object(job),
             text_field(as_object(job), "reason_text"));
  }
  for (const auto& job : array_field(plan, "holds")) {
    const auto expected = optional_number(as_object(job), "expected_start_ms");
    add_line(table, expected ? "~" + moment_cell(expected) : "?", "waits", as_object(job),
             text_field(as_object(job), "reason_text"));
  }
  std::string text = table.text(with_header);
  const auto shown = static_cast<std::int64_t>(array_field(plan, "holds").size());
  if (const auto total = number_field(plan, "holds_total"); total > shown) {
    text += fmt::format("and {} more that wait\n", total - shown);
  }
  return text;
}

}  // namespace

int run_plan(Client& client, const Listing& listing) {
  return show(
      client, listing, [](Client& from) { return from.get("/v1/plan"); },
      [&](const boost::json::value& value) { return plan_text(value, !listing.no_header); });
}

}  // namespace berth
