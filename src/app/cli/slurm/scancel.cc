// scancel: ends jobs by id, or all that match.
#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <boost/json.hpp>

#include <algorithm>

#include "app/cli/fields.h"
#include "app/cli/job_rows.h"
#include "app/cli/screen.h"
#include "app/cli/slurm/applets.h"
#include "app/cli/slurm/arguments.h"
#include "app/cli/socket_path.h"
#include "wire/errors.h"
#include "wire/names.h"
#include "wire/quantity.h"
#include "wire/text.h"

namespace berth::slurm {
namespace {

const std::vector<OptionSpec> kOptions = {{'u', "user", true},    {'n', "name", true},      {0, "jobname", true},
                                          {'t', "state", true},   {'p', "partition", true}, {'A', "account", true},
                                          {'q', "quiet", false},  {'Q', "Quiet", false},    {'v', "verbose", false},
                                          {'s', "signal", true},  {0, "me", false},         {0, "help", false},
                                          {'V', "version", false}};

constexpr const char* kUsage =
    "scancel [-u USER] [--me] [-n NAME] [-t STATE] [-p QUEUE] [-q] [-v] [ID...]\n"
    "IDs are 12, 12_3 or 12_[3-5,8]; 12 is all of array 12. See also: berth cancel --help";

// "12_[3-5]" as the elements that it names.
Result<std::vector<std::string>> expand(const std::string& word) {
  const auto bracket = word.find("_[");
  if (bracket == std::string::npos) return std::vector<std::string>{word};
  if (!word.ends_with(']'))
    return Error{ErrorCode::invalid, fmt::format("scancel: `{}` is not a job id", word), "as in 12_[3-5,8]"};
  const Result<ArraySpec> array = parse_array(word.substr(bracket + 2, word.size() - bracket - 3));
  if (!array) return at("scancel: " + word, array.error());
  std::vector<std::string> names;
  for (const auto index : array->indexes) names.push_back(fmt::format("{}_{}", word.substr(0, bracket), index));
  return names;
}

Result<JobFilter> filter_of(const Arguments& arguments) {
  JobFilter filter;
  filter.states = {"pending", "starting", "running", "stopping"};
  if (const auto word = arguments.value("state")) {
    const auto state = state_from_any_name(*word);
    if (!state)
      return Error{ErrorCode::invalid, fmt::format("scancel: --state: `{}` is no state", *word), "PENDING or RUNNING"};
    filter.states = {std::string(name_of(*state))};
    if (*state == JobState::running) filter.states.emplace_back(name_of(JobState::starting));
  }
  filter.user = arguments.value("user").value_or("");
  if (const passwd* me = getpwuid(geteuid()); arguments.has("me") && me != nullptr) filter.user = me->pw_name;
  filter.name = arguments.value(arguments.has("name") ? "name" : "jobname").value_or("");
  filter.queue = arguments.value(arguments.has("partition") ? "partition" : "account").value_or("");
  return filter;
}

bool has_filter(const Arguments& arguments) {
  for (const char* name : {"user", "me", "name", "jobname", "state", "partition", "account"}) {
    if (arguments.has(name)) return true;
  }
  return false;
}

// Ids of the jobs that are meant: those named, less those that the filters leave out; or all that the filters take.
Result<std::vector<std::string>> targets(Client& client, const Arguments& arguments) {
  std::vector<std::string> named;
  for (const auto& word : arguments.operands()) {
    const Result<std::vector<std::string>> some = expand(word);
    if (!some) return some.error();
    named.insert(named.end(), some->begin(), some->end());
  }
  if (!has_filter(arguments)) return named;
  const Result<JobFilter> filter = filter_of(arguments);
  if (!filter) return filter.error();
  const Result<boost::json::value> jobs = fetch_jobs(client, *filter);
  if (!jobs) return jobs.error();
  std::vector<std::string> ids;
  for (const auto& value : array_field(as_object(*jobs), "jobs")) {
    const auto& row = as_object(value);
    const std::string id = fmt::format("{}", number_field(row, "id"));
    const auto is_named = [&](const std::string& name) {
      return std::find(named.begin(), named.end(), name) != named.end();
    };
    if (named.empty() || is_named(id) || is_named(text_field(row, "display_id"))) ids.push_back(id);
  }
  return ids;
}

int cancel(Client& client, const std::string& name, bool quiet, bool verbose) {
  const Result<boost::json::value> answer = client.post(job_path(name) + "/cancel", "{}");
  if (answer) {
    if (verbose) note("scancel: cancelled job " + name);
    return kExitDone;
  }
  // A job that has ended meanwhile is what was wanted; Slurm says nothing either.
  if (answer.error().code == ErrorCode::conflict && !verbose) return kExitDone;
  return quiet ? exit_status(answer.error().code) : fail(answer.error());
}

int run(const Arguments& arguments) {
  if (arguments.has("signal")) {
    return fail({ErrorCode::unsupported,
                 fmt::format("scancel: --signal {} is not offered: berth ends jobs by its own signals",
                             arguments.value("signal").value_or("")),
                 "without --signal it is SIGTERM, the job's grace, then SIGKILL"});
  }
  if (arguments.operands().empty() && !has_filter(arguments)) {
    return fail(
        {ErrorCode::invalid, "scancel: no job is named", "as in: scancel 12; scancel --me; scancel -u ada -t PENDING"});
  }
  Client client(client_socket(""));
  const Result<std::vector<std::string>> jobs = targets(client, arguments);
  if (!jobs) return fail(jobs.error());
  int worst = kExitDone;
  const bool quiet = arguments.has("quiet") || arguments.has("Quiet");
  for (const auto& job : *jobs) worst = std::max(worst, cancel(client, job, quiet, arguments.has("verbose")));
  return worst;
}

}  // namespace

int run_scancel(const std::vector<std::string>& words) {
  const Result<Arguments> arguments = Arguments::parse("scancel", words, kOptions);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("help")) return say(kUsage), kExitDone;
  if (arguments->has("version")) return say(fmt::format("berth {} (scancel)", BERTH_VERSION)), kExitDone;
  return run(*arguments);
}

}  // namespace berth::slurm
