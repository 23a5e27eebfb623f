// RunDir: where attempts live on disk: <run_dir>/<job>.<attempt>/ is the directory of the attempt (script, interrupt file)
// and of its first task (state and exit, see shim_contract.h); the other tasks have <rank>/ below it. A task's lock is a
// flock of its directory. Few files, since every start waits for them. What is here is all that survives the daemon.
// An attempt's directory is kept after its end until an adopt() no longer expects it: an end that the daemon had not
// made durable before a crash is then told again. Owned by the engine's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/local/descriptor.h"
#include "engine/local/processes.h"
#include "engine/local/shim_contract.h"
#include "model/allocation.h"
#include "ports/engine.h"

namespace berth {

// What a shim put down at the end of its task.
struct ExitRecord {
  shim::Stage stage = shim::Stage::none;  // where the launch failed; none: it ran
  int error = 0;                          // errno of that
  std::int32_t code = 0;
  std::int32_t signal = 0;
  std::int64_t cpu_ms = 0;
  std::int64_t peak_mib = 0;
  std::int64_t oom_kills = 0;
};

// What a shim put down once its task had settled.
struct StateRecord {
  std::string boot;
  ProcessId shim;
  ProcessId job;
};

class RunDir {
 public:
  explicit RunDir(std::string root);

  const std::string& root() const { return root_; }
  std::string attempt_dir(AttemptKey key) const;
  std::string task_dir(AttemptKey key, std::int32_t rank) const;
  std::string interrupt_file(AttemptKey key) const;
  std::string script_file(AttemptKey key) const;

  int make_attempt_dir(AttemptKey key) const;  // 0 or errno; it may exist
  int make_task_dir(AttemptKey key, std::int32_t rank) const;
  int write_interrupt(AttemptKey key, StopCause cause, Time deadline) const;
  std::vector<AttemptKey> attempts() const;  // those on disk
  std::vector<std::int32_t> ranks(AttemptKey key) const;

  std::optional<ExitRecord> exit_record(AttemptKey key, std::int32_t rank) const;
  std::optional<StateRecord> state_record(AttemptKey key, std::int32_t rank) const;
  // The lock, taken; empty if a shim holds it, or (errno set) if it cannot be opened.
  Descriptor take_lock(AttemptKey key, std::int32_t rank) const;
  bool is_locked(AttemptKey key, std::int32_t rank) const;  // a shim lives
  bool exists(AttemptKey key, std::int32_t rank) const;     // a launch was at least prepared

 private:
  std::string root_;
};

}  // namespace berth
