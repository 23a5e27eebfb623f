#include "engine/local/task.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace berth {
namespace {

constexpr Duration kLookAgain = milliseconds(5);   // for a state file that is about to appear
constexpr Duration kKillAgain = milliseconds(50);  // for orphans that are still dying

Descriptor open_pidfd(pid_t pid) { return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))); }

bool is_notice(int signal_number) {
  switch (signal_number) {
    case SIGTERM:
    case SIGKILL:
    case SIGINT:
    case SIGHUP:
    case SIGQUIT:
    case SIGSTOP:
    case SIGTSTP:
    case SIGCONT:
      return false;
    default:
      return true;
  }
}

}  // namespace

Task::Task(Machine& machine, AttemptKey key, std::int32_t rank, Events events)
    : machine_(machine), key_(key), events_(std::move(events)) {
  ending_.rank = rank;
}

Task::~Task() {
  if (timer_) machine_.loop.cancel(*timer_);
  close_watch();
}

void Task::fail(shim::Stage stage, int error) {
  TaskEnding ending;
  ending.record = ExitRecord{.stage = stage, .error = error};
  end(std::move(ending));
}

void Task::launch(const TaskOrder& order) {
  phase_ = Phase::launching;
  if (const int error = machine_.dirs.make_task_dir(key_, rank())) return fail(shim::Stage::fork, error);
  Descriptor lock = machine_.dirs.take_lock(key_, rank());
  if (!lock) return errno == EWOULDBLOCK ? void(adopt()) : fail(shim::Stage::fork, errno);
  StartedShim started = start_shim(order, std::move(lock), machine_.nursery);
  if (started.error != 0) return fail(started.error == E2BIG ? shim::Stage::exec : shim::Stage::fork, started.error);
  is_child_ = started.pid > 0;
  if (is_child_) shim_.pid = started.pid;
  watch_status(std::move(started.status));
}

void Task::watch_status(Descriptor status) {
  watched_ = std::move(status);
  machine_.loop.watch(watched_.get(), [this] { on_status(); });
}

void Task::on_status() {
  shim::Started message{};
  const ssize_t n = read(watched_.get(), &message, sizeof message);
  if (n < 0) return;
  if (n == 0) return on_shim_gone();
  shim_.pid = message.shim;
  job_.pid = message.job;
  become_running();
}

void Task::become_running() {
  phase_ = Phase::running;
  if (std::exchange(started_, true)) return;
  events_.started(*this);
}

void Task::close_watch() {
  if (watched_) machine_.loop.unwatch(watched_.get());
  watched_.reset();
}

bool Task::watch_pid(const ProcessId& process, void (Task::*gone)()) {
  Descriptor pidfd = open_pidfd(process.pid);
  // Only after the descriptor is open does the start time say whose it is.
  if (!pidfd || start_of(process.pid) != process.start) return false;
  close_watch();
  watched_ = std::move(pidfd);
  machine_.loop.watch(watched_.get(), [this, gone] { (this->*gone)(); });
  return true;
}

bool Task::adopt() {
  // The lock first: a shim puts down the ending before it lets go, so "free and no ending" is final.
  const bool lives = machine_.dirs.is_locked(key_, rank());
  if (lives) {
    phase_ = Phase::adopting;
    find_shim();
    return true;
  }
  if (auto record = machine_.dirs.exit_record(key_, rank())) {
    started_ = record->stage == shim::Stage::none;
    TaskEnding ending;
    ending.record = *record;
    end(std::move(ending));
    return true;
  }
  if (machine_.dirs.state_record(key_, rank()) || (machine_.rebooted && machine_.dirs.exists(key_, rank()))) {
    started_ = true;
    take_orphan();
    return true;
  }
  kill_group(group());  // of a shim that was killed in its first moments
  return false;
}

