// squeue: jobs in Slurm's columns.
#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <boost/json.hpp>

#include <algorithm>
#include <charconv>
#include <ctime>

#include "app/cli/fields.h"
#include "app/cli/job_rows.h"
#include "app/cli/screen.h"
#include "app/cli/slurm/applets.h"
#include "app/cli/slurm/arguments.h"
#include "app/cli/slurm/format.h"
#include "app/cli/socket_path.h"
#include "base/time.h"
#include "wire/errors.h"
#include "wire/names.h"
#include "wire/text.h"

namespace berth::slurm {
namespace {

constexpr std::string_view kLetters = "AabCDeFgijKlLmMNpPQrRStTuUVY";
constexpr const char* kShort = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
constexpr const char* kLong = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
constexpr const char* kStart = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";

const std::vector<OptionSpec> kOptions = {{'a', "all", false},     {'A', "account", true}, {'h', "noheader", false},
                                          {'i', "iterate", true},  {'j', "jobs", true},    {'l', "long", false},
                                          {'n', "name", true},     {'o', "format", true},  {'p', "partition", true},
                                          {'r', "array", false},   {'t', "states", true},  {'u', "user", true},
                                          {'w', "nodelist", true}, {0, "me", false},       {0, "start", false},
                                          {0, "job", true},        {0, "help", false},     {'V', "version", false}};

constexpr const char* kUsage =
    "squeue [-h] [-l] [-o FORMAT] [-j IDS] [-u USERS] [--me] [-t STATES|all] [-p QUEUES] [-n NAMES] [-w NODES] [-i "
    "SECONDS] [--start]\n"
    "berth's jobs in Slurm's columns; PARTITION is berth's queue. See also: berth queue --help";

std::string header_of(char letter) {
  static constexpr std::pair<char, std::string_view> kHeaders[] = {{'A', "JOBID"},
                                                                   {'a', "ACCOUNT"},
                                                                   {'b', "TRES_PER_NODE"},
                                                                   {'C', "CPUS"},
                                                                   {'D', "NODES"},
                                                                   {'e', "END_TIME"},
                                                                   {'F', "ARRAY_JOB_ID"},
                                                                   {'g', "GROUP"},
                                                                   {'i', "JOBID"},
                                                                   {'j', "NAME"},
                                                                   {'K', "ARRAY_TASK_ID"},
                                                                   {'l', "TIME_LIMIT"},
                                                                   {'L', "TIME_LEFT"},
                                                                   {'m', "MIN_MEMORY"},
                                                                   {'M', "TIME"},
                                                                   {'N', "NODELIST"},
                                                                   {'p', "PRIORITY"},
                                                                   {'P', "PARTITION"},
                                                                   {'Q', "PRIORITY"},
                                                                   {'r', "REASON"},
                                                                   {'R', "NODELIST(REASON)"},
                                                                   {'S', "START_TIME"},
                                                                   {'t', "ST"},
                                                                   {'T', "STATE"},
                                                                   {'u', "USER"},
                                                                   {'U', "UID"},
                                                                   {'V', "SUBMIT_TIME"},
                                                                   {'Y', "SCHEDNODES"}};
  const auto* found =
      std::find_if(std::begin(kHeaders), std::end(kHeaders), [&](const auto& each) { return each.first == letter; });
  return found == std::end(kHeaders) ? "" : std::string(found->second);
}

std::string time_cell(std::optional<std::int64_t> ms) {
  return slurm_time(ms ? Time(*ms) : kForever, Zone::of_process());
}

// Slurm's word for why a job waits; scripts look for Resources, Priority, Dependency and the like.
std::string slurm_reason(const boost::json::object& row) {
  const auto reason = from_name<HoldReason>(text_field(row, "reason"));
  if (!reason) return "None";
  switch (*reason) {
    case HoldReason::user_hold:
      return "JobHeldUser";
    case HoldReason::begin_time:
    case HoldReason::backoff:
      return "BeginTime";
    case HoldReason::dependency:
    case HoldReason::singleton:
      return "Dependency";
    case HoldReason::dependency_never:
      return "DependencyNeverSatisfied";
    case HoldReason::array_throttle:
      return "JobArrayTaskLimit";
    case HoldReason::queue_off:
      return "PartitionDown";
    case HoldReason::queue_limit:
      return "QOSGrpGRES";
    case HoldReason::no_such_node:
    case HoldReason::never_fits:
      return "BadConstraints";
    case HoldReason::no_usable_node:
      return "ReqNodeNotAvail";
    case HoldReason::capacity:
      return "Resources";
    case HoldReason::reserved_room:
    case HoldReason::behind:
    case HoldReason::not_reached:
      return "Priority";
  }
  return "None";
}

std::string nodes_or_reason(const boost::json::object& row, const std::string& nodes) {
  const std::string state = text_field(row, "state");
  if (state == "pending") return "(" + slurm_reason(row) + ")";
  return nodes;
}

std::string time_left(const boost::json::object& row) {
  const auto limit = optional_number(row, "time_limit_ms");
  if (!limit) return "UNLIMITED";
  return slurm_duration(Duration(std::max<std::int64_t>(0, *limit - number_field(row, "elapsed_ms"))));
}

std::string state_name(const boost::json::object& row) {
  const auto state = from_name<JobState>(text_field(row, "state"));
  return state ? std::string(slurm_name(*state)) : "UNKNOWN";
}

std::string user_number(const std::string& user) {
  const passwd* entry = getpwnam(user.c_str());
  return entry == nullptr ? "N/A" : fmt::format("{}", entry->pw_uid);
}

std::string identity_cell(const boost::json::object& row, char letter) {
  switch (letter) {
    case 'A':
      return fmt::format("{}", number_field(row, "id"));
    case 'F': {
      const auto first = optional_number(row, "array_first");
      return fmt::format("{}", first ? *first : number_field(row, "id"));
    }
    case 'i':
      return text_field(row, "display_id");
    case 'K': {
      const auto index = optional_number(row, "array_index");
      return index ? fmt::format("{}", *index) : "N/A";
    }
    case 'j':
      return text_field(row, "name");
    case 'u':
    case 'g':
      return text_field(row, "user");
    case 'U':
      return user_number(text_field(row, "user"));
    default:
      return text_field(row, "queue");
  }
}

std::string amount_cell(const boost::json::object& row, char letter) {
  const auto gpus = number_field(row, "gpus_milli");
  if (letter == 'b') return gpus == 0 ? "N/A" : "gres:gpu:" + gpus_cell(gpus);
  if (letter == 'C') return fmt::format("{}", (number_field(row, "cpus_milli") + 999) / 1000);
  if (letter == 'm') return number_field(row, "memory_mib") == 0 ? "0" : memory_cell(number_field(row, "memory_mib"));
  if (letter == 'D') {
    const auto nodes = array_field(row, "nodes").size();
    return fmt::format("{}", nodes == 0 ? 1 : nodes);
  }
  return fmt::format("{}", number_field(row, "priority"));
}

std::string moment(const boost::json::object& row, char letter) {
  switch (letter) {
    case 'e':
      return time_cell(optional_number(
          row, text_field(row, "state") == "pending" || optional_number(row, "ended_ms") == std::nullopt ? "ends_by_ms"
                                                                                                         : "ended_ms"));
    case 'S': {
      const auto started = optional_number(row, "started_ms");
      return time_cell(started && *started != 0 ? started : optional_number(row, "expected_start_ms"));
    }
    case 'V':
      return time_cell(optional_number(row, "submitted_ms"));
    case 'M':
      return slurm_duration(Duration(number_field(row, "elapsed_ms")));
    case 'L':
      return time_left(row);
    default: {
      const auto limit = optional_number(row, "time_limit_ms");
      return limit ? slurm_duration(Duration(*limit)) : "UNLIMITED";
    }
  }
}

std::string cell_of(const boost::json::object& row, char letter) {
  const std::string nodes = joined(texts_field(row, "nodes"), ",");
  switch (letter) {
    case 'A':
    case 'F':
    case 'i':
    case 'K':
    case 'j':
    case 'u':
    case 'U':
    case 'g':
    case 'a':
    case 'P':
      return identity_cell(row, letter);
    case 'b':
    case 'C':
    case 'm':
    case 'D':
    case 'p':
    case 'Q':
      return amount_cell(row, letter);
    case 'N':
      return nodes;
    case 'Y':
      return nodes.empty() ? "(null)" : nodes;
    case 'r':
      return slurm_reason(row);
    case 'R':
      return nodes_or_reason(row, nodes);
    case 't':
      return state_code(row);
    case 'T':
      return state_name(row);
    default:
      return moment(row, letter);
  }
}

struct Wanted {
  JobFilter filter;
  std::vector<std::string> ids, users, queues, names, nodes;
  bool start_only = false;
};

bool among(const std::vector<std::string>& wanted, const std::string& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

bool wants(const Wanted& wanted, const boost::json::object& row) {
  const auto first = optional_number(row, "array_first");
  const bool named = among(wanted.ids, text_field(row, "display_id")) ||
                     among(wanted.ids, fmt::format("{}", number_field(row, "id"))) ||
                     (first && among(wanted.ids, fmt::format("{}", *first)));
  const auto nodes = texts_field(row, "nodes");
  const bool placed = wanted.nodes.empty() || std::any_of(nodes.begin(), nodes.end(),
                                                          [&](const auto& node) { return among(wanted.nodes, node); });
  return named && placed && among(wanted.users, text_field(row, "user")) &&
         among(wanted.queues, text_field(row, "queue")) && among(wanted.names, text_field(row, "name")) &&
         (!wanted.start_only || text_field(row, "state") == "pending");
}

Result<std::vector<std::string>> states_of(const Arguments& arguments) {
  std::vector<std::string> states = {"pending", "starting", "running", "stopping"};
  if (!arguments.has("states")) return states;
  states.clear();
  for (const auto& word : arguments.list("states")) {
    std::string lower = word;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == "all") return std::vector<std::string>();
    const auto state = state_from_any_name(word);
    if (!state)
      return Error{ErrorCode::invalid, fmt::format("squeue: --states: `{}` is no state", word),
                   "as in PD, R, CG, CD, F, CA, TO, or all"};
    states.emplace_back(name_of(*state));
    if (*state == JobState::running) states.emplace_back(name_of(JobState::starting));
  }
  return states;
}

Result<Wanted> wanted_of(const Arguments& arguments) {
  Wanted wanted;
  const Result<std::vector<std::string>> states = states_of(arguments);
  if (!states) return states.error();
  wanted.filter.states = *states;
  wanted.ids = arguments.list(arguments.has("jobs") ? "jobs" : "job");
  wanted.users = arguments.list("user");
  if (const passwd* me = getpwuid(geteuid()); arguments.has("me") && me != nullptr) wanted.users = {me->pw_name};
  wanted.queues = arguments.list(arguments.has("partition") ? "partition" : "account");
  wanted.names = arguments.list("name");
  wanted.nodes = arguments.list("nodelist");
  wanted.start_only = arguments.has("start");
  return wanted;
}

std::string date_line() {
  const std::time_t seconds = now().ms() / 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[64] = {};
  std::strftime(text, sizeof text, "%a %b %d %H:%M:%S %Y\n", &local);
  return text;
}

int run(const Arguments& arguments) {
  const Result<Wanted> wanted = wanted_of(arguments);
  if (!wanted) return fail(wanted.error());
  const bool is_long = arguments.has("long");
  const std::string text = arguments.value("format").value_or(is_long                  ? kLong
                                                              : arguments.has("start") ? kStart
                                                                                       : kShort);
  const Result<Format> format = Format::parse(text, kLetters);
  if (!format) return fail(format.error());
  Listing listing{false, arguments.has("noheader"), 0};
  if (const auto every = arguments.value("iterate")) {
    const auto [end, error] = std::from_chars(every->data(), every->data() + every->size(), listing.watch_s);
    if (error != std::errc() || *end != '\0' || listing.watch_s < 1) {
      return fail({ErrorCode::invalid, fmt::format("squeue: --iterate: `{}` is no number of seconds", *every),
                   "as in --iterate 5"});
    }
  }
  Client client(client_socket(""));
  return show(
      client, listing, [&](Client& from) { return fetch_jobs(from, wanted->filter); },
      [&](const boost::json::value& value) {
        std::string out = is_long && !listing.no_header ? date_line() : "";
        if (!listing.no_header) out += format->line(header_of) + '\n';
        for (const auto& job : array_field(as_object(value), "jobs")) {
          if (wants(*wanted, as_object(job)))
            out += format->line([&](char letter) { return cell_of(as_object(job), letter); }) + '\n';
        }
        return out;
      });
}

}  // namespace

int run_squeue(const std::vector<std::string>& words) {
  const Result<Arguments> arguments = Arguments::parse("squeue", words, kOptions);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("help")) return say(kUsage), kExitDone;
  if (arguments->has("version")) return say(fmt::format("berth {} (squeue)", BERTH_VERSION)), kExitDone;
  if (!arguments->operands().empty()) {
    return fail({ErrorCode::invalid, fmt::format("squeue: `{}` is not understood", arguments->operands().front()),
                 "ids go behind -j"});
  }
  return run(*arguments);
}

}  // namespace berth::slurm
