// The one table of options: sbatch's and berth's own. Directives of scripts, the command line of `sbatch` and that of
// `berth submit` are all read by it, so that an option means the same everywhere. An option that is not understood is
// refused with flag, value and the nearest known one; one that has no meaning here is taken with a note that says so.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/job.h"
#include "wire/sbatch_resources.h"
#include "wire/zone.h"

namespace berth {

// Who submits, and from where. Nothing in wire/ asks the system for any of it.
struct SubmitContext {
  std::string user;
  std::string cwd;
  Time now;
  Zone zone;
  std::map<std::string, std::string> env;
  // Names of queues, if the caller knows them: then --account, --partition and --qos choose a queue only if one has that
  // name. Without it --account names the queue, and --partition and --qos are noted.
  std::optional<std::set<std::string>> queues;
};

// Where options come from; they differ in what they may say. Later sources win: script, environment, command line.
enum class OptionFace {
  script,        // #SBATCH: sbatch's options only
  berth_script,  // #BERTH: all
  environment,   // SBATCH_*
  sbatch,        // the command line of `sbatch`
  berth,         // the command line of `berth submit`
};

// What is for the program that submits, not for the job.
struct SubmitFlags {
  bool parsable = false;  // print the id alone
  bool wait = false;      // stay until the job ended; exit as it did
  bool dry_run = false;   // --test-only, --dry-run: say what would be, submit nothing
  bool quiet = false;
  bool json = false;
  bool help = false;  // print options_help() and leave
  bool version = false;
};

// A job while its options are being read. finish() makes a JobSpec of it.
struct Draft {
  explicit Draft(const SubmitContext& context_in) : context(&context_in) {}

  const SubmitContext* context;
  JobSpec spec;  // all but groups, queue, env and gpu_types, which finish() settles
  SubmitFlags flags;
  std::vector<std::string> notes;  // for people: warnings and what has no meaning here
  AskedResources asked;
  std::string wrap;
  std::optional<LaunchMode> launch;  // --launch
  std::string queue, account, partition, qos;
  std::string gpu_types;  // --gpu-type, as given
  std::string export_list = "ALL";
  // What the newest --mem* option was and where it stood: two of a kind in one place contradict each other.
  std::optional<std::pair<OptionFace, std::string>> memory_by;

  void note(std::string text);  // once each
};

// What stands behind the options: the script's or job file's name and its arguments, or a command behind `--`.
struct Operands {
  std::vector<std::string> words;
  bool is_command = false;  // they stood behind `--`
};

// Reads options up to the first operand or `--`. `where` opens error messages ("job.sh:3: "); it may be empty.
// An OptionFace::script has no operands: a word that is no option ends the line, as in Slurm, with a note.
Result<Operands> apply_options(const std::vector<std::string>& words, OptionFace face, std::string_view where,
                               Draft& draft);
// SBATCH_* variables of the context.
Result<void> apply_environment(Draft& draft);
// The job that was asked for; also checks what only all options together can show.
Result<JobSpec> finish(Draft& draft);

// The table as help text, for `berth submit --help` and `sbatch --help`; and its long names, for completion.
std::string options_help(OptionFace face);
std::vector<std::string> option_names(OptionFace face);

}  // namespace berth
