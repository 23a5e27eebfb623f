#include "engine/local/outcome.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace berth {
namespace {

using shim::Stage;

constexpr std::int32_t kCheckpointed = 85;  // the contract's "go on later": not a failure that ends the other tasks

std::string error_name(int error) {
  const char* name = strerrorname_np(error);
  return std::string(strerrordesc_np(error) != nullptr ? strerrordesc_np(error) : "unknown error") + " (" +
         (name != nullptr ? name : std::to_string(error)) + ")";
}

// What only more of the machine can cure; everything else is how the job was asked for.
bool is_shortage(int error) {
  switch (error) {
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EIO:
    case EINTR:
    case ETXTBSY:
      return true;
    default:
      return false;
  }
}

std::string exec_error_text(int error, const LaunchNames& names) {
  if (error == E2BIG) return "the arguments and the environment together are too large for the system";
  if (names.is_script && (error == ENOENT || error == ENOTDIR) && !names.interpreter.empty())
    return "the script's interpreter " + names.interpreter + " (its first line) does not exist";
  if (error == ENOENT && names.program.find('/') == std::string::npos)
    return "no program " + names.program + " in the job's PATH: " + error_name(error);
  return "cannot run " + names.program + ": " + error_name(error);
}

const TaskEnding* rank_zero(const std::vector<TaskEnding>& endings) {
  const auto found = std::find_if(endings.begin(), endings.end(), [](const TaskEnding& e) { return e.rank == 0; });
  return found == endings.end() ? &endings.front() : &*found;
}

std::string exit_text(const TaskEnding& e, std::size_t tasks) {
  const std::string who = tasks > 1 ? "task " + std::to_string(e.rank) + " " : "";
  if (e.record->oom_kills > 0)
    return who + "ran out of memory: the kernel killed it at the memory that the job asked for";
  if (e.record->signal != 0) {
    const char* name = sigabbrev_np(e.record->signal);
    return who + "ended by signal " + (name != nullptr ? std::string("SIG") + name : std::to_string(e.record->signal));
  }
  return e.record->code == 0 ? std::string{} : who + "exit code " + std::to_string(e.record->code);
}

void add_use(observation::AttemptEnded& ended, const std::vector<TaskEnding>& endings) {
  for (const TaskEnding& e : endings) {
    if (!e.record) continue;
    ended.cpu_ms += e.record->cpu_ms;
    ended.peak_memory += Mib(e.record->peak_mib);
  }
}

}  // namespace

bool is_bad(const TaskEnding& ending) {
  if (!ending.record) return true;
  return ending.record->stage != Stage::none || (ending.record->code != 0 && ending.record->code != kCheckpointed);
}

Outcome outcome_of_launch_error(Stage stage, int error) {
  switch (stage) {
    case Stage::directory:
    case Stage::input:
    case Stage::output:
    case Stage::error_output:
    case Stage::exec:
      return is_shortage(error) ? Outcome::launch_failed : Outcome::rejected;
    case Stage::user:  // ENOENT: there is no such user here
      return error == ENOENT ? Outcome::rejected : Outcome::launch_failed;
    default:
      return Outcome::launch_failed;
  }
}

std::string launch_error_text(Stage stage, int error, const LaunchNames& names) {
  switch (stage) {
    case Stage::directory:
      return "cannot enter the working directory " + names.workdir + ": " + error_name(error);
    case Stage::input:
      return "cannot read standard input from " + names.logs.in + ": " + error_name(error);
    case Stage::output:
      return "cannot write standard output to " + names.logs.out + ": " + error_name(error);
    case Stage::error_output:
      return "cannot write standard error to " + names.logs.err + ": " + error_name(error);
    case Stage::exec:
      return exec_error_text(error, names);
    case Stage::user:
      return "cannot become the user " + names.user + ": " + error_name(error);
    case Stage::cgroup:
      return "cannot make the task's cgroup: " + error_name(error);
    case Stage::order:
      return "berth-shim does not understand this daemon: they are of different versions";
    default:
      return "cannot start a process: " + error_name(error);
  }
}

observation::AttemptEnded conclude(AttemptKey key, const std::vector<TaskEnding>& endings, const TaskEnding* first_bad,
                                   const std::string& node, const LaunchNames& names) {
  observation::AttemptEnded ended;
  ended.key = key;
  add_use(ended, endings);
  const TaskEnding& deciding = first_bad != nullptr ? *first_bad : *rank_zero(endings);
  if (!deciding.record) {
    ended.outcome = Outcome::lost;
    ended.message = deciding.lost_since;
    ended.node = node;
    return ended;
  }
  const ExitRecord& record = *deciding.record;
  ended.exit = {record.code, record.signal};
  if (record.stage != Stage::none) {
    ended.outcome = outcome_of_launch_error(record.stage, record.error);
    ended.exit = {};
    ended.message = launch_error_text(record.stage, record.error, names);
    if (ended.outcome == Outcome::launch_failed) ended.node = node;
    return ended;
  }
  ended.outcome = record.code == 0 ? Outcome::succeeded : Outcome::failed;
  ended.message = exit_text(deciding, endings.size());
  return ended;
}

}  // namespace berth
