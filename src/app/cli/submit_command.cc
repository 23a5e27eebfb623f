// submit: a command, a TOML job file or a batch script becomes a job.
#include <fmt/core.h>
#include <unistd.h>

#include <boost/json.hpp>

#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/job_input.h"
#include "app/cli/screen.h"
#include "app/cli/submission.h"
#include "wire/errors.h"
#include "wire/json_document.h"
#include "wire/lint.h"
#include "wire/understood.h"

namespace berth {
namespace {

constexpr const char* kUsage =
    "berth submit [OPTIONS] FILE [ARGUMENTS]     a TOML job file (*.toml) or a batch script (#!, with #SBATCH or "
    "#BERTH lines)\n"
    "berth submit [OPTIONS] -- COMMAND...        a command, run by each task\n"
    "berth submit [OPTIONS] < FILE               the same from standard input\n\n"
    "Examples:\n"
    "  berth submit --gpus 2 --time 1h -- python train.py --epochs 3\n"
    "  berth submit --dry-run train.sh            what it would do; nothing is submitted\n"
    "  berth submit --wait job.toml && echo done\n\n";

boost::json::array texts(const std::vector<std::string>& lines) {
  return boost::json::array(lines.begin(), lines.end());
}

void print_as_json(const Submitted& submitted, const ParsedJob& job, const std::vector<std::string>& lines) {
  boost::json::array ids(submitted.jobs.begin(), submitted.jobs.end());
  say(to_text(boost::json::object{{"jobs", std::move(ids)},
                                  {"dry_run", job.flags.dry_run},
                                  {"understood", texts(lines)},
                                  {"warnings", texts(job.warnings)},
                                  {"notes", texts(submitted.notes)}}));
}

std::string headline(const Submitted& submitted, bool dry_run) {
  if (dry_run) return "Would submit a job";
  const auto& jobs = submitted.jobs;
  if (jobs.size() == 1) return fmt::format("Submitted job {}", jobs.front());
  return fmt::format("Submitted job {} (an array of {}: {} to {})", jobs.front(), jobs.size(), jobs.front(),
                     jobs.back());
}

void print_for_people(const Submitted& submitted, const ParsedJob& job, const std::vector<std::string>& lines) {
  if (job.flags.parsable) {
    if (!submitted.jobs.empty()) say(fmt::format("{}", submitted.jobs.front()));
  } else {
    say(headline(submitted, job.flags.dry_run));
    if (!job.flags.quiet) {
      for (const auto& line : lines) say("  " + line);
    }
  }
  for (const auto& line : submitted.notes) note("berth: note: " + line);
}

// Without a daemon a dry run says what can be said of the file alone.
Result<Submitted> submit_or_lint(Client& client, const ParsedJob& job) {
  Result<Submitted> submitted = submit_job(client, job.spec, job.flags.dry_run);
  if (submitted || !job.flags.dry_run || submitted.error().code != ErrorCode::unavailable) return submitted;
  Submitted alone;
  alone.notes.push_back("no daemon was asked, so nothing is said of queues and nodes");
  for (const auto& finding : lint(job.spec, {})) alone.notes.push_back(to_text(finding));
  return alone;
}

int wait_and_tell(Client& client, const Submitted& submitted, bool quiet) {
  const Result<int> worst = wait_for_jobs(client, submitted.jobs, quiet);
  if (!worst) return fail(worst.error());
  return *worst == 0 ? kExitDone : kExitNo;
}

int submit_line(Client& client, const SubmitLine& line, const SubmitContext& context,
                const std::vector<std::string>& left_out) {
  const Result<ParsedJob> job = read_job(line, context, OptionFace::berth);
  if (!job) return fail(job.error());
  print_warnings(left_out, job->warnings);
  const Result<Submitted> submitted = submit_or_lint(client, *job);
  if (!submitted) return fail(submitted.error());
  const std::vector<std::string> lines = understood(job->spec, context.zone);
  if (job->flags.json)
    print_as_json(*submitted, *job, lines);
  else
    print_for_people(*submitted, *job, lines);
  if (!job->flags.wait || job->flags.dry_run) return kExitDone;
  return wait_and_tell(client, *submitted, job->flags.json || job->flags.parsable);
}

}  // namespace

int run_submit(Client& client, const std::vector<std::string>& words) {
  std::vector<std::string> left_out;
  const SubmitContext context = submit_context(left_out);
  const Result<SubmitLine> line = split_submit_line(words, context, OptionFace::berth);
  if (!line) return fail(line.error());
  // An abbreviation of Slurm's --sockets-per-node to the table of options, but never meant so.
  if (std::any_of(line->options.begin(), line->options.end(),
                  [](const auto& word) { return word == "--socket" || word.starts_with("--socket="); })) {
    return fail({ErrorCode::invalid, "--socket does not stand among the options of the job",
                 "directly behind submit: berth submit --socket PATH ..."});
  }
  if (line->flags.help) {
    say(kUsage + options_help(OptionFace::berth));
    return kExitDone;
  }
  return submit_line(client, *line, context, left_out);
}

}  // namespace berth