// A young shim has no state file yet; it has one, or is gone, soon.
void Task::find_shim() {
  timer_.reset();
  const auto state = machine_.dirs.state_record(key_, rank());
  if (state && watch_pid(state->shim, &Task::on_shim_gone)) {
    shim_ = state->shim;
    job_ = state->job;
    return become_running();
  }
  if (!machine_.dirs.is_locked(key_, rank())) return on_lock_free();
  timer_ = machine_.loop.after(kLookAgain, [this] { find_shim(); });
}

// The lock of a launch that never came to be may be held for a moment by a process that was just being made.
void Task::on_lock_free() {
  if (machine_.dirs.exit_record(key_, rank()) || machine_.dirs.state_record(key_, rank())) return on_shim_gone();
  phase_ = Phase::orphaned;
  for (const pid_t pid : processes()) ::kill(pid, SIGKILL);  // of a shim that was killed in its first moments
  phase_ = Phase::idle;
  events_.absent(*this);
}

void Task::on_shim_gone() {
  close_watch();
  if (shim_.pid > 0) waitpid(shim_.pid, nullptr, is_child_ ? 0 : WNOHANG);  // an adopted one may be our child too
  shim_ = {};
  is_child_ = false;
  if (auto record = machine_.dirs.exit_record(key_, rank())) {
    if (record->stage == shim::Stage::none && !started_) become_running();
    TaskEnding ending;
    ending.record = *record;
    return end(std::move(ending));
  }
  take_orphan();
}

void Task::take_orphan() {
  phase_ = Phase::orphaned;
  ending_.lost_since = machine_.rebooted ? "the machine was restarted while it ran; the exit status is unknown"
                                         : "its berth-shim was killed; the exit status is unknown";
  const auto state = machine_.dirs.state_record(key_, rank());
  if (state && state->boot != machine_.boot) return finish_lost();
  if (state) job_ = state->job;
  if (job_.pid > 0 && job_.start == 0) job_.start = start_of(job_.pid);
  if (job_.pid > 0 && is_alive(job_) && watch_pid(job_, &Task::on_orphan_gone)) return;
  on_orphan_gone();
}

// The job itself is gone; nobody but us ends what it left.
void Task::on_orphan_gone() {
  close_watch();
  timer_.reset();
  const std::vector<pid_t> left = processes();
  if (left.empty()) return finish_lost();
  kill();
  timer_ = machine_.loop.after(kKillAgain, [this] { on_orphan_gone(); });
}

void Task::finish_lost() {
  remove_task_groups(machine_.cgroups, group_name(key_, rank()));
  TaskEnding ending;
  ending.lost_since = ending_.lost_since;
  end(std::move(ending));
}

void Task::end(TaskEnding ending) {
  ending.rank = rank();
  ending_ = std::move(ending);
  phase_ = Phase::ended;
  events_.ended(*this);
}

std::vector<pid_t> Task::processes() const {
  if (const std::string g = group(); !g.empty()) return processes_in(g);
  if (phase_ != Phase::orphaned) return shim_.pid > 0 ? descendants_of(shim_.pid) : std::vector<pid_t>{};
  // Without a shim or a group, the environment is what still tells whose a process is.
  return with_environment(
      {"BERTH_INTERRUPT_FILE=" + machine_.dirs.interrupt_file(key_), "BERTH_TASK_RANK=" + std::to_string(rank())});
}

void Task::deliver(int signal_number, bool first_only) {
  if (is_over()) return;
  const auto pids = first_only ? std::vector<pid_t>{job_.pid} : processes();
  for (const pid_t pid : pids) {
    if (pid <= 0 || (!first_only && is_notice(signal_number) && !catches(pid, signal_number))) continue;
    ::kill(pid, signal_number);
    if (signal_number == SIGTERM) ::kill(pid, SIGCONT);  // a stopped process could not act on it
  }
}

void Task::kill() {
  if (is_over()) return;
  if (shim_.pid > 0) ::kill(shim_.pid, shim::kKillOrder);
  if (const std::string g = group(); !g.empty()) return kill_group(g);
  if (phase_ != Phase::orphaned) return;
  for (const pid_t pid : processes()) ::kill(pid, SIGKILL);
}

}  // namespace berth
