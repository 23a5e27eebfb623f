// nodes, gpus and queues: what there is, who holds it, and to whom it is promised.
#include <fmt/core.h>

#include <boost/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/fields.h"
#include "app/cli/screen.h"
#include "app/cli/table.h"

namespace berth {
namespace {

std::string held_of(std::int64_t held, std::int64_t all, std::string (*cell)(std::int64_t)) {
  return (held == 0 ? "0" : cell(held)) + "/" + cell(all);
}

std::string node_state(const boost::json::object& row) {
  const std::string state = text_field(row, "state");
  const bool drained = !array_field(row, "drains").empty();
  if (!drained) return state;
  return array_field(row, "jobs").empty() ? state + ",drained" : state + ",draining";
}

std::string node_detail(const boost::json::object& row) {
  std::vector<std::string> words;
  for (const auto& drain : array_field(row, "drains")) {
    words.push_back(
        fmt::format("{}: {}", text_field(as_object(drain), "owner"), text_field(as_object(drain), "reason")));
  }
  const auto features = texts_field(row, "features");
  if (!features.empty()) words.push_back(joined(features, ","));
  return joined(words, "; ");
}

std::string types_cell(const boost::json::object& row) {
  std::vector<std::string> words;
  for (const auto& type : array_field(row, "gpu_types")) {
    words.push_back(fmt::format("{}x{}", number_field(as_object(type), "count"), text_field(as_object(type), "type")));
  }
  if (words.empty()) return "-";
  return joined(words, " ") + (flag_field(row, "is_virtual") ? " (virtual)" : "");
}

std::string nodes_text(const boost::json::value& value, bool with_header) {
  Table table({{"NODE"},
               {"STATE"},
               {"GPUS", Align::right},
               {"TYPES"},
               {"CPUS", Align::right},
               {"MEMORY", Align::right},
               {"JOBS", Align::right},
               {"REASON/FEATURES"}});
  for (const auto& node : array_field(as_object(value), "nodes")) {
    const auto& row = as_object(node);
    table.add({text_field(row, "name"), node_state(row),
               held_of(number_field(row, "gpus_held_milli"), number_field(row, "gpus_milli"), gpus_cell),
               types_cell(row),
               held_of(number_field(row, "cpus_held_milli"), number_field(row, "cpus_milli"), cpus_cell),
               held_of(number_field(row, "memory_held_mib"), number_field(row, "memory_mib"), memory_cell),
               fmt::format("{}", array_field(row, "jobs").size()), node_detail(row)});
  }
  return table.text(with_header);
}

std::string holders_cell(const boost::json::object& row) {
  std::vector<std::string> words;
  for (const auto& holder : array_field(row, "holders")) {
    const auto& fields = as_object(holder);
    const auto milli = number_field(fields, "milli");
    words.push_back(text_field(fields, "display_id") + (milli < 1000 ? ":" + gpus_cell(milli) : ""));
  }
  return words.empty() ? "-" : joined(words, " ");
}

std::string promised_cell(const boost::json::object& row) {
  const auto& reserved = array_field(row, "reserved");
  if (reserved.empty()) return "-";
  const auto& first = as_object(reserved.front());
  return fmt::format("{} at {}", number_field(first, "job"), moment_cell(optional_number(first, "at_ms")));
}

std::string gpus_text(const boost::json::value& value, bool with_header) {
  Table table({{"NODE"},
               {"GPU", Align::right},
               {"TYPE"},
               {"MEMORY", Align::right},
               {"FOREIGN", Align::right},
               {"HEALTH"},
               {"HELD", Align::right},
               {"JOBS"},
               {"PROMISED"},
               {"UUID"}});
  for (const auto& gpu : array_field(as_object(value), "gpus")) {
    const auto& row = as_object(gpu);
    const std::string detail = text_field(row, "detail");
    table.add({text_field(row, "node"), fmt::format("{}", number_field(row, "index")),
               text_field(row, "type") + (flag_field(row, "is_virtual") ? " (virtual)" : ""),
               memory_cell(number_field(row, "memory_mib")), memory_cell(number_field(row, "foreign_mib")),
               text_field(row, "health") + (detail.empty() ? "" : ": " + detail),
               gpus_cell(number_field(row, "held_milli")), holders_cell(row), promised_cell(row),
               text_field(row, "uuid")});
  }
  return table.text(with_header);
}

std::string bound_cell(const boost::json::object& row, std::string_view key) {
  const auto milli = optional_number(row, key);
  return !milli ? "-" : *milli == 0 ? "0" : gpus_cell(*milli);
}

std::string queues_text(const boost::json::value& value, bool with_header) {
  Table table({{"QUEUE"},
               {"WEIGHT", Align::right},
               {"QUOTA", Align::right},
               {"LIMIT", Align::right},
               {"GPUS HELD", Align::right},
               {"RUNNING", Align::right},
               {"PENDING", Align::right},
               {"USED GPU-H", Align::right},
               {"STATE"}});
  for (const auto& queue : array_field(as_object(value), "queues")) {
    const auto& row = as_object(queue);
    const std::string off = text_field(row, "off");
    table.add({std::string(static_cast<std::size_t>(2 * number_field(row, "depth")), ' ') + text_field(row, "name") +
                   (flag_field(row, "is_default") ? " *" : ""),
               fmt::format("{}", number_field(row, "weight")), bound_cell(row, "quota_milli"),
               bound_cell(row, "limit_milli"), gpus_cell(number_field(row, "held_gpus_milli")),
               fmt::format("{}", number_field(row, "running")), fmt::format("{}", number_field(row, "pending")),
               fmt::format("{:.2f}", static_cast<double>(number_field(row, "usage_gpu_hours_milli")) / 1000),
               off.empty() ? "on" : "off: " + off});
  }
  return table.text(with_header);
}

int list(Client& client, const Listing& listing, const std::string& path,
         std::string (*text)(const boost::json::value&, bool)) {
  return show(
      client, listing, [&](Client& from) { return from.get(path); },
      [&](const boost::json::value& value) { return text(value, !listing.no_header); });
}

}  // namespace

int run_nodes(Client& client, const Listing& listing) { return list(client, listing, "/v1/nodes", nodes_text); }
int run_gpus(Client& client, const Listing& listing) { return list(client, listing, "/v1/gpus", gpus_text); }
int run_queues(Client& client, const Listing& listing) { return list(client, listing, "/v1/queues", queues_text); }

}  // namespace berth
