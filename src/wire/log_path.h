// Where a job's output goes: Slurm's filename patterns into absolute paths. The engine opens by it, the API reads by it.
// %j %J job id   %A first id of the array   %a index   %x job name   %u user   %N node   %n node's rank   %t task's rank
// %s step ("batch")   %b index modulo 10   %% a percent sign. %4t pads with zeros to 4 places (at most 10).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "model/job.h"

namespace berth {

struct LogNames {
  JobId job;
  std::optional<ArrayRef> array;
  std::string user;
  std::string job_name;
  std::string node;            // of the task
  std::int32_t node_rank = 0;  // of that node among the job's nodes, by first appearance
  std::int32_t task_rank = 0;
};

// Unknown letters stay as they are. A slash in a name that is put in becomes '_': names never change directories.
std::string expand_log_path(std::string_view pattern, const LogNames& names);

struct LogPaths {
  std::string out;
  std::string err;  // equal to out unless the job asked for another file
  std::string in;   // "/dev/null" unless asked for
};

// Absolute, for one task. Relative patterns start in spec.workdir.
LogPaths log_paths(const JobSpec& spec, const LogNames& names);

inline constexpr std::string_view kDefaultLog = "berth-%j.out";
inline constexpr std::string_view kDefaultArrayLog = "berth-%A_%a.out";

}  // namespace berth
