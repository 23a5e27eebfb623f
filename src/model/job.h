// Job: what a user submits (JobSpec, immutable) and what became of it so far (Job).
// A job is a gang of one or more task groups: all of its tasks start together or none does.
// JobSpec holds the user's own words after parsing; nothing in berth ever rewrites one.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/amount.h"
#include "base/ids.h"
#include "base/time.h"

namespace berth {

enum class JobClass { training, inference, batch, interactive };

// What may be done to an attempt so that it can go on later.
enum class Interruptible { no, requeue, checkpoint, suspend };

// each: every task runs the command. first: the command runs once, on the first task's node, and sees what the whole
// job holds there (the meaning of a Slurm batch script).
enum class LaunchMode { each, first };

// What one task wants of GPUs. Either `count` whole GPUs, or (count == 0) one share of one GPU, given by `milli` or by
// `memory`; a share given one way is booked the other way too, in proportion to the device (shares are advisory).
struct GpuRequest {
  std::int32_t count = 0;
  MilliGpu milli;  // 1..999, count == 0
  Mib memory;      // count == 0: size of the share; count > 0: least memory that each whole GPU must have
  friend auto operator<=>(const GpuRequest&, const GpuRequest&) = default;
  bool is_share() const { return count == 0 && (milli > MilliGpu{} || memory > Mib{}); }
  bool any() const { return count > 0 || is_share(); }
};

struct GpuTypePreference {
  std::string type;  // as nodes report it, e.g. "H100-80GB"; matching is by gpu_type_matches (model/node.h)
  std::int32_t speed_milli = 1000;  // relative speed, 1000 = nominal
  friend bool operator==(const GpuTypePreference&, const GpuTypePreference&) = default;
};

// `count` equal tasks. A task is one process tree on one node.
struct TaskGroup {
  std::string name;
  std::int32_t count = 1;
  std::int32_t max_per_node = 0;  // 0: no bound; 1: every task on a node of its own
  bool exclusive = false;         // the nodes of these tasks are shared with nobody
  GpuRequest gpus;
  MilliCpu cpus{1000};
  Mib memory;  // 0: none asked
  friend bool operator==(const TaskGroup&, const TaskGroup&) = default;
};

// Which nodes will do. `features` is a conjunction of disjunctions: every inner list needs one hit.
struct NodeConstraints {
  std::vector<std::vector<std::string>> features;
  std::vector<std::string> include;  // only these nodes, if any are named
  std::vector<std::string> exclude;
  friend auto operator<=>(const NodeConstraints&, const NodeConstraints&) = default;
};

enum class DependencyKind { after, afterok, afternotok, afterany };

struct Dependency {
  DependencyKind kind = DependencyKind::afterany;
  JobId job;       // an array's first id means all of its elements
  Duration delay;  // only `after`: so long after the start
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

enum class RetryAction { retry, fail };

struct RetryRule {
  std::int32_t first_exit = 0;  // exit codes first..last, inclusive; 128+n for signal n
  std::int32_t last_exit = 0;
  RetryAction action = RetryAction::retry;
  friend bool operator==(const RetryRule&, const RetryRule&) = default;
};

// Retries after the job's own failures. Node failures and failed launches never spend them (rule 10).
struct RetryPolicy {
  std::int32_t attempts = 0;       // further attempts after the first
  Duration backoff = seconds(10);  // before the first retry; doubles each time
  Duration backoff_max = minutes(30);
  std::vector<RetryRule> rules;  // the first that matches decides; none: retry
  bool requeue_on_node_failure = true;
  friend bool operator==(const RetryPolicy&, const RetryPolicy&) = default;
};

// The interruption contract, section 6 of the design.
struct InterruptContract {
  Interruptible mode = Interruptible::no;
  std::int32_t checkpoint_signal = 10;  // SIGUSR1 on Linux
  Duration grace = seconds(30);         // between signals, before SIGKILL
  friend bool operator==(const InterruptContract&, const InterruptContract&) = default;
};

// A signal that the job wants some time before its limit (Slurm's --signal).
struct WarningSignal {
  std::int32_t signal = 0;  // 0: none
  Duration before = seconds(60);
  bool batch_only = false;  // only the first process, not its children
  friend bool operator==(const WarningSignal&, const WarningSignal&) = default;
};

// Only at submit: the job becomes one job per index, with consecutive ids.
struct ArraySpec {
  std::vector<std::int32_t> indexes;  // ascending, distinct, not empty
  std::int32_t throttle = 0;          // how many may run at once; 0: no bound
  friend bool operator==(const ArraySpec&, const ArraySpec&) = default;
};

struct JobSpec {
  std::string name;
  std::string queue;  // empty: the default queue
  std::string user;   // set by the daemon from the connection
  std::string comment;

