// sbatch: a batch script, or --wrap, becomes a job. Prints what Slurm's prints, since scripts read it; what was understood
// and warnings go to stderr.
#include <fmt/core.h>

#include <boost/json.hpp>

#include "app/cli/fields.h"
#include "app/cli/job_input.h"
#include "app/cli/screen.h"
#include "app/cli/slurm/applets.h"
#include "app/cli/socket_path.h"
#include "app/cli/submission.h"
#include "wire/errors.h"
#include "wire/understood.h"

namespace berth::slurm {
namespace {

constexpr const char* kUsage = "sbatch [OPTIONS] SCRIPT [ARGUMENTS]\nsbatch [OPTIONS] --wrap COMMAND\n\n";

// Which queues there are decides what --partition and --account mean. Without a daemon that stays open.
void learn_queues(Client& client, SubmitContext& context) {
  const Result<boost::json::value> queues = client.get("/v1/queues");
  if (!queues) return;
  context.queues.emplace();
  for (const auto& queue : array_field(as_object(*queues), "queues"))
    context.queues->insert(text_field(as_object(queue), "name"));
}

int tell(Client& client, const Submitted& submitted, const ParsedJob& job, const SubmitContext& context) {
  for (const auto& line : submitted.notes) note("sbatch: note: " + line);
  if (job.flags.dry_run) {
    for (const auto& line : understood(job.spec, context.zone)) note("sbatch: " + line);
    return kExitDone;
  }
  const auto id = submitted.jobs.empty() ? 0 : submitted.jobs.front();
  if (job.flags.parsable)
    say(fmt::format("{}", id));
  else if (!job.flags.quiet)
    say(fmt::format("Submitted batch job {}", id));
  if (!job.flags.wait) return kExitDone;
  const Result<int> worst = wait_for_jobs(client, submitted.jobs, true);
  return worst ? *worst : fail(worst.error());
}

}  // namespace

int run_sbatch(const std::vector<std::string>& words) {
  std::vector<std::string> left_out;
  SubmitContext context = submit_context(left_out);
  const Result<SubmitLine> line = split_submit_line(words, context, OptionFace::sbatch);
  if (!line) return fail(line.error());
  if (line->flags.help) return say(kUsage + options_help(OptionFace::sbatch)), kExitDone;
  if (line->flags.version) return say(fmt::format("berth {} (sbatch)", BERTH_VERSION)), kExitDone;
  Client client(client_socket(""));
  learn_queues(client, context);
  const Result<ParsedJob> job = read_job(*line, context, OptionFace::sbatch);
  if (!job) return fail(job.error());
  print_warnings(left_out, job->warnings);
  const Result<Submitted> submitted = submit_job(client, job->spec, job->flags.dry_run);
  if (!submitted) return fail(submitted.error());
  return tell(client, *submitted, *job, context);
}

}  // namespace berth::slurm
