// What the engine and berth-shim agree on: how one is told what to do, and how it tells what became of it.
// The engine starts `berth-shim key=value... -- argv...` in a directory of the task's own; the environment is the job's.
// Invariants: the directory is locked (flock) from before the shim exists until it is gone; the exit file appears by rename, once,
// and only when no process of the task is left. Plain constants only, since the shim links nothing of ours.
#pragma once

#include <cstdint>

namespace berth::shim {

// Descriptors that the shim is born with.
inline constexpr int kLockFd = 3;
inline constexpr int kStatusFd = 4;  // write end of a pipe: one Started, then end of file when the shim is gone

inline constexpr char kStateFile[] = "state";  // boot=ID shim=PID START job=PID START, one a line
inline constexpr char kExitFile[] = "exit";    // the keys of ExitRecord (run_dir.h), one a line

// Asks the shim to SIGKILL all that is left of its task. Any other signal leaves it alone.
inline constexpr int kKillOrder = 41;

struct Started {
  std::int32_t shim;
  std::int32_t job;
};

// Where the birth of a job failed. Their numbers are in exit files.
enum class Stage : std::int32_t {
  none = 0,
  order = 1,  // the shim was called wrongly
  cgroup = 2,
  fork = 3,
  user = 4,
  directory = 5,
  input = 6,
  output = 7,
  error_output = 8,
  exec = 9,
};

// A job that is younger than this gets neither state file nor late limits: most such jobs are over before either matters.
inline constexpr int kSettleMs = 10;

}  // namespace berth::shim
