// Batch scripts, by Slurm's own rules: a shebang is required; `#SBATCH` directives stand before the first command; several
// options may stand on one line; an unquoted # begins a comment; `##SBATCH` and `# SBATCH` are comments.
// `#BERTH` directives take berth's own options too and are comments to Slurm.
// What Slurm ignores without a word is a warning here. The command line wins over SBATCH_* variables, these over the script.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/job.h"
#include "wire/options.h"

namespace berth {

inline constexpr std::size_t kMaxScriptBytes = 4u << 20;

struct ParsedJob {
  JobSpec spec;
  std::vector<std::string> warnings;
  SubmitFlags flags;
};

// `command_line_options` are those before the script's name; `script_args` what stood behind it. `face` is the program
// that was called: sbatch or berth. spec.user stays empty: the daemon sets it.
Result<ParsedJob> parse_sbatch(std::string_view script, std::string_view file_name,
                               const std::vector<std::string>& command_line_options, const SubmitContext& context,
                               OptionFace face = OptionFace::sbatch, const std::vector<std::string>& script_args = {});

// A job without a script: `berth submit [options] -- CMD...` (words behind --) or `sbatch --wrap`.
Result<ParsedJob> parse_command_job(const std::vector<std::string>& command_line_options,
                                    const std::vector<std::string>& command, const SubmitContext& context,
                                    OptionFace face = OptionFace::berth);

// The whole command line of `sbatch` or `berth submit`, split without judging the options: what a caller needs to know
// before it can read the file. Errors are those of apply_options().
struct SubmitLine {
  std::vector<std::string> options;
  std::string file;                  // script or job file; empty: none; "-": standard input
  std::vector<std::string> args;     // of the script
  std::vector<std::string> command;  // behind --
  SubmitFlags flags;
  bool wrapped = false;  // --wrap was given
};
Result<SubmitLine> split_submit_line(const std::vector<std::string>& words, const SubmitContext& context,
                                     OptionFace face);

// True if the text is to be read as a script (it begins with #!), not as a TOML job file.
bool looks_like_script(std::string_view text);

}  // namespace berth
