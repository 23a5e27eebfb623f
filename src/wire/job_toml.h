// The TOML job file: every field of JobSpec under a readable name. Unknown keys and wrong types are errors with
// file:line:column and the nearest known key. See docs: examples/*.toml.
//
//   name = "train"            queue = "nlp"          comment = "..."
//   command = ["python", "train.py"]   or   command = "python train.py" (run by sh -c)   or   script = "#!/bin/bash..."
//   script_args = []          launch = "each"|"first"
//   workdir = "..."           env = { A = "1" }      inherit_env = true
//   stdin stdout stderr       append_logs = false
//   tasks = 4  gpus = 2|"H100:2"|"0.5"|"20G"  gpu_memory = "40G"  cpus = 8  memory = "64G"  max_per_node  exclusive
//     (one group; or [[group]] tables with name and the same keys, count for tasks)
//   gpu_types = ["H100", { type = "A100", speed = 0.5 }]
//   features = "a&(b|c)"      nodes = ["n1"]|"n[1-3]"        exclude
//   class  priority  begin = "now+1h"|datetime  time_limit = "4h"|"unlimited"
//   depends = ["afterok:12"]|"afterok:12"  singleton  hold  array = "0-9%2"  cuda_by_index
//   [interrupt] mode signal grace          [warning] signal before batch_only
//   [retry] attempts backoff backoff_max requeue_on_node_failure  rules = [{ exit = "1-3,137", action = "fail" }]
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "wire/sbatch.h"

namespace berth {

inline constexpr std::size_t kMaxJobFileBytes = 4u << 20;

// Relative workdir is taken from the context's cwd. Options of the command line win over the file.
Result<ParsedJob> parse_job_toml(std::string_view text, std::string_view file_name,
                                 const std::vector<std::string>& command_line_options, const SubmitContext& context,
                                 OptionFace face = OptionFace::berth);

}  // namespace berth