  std::vector<std::string> command;  // argv; empty if `script` is given
  std::string script;                // text with a shebang line; run as a file
  std::vector<std::string> script_args;
  LaunchMode launch = LaunchMode::each;
  std::string workdir;
  std::map<std::string, std::string> env;
  std::string stdin_path;    // empty: /dev/null
  std::string stdout_path;   // %j %A %a %x %u %N %t patterns as in Slurm; empty: "berth-%j.out" in workdir
  std::string stderr_path;   // empty: the same file as stdout
  bool append_logs = false;  // to what is there; attempts after the first always append

  std::vector<TaskGroup> groups{TaskGroup{}};
  std::vector<GpuTypePreference> gpu_types;  // in order of preference; empty: any
  NodeConstraints nodes;

  JobClass job_class = JobClass::batch;
  std::int32_t priority = 0;
  std::optional<Time> begin;
  std::optional<Duration> time_limit;  // none: the queue's default, or no limit
  std::vector<Dependency> depends;
  bool singleton = false;  // one at a time of this name and user
  bool hold = false;       // submitted held
  InterruptContract interrupt;
  WarningSignal warning;
  RetryPolicy retry;
  std::optional<ArraySpec> array;
  bool cuda_by_index = false;  // CUDA_VISIBLE_DEVICES as indexes instead of UUIDs

  friend bool operator==(const JobSpec&, const JobSpec&) = default;
};

// pending -> starting -> running -> (stopping ->) one of the ended states, or back to pending with the next attempt.
enum class JobState { pending, starting, running, stopping, completed, failed, cancelled, timeout };

constexpr bool is_ended(JobState s) { return s >= JobState::completed; }
constexpr bool is_active(JobState s) {
  return s == JobState::starting || s == JobState::running || s == JobState::stopping;
}

// Why an attempt is being, or was, brought to its end by berth. none: it ended by itself.
enum class StopCause { none, user, limit, preempt, reclaim, drain, requeue };

// How an attempt ended. The four failures are kept apart (rule 10): only `failed` is the job's own.
enum class Outcome {
  succeeded,      // exit status 0
  failed,         // another exit status, or a signal that berth did not send
  stopped,        // ended since berth wanted it to (StopCause says why)
  launch_failed,  // it never ran: the machine's fault
  rejected,       // it never ran: the user's mistake (no such program or directory)
  lost,           // node, GPU or shim failed; the exit status is unknown
};

struct ExitStatus {
  std::int32_t code = 0;  // as a shell would give it: 128+n for signal n
  std::int32_t signal = 0;
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

struct ArrayRef {
  JobId first;  // id of the first element; names the array
  std::int32_t index = 0;
  std::int32_t throttle = 0;
  friend bool operator==(const ArrayRef&, const ArrayRef&) = default;
};

struct Job {
  JobId id;
  std::shared_ptr<const JobSpec> spec;
  QueueId queue = kNoQueue;
  std::optional<ArrayRef> array;
  JobState state = JobState::pending;
  std::string held_by;  // who holds it by hand; empty: nobody
  Time submitted;
  Time eligible;                     // not before this time (begin, backoff after a failure)
  std::int32_t attempt = 0;          // number of the newest attempt; 0: none yet
  std::int32_t retries = 0;          // spent of spec->retry.attempts
  std::int32_t launch_failures = 0;  // in a row; reset by a start
  Time started;                      // of the newest attempt; 0: never
  Time ended;                        // of the job; 0: not yet
  ExitStatus exit;                   // of the newest attempt that ended
  std::string reason;                // in words: why it ended, or why it was put back
};

bool operator==(const Job& a, const Job& b);  // by value, specs too

}  // namespace berth
