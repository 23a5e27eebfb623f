// Attempt: one try of a job on this machine: its tasks as a gang, from launch or adoption to the one report of its end.
//   - all tasks start or none goes on: a task that cannot be launched takes the others with it
//   - a task that fails ends the others after the job's grace (as Slurm's --kill-on-bad-exit)
//   - AttemptStarted comes once all run; AttemptEnded once, after every process of every task is gone
// Engine's thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/local/machine.h"
#include "engine/local/task.h"
#include "model/observation.h"
#include "ports/engine.h"

namespace berth {

class Attempt {
 public:
  struct Events {
    std::function<void(AttemptKey)> started;
    std::function<void(observation::AttemptEnded)> ended;  // the attempt may be destroyed after this has returned
  };

  Attempt(Machine& machine, Launch launch, const std::vector<std::int32_t>& ranks, Events events);
  ~Attempt();

  const Launch& launch() const { return launch_; }
  bool is_running() const { return reported_start_; }
  void start();
  // False: nothing of it was ever launched.
  bool adopt();
  // Of an attempt that nobody expects: kills what lives of it.
  void adopt_to_kill();
  void stop(const Stop& stop);
  void signal(std::int32_t signal_number, bool first_only);
  // A device of it is gone for good: ends it, as lost.
  void give_up(const std::string& why);
  bool holds(const std::string& gpu_uuid) const;
  bool owns_any(const std::vector<pid_t>& ancestry) const;

 private:
  TaskOrder order_for(Task& task, const std::optional<Account>& account) const;
  std::optional<int> prepare(const std::optional<Account>& account);
  LaunchNames names() const;
  LogPaths logs_of(std::int32_t rank) const;
  bool shares_log_with_earlier(std::int32_t rank) const;
  bool drops_user() const;
  void launch_first();
  void launch_rest();
  void report_start_if_all();
  void on_started(Task& task);
  void on_ended(Task& task);
  void on_absent(Task& task);
  void end_rest(const Task& bad);
  void skip_idle();
  void deliver_all(int signal_number);
  void kill_all();
  void step_down(int signal_number, Duration left);
  void report_if_over();
  std::vector<std::string> gpu_uuids() const;
  void blame_hardware(observation::AttemptEnded& ended) const;
  void schedule(Duration delay, EventLoop::Work work);

  Machine& machine_;
  Launch launch_;
  Events events_;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::optional<Account> account_;
  std::int32_t port_ = 0;
  bool adopting_ = false;
  bool reported_start_ = false;
  bool reported_end_ = false;
  std::optional<Stop> stopping_;
  bool killing_ = false;
  int last_signal_ = 0;   // sent while stopping; repeated for a task that starts later
  std::string hardware_;  // what failed under it
  const Task* first_bad_ = nullptr;
  std::vector<EventLoop::TimerId> timers_;
};

}  // namespace berth
