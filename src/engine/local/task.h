// Task: one process tree of an attempt, from the launch of its shim until nothing of it is left.
//   idle -> launching -> running -> ended        launched here: watched through the shim's status pipe
//   idle -> adopting -> running -> ended         found on disk: watched through a pidfd of the shim
//                       running -> orphaned -> ended   the shim is gone, the job lives: watched through the job's pidfd
//   idle -> skipped                              never to be launched
// Engine's thread only. Events are called last in a function, since they may do anything to other tasks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/local/machine.h"
#include "engine/local/outcome.h"
#include "engine/local/task_start.h"

namespace berth {

class Task {
 public:
  struct Events {
    std::function<void(Task&)> started;
    std::function<void(Task&)> ended;
    std::function<void(Task&)> absent;  // it looked as if it had been launched, and never was
  };
  enum class Phase { idle, launching, adopting, running, orphaned, ended, skipped };

  Task(Machine& machine, AttemptKey key, std::int32_t rank, Events events);
  ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  std::int32_t rank() const { return ending_.rank; }
  Phase phase() const { return phase_; }
  bool is_over() const { return phase_ == Phase::ended || phase_ == Phase::skipped; }
  bool has_started() const { return started_; }
  const TaskEnding& ending() const { return ending_; }  // once ended

  void launch(const TaskOrder& order);
  // Takes up what an earlier life of the daemon left. False: it was never launched.
  bool adopt();
  void skip() { phase_ = Phase::skipped; }
  // Ends as a launch that failed here, before there was a shim.
  void fail(shim::Stage stage, int error);

  // To all processes of the task, or the first one only. A signal that is a notice (SIGUSR1 and the like, which kill
  // whoever has no handler) goes only to processes that catch it, so that it never kills the shell around the program.
  void deliver(int signal_number, bool first_only);
  void kill();  // everything, now
  std::vector<pid_t> processes() const;
  bool owns(pid_t pid) const { return pid == shim_.pid || pid == job_.pid; }

 private:
  void watch_status(Descriptor status);
  void on_status();
  bool watch_pid(const ProcessId& process, void (Task::*gone)());
  void close_watch();
  void find_shim();
  void on_lock_free();
  void on_shim_gone();
  void take_orphan();
  void on_orphan_gone();
  void finish_lost();
  void become_running();
  void end(TaskEnding ending);
  std::string group() const { return track_group(machine_.cgroups, group_name(key_, rank())); }

  Machine& machine_;
  AttemptKey key_;
  Events events_;
  Phase phase_ = Phase::idle;
  bool started_ = false;
  bool is_child_ = false;  // the shim is ours to reap
  ProcessId shim_;
  ProcessId job_;
  Descriptor watched_;  // status pipe or pidfd
  std::optional<EventLoop::TimerId> timer_;
  TaskEnding ending_;
};

}  // namespace berth
