// sinfo: queues as partitions, with the nodes by state.
#include <fmt/core.h>

#include <boost/json.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "app/cli/fields.h"
#include "app/cli/screen.h"
#include "app/cli/slurm/applets.h"
#include "app/cli/slurm/arguments.h"
#include "app/cli/slurm/format.h"
#include "app/cli/socket_path.h"
#include "base/time.h"
#include "wire/errors.h"
#include "wire/text.h"

namespace berth::slurm {
namespace {

constexpr std::string_view kLetters = "aAcCDEfFGlmNnPRtT";
constexpr const char* kByState = "%9P %.5a %.10l %.6D %.6t %N";
constexpr const char* kByNode = "%10N %.6D %.9P %6t";
constexpr const char* kSummary = "%9P %.5a %.10l %.16F %N";

const std::vector<OptionSpec> kOptions = {{'h', "noheader", false},  {'N', "Node", false},   {'o', "format", true},
                                          {'p', "partition", true},  {'n', "nodes", true},   {'t', "states", true},
                                          {'s', "summarize", false}, {'a', "all", false},    {'e', "exact", false},
                                          {0, "help", false},        {'V', "version", false}};

constexpr const char* kUsage =
    "sinfo [-h] [-N] [-s] [-o FORMAT] [-p QUEUES] [-n NODES] [-t STATES]\n"
    "berth's queues as partitions and its nodes, in Slurm's columns. See also: berth nodes --help";

struct StateWord {
  std::string_view brief, full;
};

StateWord state_of(const boost::json::object& node) {
  if (text_field(node, "state") == "down") return {"down*", "down*"};
  if (text_field(node, "state") == "unknown") return {"unk*", "unknown*"};
  const auto cpus_held = number_field(node, "cpus_held_milli"), gpus_held = number_field(node, "gpus_held_milli");
  const bool busy = cpus_held > 0 || gpus_held > 0;
  if (!array_field(node, "drains").empty()) return busy ? StateWord{"drng", "draining"} : StateWord{"drain", "drained"};
  if (!busy) return {"idle", "idle"};
  const bool full =
      cpus_held >= number_field(node, "cpus_milli") || (gpus_held > 0 && gpus_held >= number_field(node, "gpus_milli"));
  return full ? StateWord{"alloc", "allocated"} : StateWord{"mix", "mixed"};
}

// One line: a queue, and nodes that are alike.
struct Row {
  const boost::json::object* queue = nullptr;
  std::vector<const boost::json::object*> nodes;
};

std::string header_of(char letter) {
  static const std::map<char, std::string> kHeaders = {
      {'a', "AVAIL"},  {'A', "NODES(A/I)"},     {'c', "CPUS"},           {'C', "CPUS(A/I/O/T)"}, {'D', "NODES"},
      {'E', "REASON"}, {'f', "AVAIL_FEATURES"}, {'F', "NODES(A/I/O/T)"}, {'G', "GRES"},          {'l', "TIMELIMIT"},
      {'m', "MEMORY"}, {'N', "NODELIST"},       {'n', "HOSTNAMES"},      {'P', "PARTITION"},     {'R', "PARTITION"},
      {'t', "STATE"},  {'T', "STATE"}};
  return kHeaders.at(letter);
}

std::string counts(const Row& row, bool with_others) {
  std::int64_t allocated = 0, idle = 0, other = 0;
  for (const auto* node : row.nodes) {
    const std::string_view state = state_of(*node).brief;
    ++(state == "idle" ? idle : state == "mix" || state == "alloc" ? allocated : other);
  }
  return with_others ? fmt::format("{}/{}/{}/{}", allocated, idle, other, row.nodes.size())
                     : fmt::format("{}/{}", allocated, idle);
}

std::string cpu_counts(const Row& row) {
  std::int64_t held = 0, idle = 0, other = 0, all = 0;
  for (const auto* node : row.nodes) {
    const auto cpus = number_field(*node, "cpus_milli") / 1000,
               used = (number_field(*node, "cpus_held_milli") + 999) / 1000;
    const bool usable = flag_field(*node, "usable");
    held += used;
    all += cpus;
    (usable ? idle : other) += cpus - used;
  }
  return fmt::format("{}/{}/{}/{}", held, idle, other, all);
}

std::string gres(const boost::json::object& node) {
  std::vector<std::string> words;
  for (const auto& type : array_field(node, "gpu_types")) {
    words.push_back(
        fmt::format("gpu:{}:{}", text_field(as_object(type), "type"), number_field(as_object(type), "count")));
  }
  return words.empty() ? "(null)" : joined(words, ",");
}

std::string reason(const boost::json::object& node) {
  const auto& drains = array_field(node, "drains");
  return drains.empty() ? "none" : text_field(as_object(drains.front()), "reason");
}

std::string names(const Row& row) {
  std::vector<std::string> words;
  for (const auto* node : row.nodes) words.push_back(text_field(*node, "name"));
  return joined(words, ",");
}

std::string queue_cell(const boost::json::object& queue, char letter) {
  if (letter == 'a') return text_field(queue, "off").empty() ? "up" : "down";
  if (letter == 'l') {
    const auto limit = optional_number(queue, "max_time_limit_ms");
    return limit ? slurm_duration(Duration(*limit)) : "infinite";
  }
  return text_field(queue, "name") + (letter == 'P' && flag_field(queue, "is_default") ? "*" : "");
}

std::string cell_of(const Row& row, char letter) {
  if (letter == 'a' || letter == 'l' || letter == 'P' || letter == 'R') return queue_cell(*row.queue, letter);
  switch (letter) {
    case 'D':
      return fmt::format("{}", row.nodes.size());
    case 'A':
      return counts(row, false);
    case 'F':
      return counts(row, true);
    case 'C':
      return cpu_counts(row);
    case 'N':
    case 'n':
      return names(row);
    default:
      break;
  }
  if (row.nodes.empty()) return "n/a";
  const auto& node = *row.nodes.front();
  switch (letter) {
    case 't':
      return std::string(state_of(node).brief);
    case 'T':
      return std::string(state_of(node).full);
    case 'c':
      return fmt::format("{}", number_field(node, "cpus_milli") / 1000);
    case 'm':
      return fmt::format("{}", number_field(node, "memory_mib"));
    case 'f':
      return array_field(node, "features").empty() ? "(null)" : joined(texts_field(node, "features"), ",");
    case 'G':
      return gres(node);
    default:
      return reason(node);
  }
}

enum class Grouping { by_state, by_node, all };

bool among(const std::vector<std::string>& wanted, std::string_view value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

bool in_state(const std::vector<std::string>& wanted, const boost::json::object& node) {
  const StateWord state = state_of(node);
  return among(wanted, state.brief) || among(wanted, state.full) || (state.brief == "drng" && among(wanted, "drain"));
}

std::set<std::string> parents_of(const boost::json::object& queues) {
  std::set<std::string> parents;
  for (const auto& queue : array_field(queues, "queues")) parents.insert(text_field(as_object(queue), "parent"));
  return parents;
}

std::vector<Row> rows_of(const boost::json::object& queues, const boost::json::object& nodes,
                         const Arguments& arguments, Grouping grouping) {
  std::vector<Row> rows;
  const std::set<std::string> parents = parents_of(queues);
  for (const auto& queue : array_field(queues, "queues")) {
    if (parents.contains(text_field(as_object(queue), "name"))) continue;  // it takes no jobs itself
    if (!among(arguments.list("partition"), text_field(as_object(queue), "name"))) continue;
    std::map<std::string, Row> groups;
    if (grouping == Grouping::all) groups[""].queue = &as_object(queue);
    for (const auto& value : array_field(nodes, "nodes")) {
      const auto& node = as_object(value);
      const std::string name = text_field(node, "name");
      if (!among(arguments.list("nodes"), name) || !in_state(arguments.list("states"), node)) continue;
      const std::string key = grouping == Grouping::by_node    ? name
                              : grouping == Grouping::by_state ? std::string(state_of(node).brief)
                                                               : "";
      groups[key].queue = &as_object(queue);
      groups[key].nodes.push_back(&node);
    }
    for (auto& [key, row] : groups) rows.push_back(std::move(row));
  }
  return rows;
}

int run(const Arguments& arguments) {
  const Grouping grouping = arguments.has("Node")        ? Grouping::by_node
                            : arguments.has("summarize") ? Grouping::all
                                                         : Grouping::by_state;
  const char* usual = grouping == Grouping::by_node ? kByNode : grouping == Grouping::all ? kSummary : kByState;
  const Result<Format> format = Format::parse(arguments.value("format").value_or(usual), kLetters);
  if (!format) return fail(format.error());
  Client client(client_socket(""));
  const Result<boost::json::value> queues = client.get("/v1/queues");
  if (!queues) return fail(queues.error());
  const Listing listing{false, arguments.has("noheader"), 0};
  return show(
      client, listing, [](Client& from) { return from.get("/v1/nodes"); },
      [&](const boost::json::value& nodes) {
        std::string out = listing.no_header ? "" : format->line(header_of) + '\n';
        for (const auto& row : rows_of(as_object(*queues), as_object(nodes), arguments, grouping)) {
          out += format->line([&](char letter) { return cell_of(row, letter); }) + '\n';
        }
        return out;
      });
}

}  // namespace

int run_sinfo(const std::vector<std::string>& words) {
  const Result<Arguments> arguments = Arguments::parse("sinfo", words, kOptions);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("help")) return say(kUsage), kExitDone;
  if (arguments->has("version")) return say(fmt::format("berth {} (sinfo)", BERTH_VERSION)), kExitDone;
  if (!arguments->operands().empty()) {
    return fail({ErrorCode::invalid, fmt::format("sinfo: `{}` is not understood", arguments->operands().front()),
                 "nodes go behind -n"});
  }
  return run(*arguments);
}

}  // namespace berth::slurm
