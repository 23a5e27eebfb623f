#include "engine/local/attempt.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "engine/local/environment.h"
#include "engine/local/files.h"

namespace berth {
namespace {

constexpr Duration kKillAgain = seconds(1);

Duration left_until(Time deadline) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return deadline - Time(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

std::string interpreter_of(const std::string& script) {
  if (script.rfind("#!", 0) != 0) return {};
  const std::size_t first = script.find_first_not_of(" \t", 2);
  if (first == std::string::npos) return {};
  return script.substr(first, script.find_first_of(" \t\n", first) - first);
}

}  // namespace

Attempt::Attempt(Machine& machine, Launch launch, const std::vector<std::int32_t>& ranks, Events events)
    : machine_(machine), launch_(std::move(launch)), events_(std::move(events)) {
  const Task::Events task_events{[this](Task& task) { on_started(task); }, [this](Task& task) { on_ended(task); },
                                 [this](Task& task) { on_absent(task); }};
  for (const std::int32_t rank : ranks)
    tasks_.push_back(std::make_unique<Task>(machine_, launch_.key, rank, task_events));
}

Attempt::~Attempt() {
  for (const auto& timer : timers_) machine_.loop.cancel(timer);
  if (port_ != 0) machine_.ports.give_back(port_);
}

bool Attempt::drops_user() const {
  const std::string& user = launch_.spec->user;
  return geteuid() == 0 && !user.empty() && user != machine_.own.name;
}

LogPaths Attempt::logs_of(std::int32_t rank) const {
  const JobSpec& spec = *launch_.spec;
  const LogNames names{launch_.key.job, launch_.array, spec.user, spec.name, machine_.options.node_name, 0, rank};
  return log_paths(spec, names);
}

bool Attempt::shares_log_with_earlier(std::int32_t rank) const {
  const LogPaths mine = logs_of(rank);
  for (std::int32_t earlier = 0; earlier < rank; ++earlier) {
    const LogPaths theirs = logs_of(earlier);
    if (mine.out == theirs.out || mine.err == theirs.err) return true;
  }
  return false;
}

LaunchNames Attempt::names() const {
  const JobSpec& spec = *launch_.spec;
  const std::int32_t rank = first_bad_ != nullptr ? first_bad_->rank() : 0;
  LaunchNames names{logs_of(rank), spec.workdir, {}, spec.command.empty(), interpreter_of(spec.script), spec.user};
  if (names.is_script && spec.script.empty()) return names;
  names.program = names.is_script ? machine_.dirs.script_file(launch_.key) : spec.command.front();
  return names;
}

// errno of what went wrong, if anything did.
std::optional<int> Attempt::prepare(const std::optional<Account>& account) {
  if (const int error = machine_.dirs.make_attempt_dir(launch_.key)) return error;
  if (!launch_.spec->command.empty()) return std::nullopt;
  const std::string script = machine_.dirs.script_file(launch_.key);
  unlink(script.c_str());  // a daemon that died here may have left half of it
  if (const int error = write_file(script, launch_.spec->script, 0500)) return error;
  if (account && chown(script.c_str(), account->uid, account->gid) != 0) return errno;
  return std::nullopt;
}

TaskOrder Attempt::order_for(Task& task, const std::optional<Account>& account) const {
  const JobSpec& spec = *launch_.spec;
  TaskOrder order;
  order.shim_path = machine_.options.shim_path;
  order.dir = machine_.dirs.task_dir(launch_.key, task.rank());
  order.boot = machine_.boot;
  const TaskPlacement holding = holding_of(launch_, task.rank());
  order.group_orders =
      task_group_orders(machine_.cgroups, group_name(launch_.key, task.rank()), holding.cpus, holding.memory);
  order.drop_to = account;
  const Account& who = account ? *account : machine_.own;
  order.workdir = !spec.workdir.empty() ? spec.workdir : who.home;
  order.logs = logs_of(task.rank());
  // A later attempt never wipes out what an earlier one wrote: that is where its failure is told.
  order.append = spec.append_logs || launch_.key.attempt > 1 || shares_log_with_earlier(task.rank());
  order.argv = spec.command;
  if (order.argv.empty()) {
    order.argv.push_back(machine_.dirs.script_file(launch_.key));
    order.argv.insert(order.argv.end(), spec.script_args.begin(), spec.script_args.end());
  }
  const EnvironmentFacts facts{who, machine_.options.node_name, machine_.dirs.interrupt_file(launch_.key), port_,
                               machine_.cuda_index};
  order.environment = task_environment(launch_, task.rank(), facts);
  return order;
}

void Attempt::start() {
  const auto idle =
      std::find_if(tasks_.begin(), tasks_.end(), [](const auto& t) { return t->phase() == Task::Phase::idle; });
  if (drops_user()) {
    account_ = find_account(launch_.spec->user);
    // Never as root instead.
    if (!account_) return (*idle)->fail(shim::Stage::user, ENOENT);
  }
  if (const auto error = prepare(account_)) return (*idle)->fail(shim::Stage::fork, *error);
  if (port_ == 0) port_ = machine_.ports.take(launch_.key);
  launch_first();
}

// Tasks that write to one file start after the first has opened, and by that emptied, it.
void Attempt::launch_first() {
  Task& first = *tasks_.front();
  if (first.phase() == Task::Phase::idle) first.launch(order_for(first, account_));
  const bool share =
      std::any_of(tasks_.begin() + 1, tasks_.end(), [&](const auto& t) { return shares_log_with_earlier(t->rank()); });
  if (!share || first.has_started()) launch_rest();
}

void Attempt::launch_rest() {
  for (const auto& task : tasks_)
    if (task->phase() == Task::Phase::idle) task->launch(order_for(*task, account_));
}

// Events wait until all tasks have been looked at: one that failed must not end another that isn't known yet.
bool Attempt::adopt() {
  bool any = false;
  adopting_ = true;
  for (const auto& task : tasks_) any = task->adopt() || any;
  adopting_ = false;
  if (!any) return false;
  const auto bad = std::find_if(tasks_.begin(), tasks_.end(),
                                [](const auto& t) { return t->phase() == Task::Phase::ended && is_bad(t->ending()); });
  const bool partly =
      std::any_of(tasks_.begin(), tasks_.end(), [](const auto& t) { return t->phase() == Task::Phase::idle; });
  if (bad != tasks_.end()) {
    on_ended(**bad);
  } else if (partly) {
    start();  // the daemon died while it launched the gang
  }
  report_start_if_all();
  report_if_over();
  return true;
}

void Attempt::adopt_to_kill() {
  adopting_ = true;
  for (const auto& task : tasks_) task->adopt();
  adopting_ = false;
  skip_idle();
  stopping_ = Stop{.key = launch_.key, .cause = StopCause::user, .deadline = Time{}};
  kill_all();
  report_if_over();
}

void Attempt::report_start_if_all() {
  const bool all = std::all_of(tasks_.begin(), tasks_.end(), [](const auto& t) { return t->has_started(); });
  if (all && !reported_end_ && !std::exchange(reported_start_, true)) events_.started(launch_.key);
}

void Attempt::on_started(Task& task) {
  if (adopting_) return;
  if (killing_) return task.kill();
  if (stopping_ && last_signal_ != 0) task.deliver(last_signal_, false);
  if (&task == tasks_.front().get() && !stopping_ && first_bad_ == nullptr) launch_rest();
  report_start_if_all();
}

void Attempt::on_ended(Task& task) {
  if (adopting_) return;
  if (first_bad_ == nullptr && is_bad(task.ending())) {
    first_bad_ = &task;
    end_rest(task);
  }
  report_if_over();
}

void Attempt::on_absent(Task& task) {
  if (adopting_) return;
  if (!stopping_ && first_bad_ == nullptr && hardware_.empty()) return start();
  task.skip();
  report_if_over();
}

void Attempt::skip_idle() {
  for (const auto& task : tasks_)
    if (task->phase() == Task::Phase::idle) task->skip();
}

void Attempt::end_rest(const Task& bad) {
  skip_idle();
  if (stopping_) return;  // a deadline stands already
  const auto& record = bad.ending().record;
  if (!record || record->stage != shim::Stage::none) return kill_all();
  deliver_all(SIGTERM);
  schedule(launch_.spec->interrupt.grace, [this] { kill_all(); });
}

void Attempt::deliver_all(int signal_number) {
  for (const auto& task : tasks_) task->deliver(signal_number, false);
}

void Attempt::kill_all() {
  killing_ = true;
  for (const auto& timer : timers_) machine_.loop.cancel(timer);
  timers_.clear();
  for (const auto& task : tasks_) task->kill();
  const bool left = std::any_of(tasks_.begin(), tasks_.end(), [](const auto& t) { return !t->is_over(); });
  if (left) schedule(kKillAgain, [this] { kill_all(); });
}

void Attempt::schedule(Duration delay, EventLoop::Work work) {
  timers_.push_back(machine_.loop.after(delay, std::move(work)));
}

void Attempt::stop(const Stop& stop) {
  if (reported_end_ || (stopping_ && stopping_->deadline <= stop.deadline)) return;
  stopping_ = stop;
  for (const auto& timer : timers_) machine_.loop.cancel(timer);
  timers_.clear();
  skip_idle();
  const Duration left = left_until(stop.deadline);
  machine_.dirs.write_interrupt(launch_.key, stop.cause, stop.deadline);
  if (left <= Duration{}) {
    kill_all();
  } else {
    step_down(stop.first_signal, left);
  }
  report_if_over();
}

void Attempt::step_down(int signal_number, Duration left) {
  last_signal_ = signal_number;
  deliver_all(signal_number);
  if (signal_number != SIGTERM && signal_number != SIGKILL) {
    schedule(Duration(left.ms() / 2), [this] {
      last_signal_ = SIGTERM;
      deliver_all(SIGTERM);
    });
  }
  schedule(left, [this] { kill_all(); });
}

void Attempt::signal(std::int32_t signal_number, bool first_only) {
  for (const auto& task : tasks_) {
    if (first_only && task->rank() != 0) continue;
    task->deliver(signal_number, first_only);
  }
}

std::vector<std::string> Attempt::gpu_uuids() const {
  std::vector<std::string> uuids;
  for (const TaskPlacement& task : launch_.placement) {
    const auto node = launch_.nodes.find(task.node);
    for (const GpuSlice& slice : task.gpus)
      if (node != launch_.nodes.end() && static_cast<std::size_t>(slice.gpu) < node->second.gpus.size())
        uuids.push_back(node->second.gpus[static_cast<std::size_t>(slice.gpu)].uuid);
  }
  return uuids;
}

bool Attempt::holds(const std::string& gpu_uuid) const {
  const auto uuids = gpu_uuids();
  return std::find(uuids.begin(), uuids.end(), gpu_uuid) != uuids.end();
}

void Attempt::give_up(const std::string& why) {
  if (reported_end_ || stopping_ || !hardware_.empty()) return;
  hardware_ = why;
  skip_idle();
  deliver_all(SIGTERM);
  schedule(launch_.spec->interrupt.grace, [this] { kill_all(); });
}

// A job that fails on a device that is broken has not failed by itself (rule 10).
void Attempt::blame_hardware(observation::AttemptEnded& ended) const {
  if (ended.outcome != Outcome::failed || stopping_) return;
  std::string why = hardware_;
  for (const std::string& uuid : gpu_uuids())
    if (why.empty() && machine_.gpu_trouble) why = machine_.gpu_trouble(uuid);
  if (why.empty()) return;
  ended.outcome = Outcome::lost;
  ended.message = why + (ended.message.empty() ? "" : "; the job: " + ended.message);
  ended.node = machine_.options.node_name;
}

bool Attempt::owns_any(const std::vector<pid_t>& ancestry) const {
  for (const auto& task : tasks_)
    if (std::any_of(ancestry.begin(), ancestry.end(), [&](pid_t pid) { return task->owns(pid); })) return true;
  return false;
}

void Attempt::report_if_over() {
  const bool over = std::all_of(tasks_.begin(), tasks_.end(), [](const auto& t) { return t->is_over(); });
  if (!over || std::exchange(reported_end_, true)) return;
  std::vector<TaskEnding> endings;
  for (const auto& task : tasks_)
    if (task->phase() == Task::Phase::ended) endings.push_back(task->ending());
  if (endings.empty()) endings.push_back({0, std::nullopt, "it was stopped before it was launched"});
  const TaskEnding* deciding = first_bad_ != nullptr ? &first_bad_->ending() : nullptr;
  auto ended = conclude(launch_.key, endings, deciding, machine_.options.node_name, names());
  blame_hardware(ended);
  events_.ended(std::move(ended));
}

}  // namespace berth
