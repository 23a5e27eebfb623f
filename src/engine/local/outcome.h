// From what shims put down to what the controller is told. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/local/run_dir.h"
#include "model/observation.h"
#include "ports/engine.h"
#include "wire/log_path.h"

namespace berth {

// How one task ended. No record: its shim was lost, and the exit status with it.
struct TaskEnding {
  std::int32_t rank = 0;
  std::optional<ExitRecord> record;
  std::string lost_since;  // in words, without a record
};

// True if the rest of a gang has to be brought to its end since this task ended so.
bool is_bad(const TaskEnding& ending);

// Names of what a launch was about, for messages.
struct LaunchNames {
  LogPaths logs;
  std::string workdir;
  std::string program;  // argv[0], or the script's file
  bool is_script = false;
  std::string interpreter;  // of the script, from its first line
  std::string user;
};

Outcome outcome_of_launch_error(shim::Stage stage, int error);
std::string launch_error_text(shim::Stage stage, int error, const LaunchNames& names);

// `first_bad`: the ending that decided, if any did; else rank 0 does.
observation::AttemptEnded conclude(AttemptKey key, const std::vector<TaskEnding>& endings, const TaskEnding* first_bad,
                                   const std::string& node, const LaunchNames& names);

}  // namespace berth
