// check: lints a configuration or a job file; runs and changes nothing. version: of the program and of the daemon.
#include <fmt/core.h>

#include <boost/json.hpp>

#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/fields.h"
#include "app/cli/job_input.h"
#include "app/cli/screen.h"
#include "core/decide.h"
#include "wire/config.h"
#include "wire/errors.h"
#include "wire/text.h"

namespace berth {
namespace {

// A configuration has tables that no job file has.
bool looks_like_config(std::string_view text) {
  static constexpr std::string_view kTables[] = {"[server]", "[local]", "[policy]", "[[queue]]"};
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
    if (std::any_of(std::begin(kTables), std::end(kTables),
                    [&](auto table) { return line.substr(begin).starts_with(table); }))
      return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

// The tree of queues as the daemon would take it: a queue that contradicts the rest is off, the others are not.
int check_queues(const Config& config) {
  const ClusterState empty;
  const Result<Handled> handled = handle(empty, Command{"", command::Configure{config.queues, config.policy}}, now());
  if (!handled) return fail(handled.error());
  int worst = kExitDone;
  for (const auto& event : handled->events) {
    const auto* set = std::get_if<event::QueueSet>(&event.body);
    if (set == nullptr || set->off.empty()) continue;
    note(fmt::format("berth: queue {} would be off: {}", set->spec.name, set->off));
    worst = kExitNo;
  }
  for (const auto& line : handled->answer.notes) note("berth: note: " + line);
  return worst;
}

int check_config(const std::string& text, const std::string& file) {
  const Result<Config> config = parse_config(text, file);
  if (!config) return fail(config.error());
  const int status = check_queues(*config);
  std::string gpus = "as found on the machine";
  if (config->local.gpus) {
    gpus = config->local.gpus->empty() ? "none" : "";
    for (const auto& some : *config->local.gpus)
      gpus += fmt::format("{}{} x {} (virtual)", gpus.empty() ? "" : ", ", some.count, some.type);
  }
  say(fmt::format("{}: a configuration with {} queue{}; GPUs: {}{}", file, config->queues.size(),
                  config->queues.size() == 1 ? "" : "s", gpus,
                  status == kExitDone ? "; nothing is wrong with it" : ""));
  return status;
}

}  // namespace

int run_check(Client& client, const std::string& file) {
  const Result<std::string> text = read_file(file, kMaxConfigBytes, "file");
  if (!text) return fail(text.error());
  if (looks_like_config(*text)) return check_config(*text, file);
  return run_submit(client, {"--dry-run", file});
}

int run_version(Client& client) {
  say(fmt::format("berth {}", BERTH_VERSION));
  const Result<boost::json::value> status = client.get("/v1/status");
  if (!status) {
    say("daemon: none (" + status.error().message + ")");
    return kExitDone;
  }
  const auto& fields = as_object(*status);
  say(fmt::format("daemon {}: {}", text_field(fields, "version"), text_field(fields, "engine")));
  return kExitDone;
}

}  // namespace berth
