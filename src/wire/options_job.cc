#include "wire/names.h"
#include "wire/options_table.h"
#include "wire/quantity_scan.h"

namespace berth {
namespace {

Result<void> take_text(const Given& given, std::string& into) {
  if (given.value.empty()) return Error{ErrorCode::invalid, "the value is empty", "write a value behind it"};
  into = given.value;
  return {};
}

Result<void> take_job_name(const Given& given, Draft& draft) { return take_text(given, draft.spec.name); }
Result<void> take_output(const Given& given, Draft& draft) { return take_text(given, draft.spec.stdout_path); }
Result<void> take_error(const Given& given, Draft& draft) { return take_text(given, draft.spec.stderr_path); }
Result<void> take_input(const Given& given, Draft& draft) { return take_text(given, draft.spec.stdin_path); }
Result<void> take_chdir(const Given& given, Draft& draft) { return take_text(given, draft.spec.workdir); }
Result<void> take_export(const Given& given, Draft& draft) { return take_text(given, draft.export_list); }
Result<void> take_wrap(const Given& given, Draft& draft) { return take_text(given, draft.wrap); }
Result<void> take_account(const Given& given, Draft& draft) { return take_text(given, draft.account); }
Result<void> take_partition(const Given& given, Draft& draft) { return take_text(given, draft.partition); }
Result<void> take_qos(const Given& given, Draft& draft) { return take_text(given, draft.qos); }
Result<void> take_queue(const Given& given, Draft& draft) { return take_text(given, draft.queue); }

Result<void> take_comment(const Given& given, Draft& draft) {
  draft.spec.comment = given.value;
  return {};
}

Result<void> take_open_mode(const Given& given, Draft& draft) {
  const std::string mode = to_lower(given.value);
  const bool append = mode == "append" || mode == "a";
  if (!append && mode != "truncate" && mode != "t")
    return not_a(given.value, "a way to open files", "write append or truncate");
  draft.spec.append_logs = append;
  return {};
}

Result<void> take_env(const Given& given, Draft& draft) {
  const std::size_t equals = given.value.find('=');
  if (equals == 0 || equals == std::string_view::npos)
    return not_a(given.value, "a variable with its value", "write NAME=VALUE; repeat the option for more");
  draft.spec.env[std::string(given.value.substr(0, equals))] = given.value.substr(equals + 1);
  return {};
}

Result<void> take_class(const Given& given, Draft& draft) {
  const auto job_class = from_name<JobClass>(to_lower(given.value));
  if (!job_class) return not_a(given.value, "a class of jobs", "write one of " + all_names<JobClass>());
  draft.spec.job_class = *job_class;
  return {};
}

Result<void> take_launch(const Given& given, Draft& draft) {
  const auto launch = from_name<LaunchMode>(to_lower(given.value));
  if (!launch)
    return not_a(given.value, "a way to launch", "write `each` (every task runs it) or `first` (it runs once)");
  draft.launch = *launch;
  return {};
}

template <bool SubmitFlags::*Flag>
Result<void> raise(const Given&, Draft& draft) {
  draft.flags.*Flag = true;
  return {};
}

Result<void> set_cuda_by_index(const Given&, Draft& draft) {
  draft.spec.cuda_by_index = true;
  return {};
}

constexpr auto kOptions = std::to_array<OptionRow>({
    {"job-name", 'J', Takes::value, Owner::slurm, "SBATCH_JOB_NAME", "NAME: name of the job", take_job_name},
    {"name", 0, Takes::value, Owner::berth, "", "NAME: the same", take_job_name},
    {"queue", 0, Takes::value, Owner::berth, "", "NAME: queue (tenant) that the job belongs to", take_queue},
    {"account", 'A', Takes::value, Owner::slurm, "SBATCH_ACCOUNT", "NAME: the queue, in Slurm's word", take_account},
    {"partition", 'p', Takes::value, Owner::slurm, "SBATCH_PARTITION", "NAME: the queue, if one has that name",
     take_partition},
    {"qos", 'q', Takes::value, Owner::slurm, "SBATCH_QOS", "NAME: the queue, if one has that name", take_qos},
    {"comment", 0, Takes::value, Owner::slurm, "", "TEXT: kept with the job", take_comment},
    {"output", 'o', Takes::value, Owner::slurm, "SBATCH_OUTPUT", "PATH: standard output; %j %A %a %x %N %t as in Slurm",
     take_output},
    {"error", 'e', Takes::value, Owner::slurm, "SBATCH_ERROR", "PATH: standard error; by default the same file",
     take_error},
    {"input", 'i', Takes::value, Owner::slurm, "SBATCH_INPUT", "PATH: standard input; by default /dev/null",
     take_input},
    {"open-mode", 0, Takes::value, Owner::slurm, "SBATCH_OPEN_MODE", "append|truncate: how logs are opened",
     take_open_mode},
    {"chdir", 'D', Takes::value, Owner::slurm, "", "DIR: where the job starts; by default here", take_chdir},
    {"export", 0, Takes::value, Owner::slurm, "SBATCH_EXPORT", "ALL|NONE|NAME[=VALUE],...: environment of the job",
     take_export},
    {"env", 0, Takes::value, Owner::berth, "", "NAME=VALUE: one more variable", take_env},
    {"wrap", 0, Takes::value, Owner::slurm, "", "COMMAND: a shell command instead of a script", take_wrap},
    {"class", 0, Takes::value, Owner::berth, "", "training|inference|batch|interactive", take_class},
    {"launch", 0, Takes::value, Owner::berth, "", "each|first: run in every task, or once", take_launch},
    {"cuda-by-index", 0, Takes::nothing, Owner::berth, "", "CUDA_VISIBLE_DEVICES as indexes, not UUIDs",
     set_cuda_by_index},
    {"parsable", 0, Takes::nothing, Owner::slurm, "", "print only the job's id", raise<&SubmitFlags::parsable>},
    {"wait", 'W', Takes::nothing, Owner::slurm, "SBATCH_WAIT", "stay until the job has ended",
     raise<&SubmitFlags::wait>},
    {"test-only", 0, Takes::nothing, Owner::slurm, "", "say what would be, submit nothing",
     raise<&SubmitFlags::dry_run>},
    {"dry-run", 0, Takes::nothing, Owner::berth, "", "the same", raise<&SubmitFlags::dry_run>},
    {"json", 0, Takes::nothing, Owner::berth, "", "answer in JSON", raise<&SubmitFlags::json>},
    {"quiet", 'Q', Takes::nothing, Owner::slurm, "", "say nothing but errors", raise<&SubmitFlags::quiet>},
    {"help", 'h', Takes::nothing, Owner::slurm, "", "this text", raise<&SubmitFlags::help>},
    {"version", 'V', Takes::nothing, Owner::slurm, "", "the version", raise<&SubmitFlags::version>},
});

}  // namespace

std::span<const OptionRow> job_options() { return kOptions; }

}  // namespace berth
