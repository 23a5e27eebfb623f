// From what stands on a command line to a JobSpec: reads the file, the environment and the user's surroundings,
// and lets wire/ parse. For `berth submit`, `berth check` and `sbatch`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/options.h"
#include "wire/sbatch.h"

namespace berth {

// Who and where we are. Variables that are not valid UTF-8 cannot be carried; their names are appended to `left_out`.
SubmitContext submit_context(std::vector<std::string>& left_out);

// `context` must outlive the call only. Not called if the line asks for help or the version.
Result<ParsedJob> read_job(const SubmitLine& line, const SubmitContext& context, OptionFace face);
// The whole file ("-": standard input), if it has at most `most` bytes.
Result<std::string> read_file(const std::string& path, std::size_t most, std::string_view what);

}  // namespace berth
