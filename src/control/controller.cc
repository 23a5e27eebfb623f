#include "control/controller.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "core/decide.h"

namespace berth {
namespace {

constexpr std::size_t kRequestsAtOnce = 4'096;
constexpr Duration kAfterFailedAppend = seconds(1);
constexpr Duration kRepeatStop = seconds(10);
constexpr Duration kReconcileEvery = seconds(60);  // only while something runs
constexpr std::int32_t kSigTerm = 15;

}  // namespace

Controller::Controller(Store& store, Engine& engine, Inbox& inbox, View& view)
    : store_(store), engine_(engine), inbox_(inbox), view_(view) {}

Result<void> Controller::recover(Time now) {
  auto loaded = store_.load();
  if (!loaded) return loaded.error();
  state_ = std::move(*loaded);
  rebuild_indexes(state_);
  if (const auto broken = broken_invariants(state_); !broken.empty())
    return Error{ErrorCode::corrupt, "the stored state contradicts itself: " + broken.front(),
                 "restore a backup of the data directory"};
  view_.reset(state_, engine_.describe());
  engine_.attach([this](Observation seen) { inbox_.post(std::move(seen)); });
  std::vector<Launch> expected;
  for (const auto& [id, a] : state_.allocations) expected.push_back(launch_of(a));
  engine_.adopt(expected);
  for (const auto& [id, a] : state_.allocations) {
    if (a.phase == AllocationPhase::starting) start(a);
    if (a.phase == AllocationPhase::stopping) stop(a);
  }
  engine_.reconcile();
  last_reconcile_ = now;
  return {};
}

// The phases of a turn.
Time Controller::step(Time now) {
  ++stats_.steps;
  Inbox::Batch taken = inbox_.drain(kRequestsAtOnce);
  std::vector<Observation> observations = std::move(kept_back_);
  kept_back_.clear();
  observations.insert(observations.end(), std::make_move_iterator(taken.observations.begin()),
                      std::make_move_iterator(taken.observations.end()));

  take_observations(observations, now);
  take_requests(taken.requests, now);
  run_timers(now);
  const bool decided = decide_if_due(now);

  if (auto done = commit(); !done) {
    roll_back(done.error(), std::move(observations));
    return now + kAfterFailedAppend;
  }
  const Events committed = std::move(batch_);
  batch_.clear();
  if (!committed.empty() || decided) view_.publish(committed, decided ? &change_ : nullptr, stats_);
  answer();
  hand_over(committed, now);
  stop_unknown(observations, now);
  send_warnings(now);
  repeat_stops(now);
  if (!state_.allocations.empty() && last_reconcile_ + kReconcileEvery <= now) {
    last_reconcile_ = now;
    engine_.reconcile();
  }
  return next_due(now);
}

void Controller::emit(Event event) {
  apply(state_, event);
  planner_.note(state_, event);
  batch_.push_back(std::move(event));
}

void Controller::take_observations(const std::vector<Observation>& observations, Time now) {
  for (const Observation& seen : observations) {
    const auto* report = std::get_if<observation::AttemptsReported>(&seen.body);
    const Observation& taken = report == nullptr ? seen : Observation{with_young_attempts(*report)};
    for (Event& event : observe(state_, taken, now)) emit(std::move(event));
  }
}

// A report may have been made before an attempt started and be handled after: only what had run for a while when reports
// were last asked for can be missing from one.
observation::AttemptsReported Controller::with_young_attempts(observation::AttemptsReported report) const {
  for (const auto& [id, a] : state_.allocations)
    if (a.started + kReconcileEvery > last_reconcile_) report.live.push_back(a.key);
  return report;
}

void Controller::take_requests(std::vector<Inbox::Request>& requests, Time now) {
  for (Inbox::Request& request : requests) {
    auto handled = handle(state_, request.command, now);
    if (!handled) {
      replies_.emplace_back(std::move(request.reply), handled.error());
      continue;
    }
    for (Event& event : handled->events) emit(std::move(event));
    replies_.emplace_back(std::move(request.reply), std::move(handled->answer));
  }
}

// One timer may set off another: the end of a job ends those that depend on it.
void Controller::run_timers(Time now) {
  for (Events due = timers(state_, now); !due.empty(); due = timers(state_, now))
    for (Event& event : due) emit(std::move(event));
}

bool Controller::decide_if_due(Time now) {
  if (decided_ && batch_.empty() && now < std::min(plan_.next_wake, planner_.due())) return false;
  const auto begin = std::chrono::steady_clock::now();
  change_ = planner_.decide(state_, now);
  for (Event& event : to_events(state_, change_)) emit(std::move(event));
  merge(plan_, change_);
  const auto took = std::chrono::steady_clock::now() - begin;
  decided_ = true;
  ++stats_.decisions;
  stats_.last_decision_us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  stats_.max_decision_us = std::max(stats_.max_decision_us, stats_.last_decision_us);
  return true;
}

Result<void> Controller::commit() {
  if (batch_.empty()) return {};
  return store_.append(batch_, state_);
}

// Nothing of this step happened: the state is what was durable before, everybody who asked is told, and what engines saw is
// taken up again in the next step.
void Controller::roll_back(const Error& error, std::vector<Observation> observations) {
  ++stats_.append_failures;
  stats_.last_failure = error.message;
  std::tie(state_, plan_) = view_.read([](const Snapshot& s) { return std::pair{s.state, s.plan}; });
  batch_.clear();
  decided_ = false;
  planner_.reset();
  kept_back_ = std::move(observations);
  for (auto& [reply, result] : replies_) {
    if (!result.ok())
      reply(std::move(result));
    else
      reply(Error{error.code, "nothing was done: " + error.message, error.hint});
  }
  replies_.clear();
  view_.publish({}, nullptr, stats_);
}

void Controller::answer() {
  if (!batch_.empty()) return;
  stats_.last_failure.clear();
  auto replies = std::move(replies_);
  replies_.clear();
  for (auto& [reply, result] : replies) reply(std::move(result));
}

void Controller::hand_over(const Events& events, Time now) {
  for (const Event& event : events) {
    if (const auto* placed = std::get_if<event::AttemptPlaced>(&event.body)) {
      const auto it = state_.allocations.find(placed->key.job);
      if (it != state_.allocations.end() && it->second.key == placed->key) start(it->second);
    } else if (const auto* stopping = std::get_if<event::AttemptStopping>(&event.body)) {
      const auto it = state_.allocations.find(stopping->key.job);
      if (it != state_.allocations.end() && it->second.key == stopping->key) stop(it->second);
    } else if (const auto* ended = std::get_if<event::AttemptEnded>(&event.body)) {
      warned_.erase(ended->key);
      repeat_stop_.erase(ended->key);
      // Lost to us is not dead: whatever may be left of it must not run beside the next attempt.
      if (ended->outcome == Outcome::lost) engine_.stop({ended->key, StopCause::none, now, kSigTerm});
    }
  }
}

void Controller::start(const Allocation& a) { engine_.start(launch_of(a)); }

void Controller::stop(const Allocation& a) {
  const InterruptContract& contract = state_.jobs.at(a.key.job).spec->interrupt;
  const bool ask = contract.mode == Interruptible::checkpoint && a.cause != StopCause::user;
  engine_.stop({a.key, a.cause, a.stop_deadline, ask ? contract.checkpoint_signal : kSigTerm});
  repeat_stop_[a.key] = a.stop_deadline + kRepeatStop;
}

// Attempts that run but are not in the books must not run.
void Controller::stop_unknown(const std::vector<Observation>& observations, Time now) {
  for (const Observation& seen : observations) {
    const auto* report = std::get_if<observation::AttemptsReported>(&seen.body);
    if (report == nullptr) continue;
    for (const AttemptKey& key : report->live) {
      const auto it = state_.allocations.find(key.job);
      if (it == state_.allocations.end() || it->second.key != key) engine_.stop({key, StopCause::none, now, kSigTerm});
    }
  }
}

void Controller::send_warnings(Time now) {
  for (const auto& [at, id] : state_.indexes.warnings) {
    if (at > now) return;
    const Allocation& a = state_.allocations.at(id);
    const WarningSignal& warning = state_.jobs.at(id).spec->warning;
    if (warned_.insert(a.key).second) engine_.signal(a.key, warning.signal, warning.batch_only);
  }
}

void Controller::repeat_stops(Time now) {
  for (auto& [key, at] : repeat_stop_) {
    if (at > now) continue;
    at = now + kRepeatStop;
    const auto it = state_.allocations.find(key.job);
    if (it != state_.allocations.end() && it->second.key == key) engine_.stop({key, it->second.cause, now, kSigTerm});
  }
}

Launch Controller::launch_of(const Allocation& a) const {
  const Job& job = state_.jobs.at(a.key.job);
  Launch launch;
  launch.key = a.key;
  launch.spec = job.spec;
  launch.array = job.array;
  launch.placement = a.placement;
  launch.ends_by = a.ends_by;
  launch.queue = state_.queues[static_cast<std::size_t>(job.queue.value())].spec.name;
  for (const TaskPlacement& task : a.placement)
    launch.nodes.emplace(task.node, state_.nodes[static_cast<std::size_t>(task.node.value())]);
  return launch;
}

Time Controller::next_due(Time now) const {
  const Indexes& ix = state_.indexes;
  Time due = std::min(plan_.next_wake, planner_.due());
  if (!ix.limits.empty()) due = std::min(due, ix.limits.begin()->first);
  for (const auto& [at, id] : ix.ended) {
    // One that others wait for stays in memory; no time changes that.
    const auto& array = state_.jobs.at(id).array;
    if (ix.dependents.contains(id) || (array && ix.dependents.contains(array->first))) continue;
    due = std::min(due, std::max(at + state_.policy.keep_ended, now + seconds(1)));
    break;
  }
  for (const auto& [at, id] : ix.warnings) {
    if (warned_.contains(state_.allocations.at(id).key)) continue;
    due = std::min(due, at);
    break;
  }
  for (const auto& [key, at] : repeat_stop_) due = std::min(due, at);
  if (!state_.allocations.empty()) due = std::min(due, last_reconcile_ + kReconcileEvery);
  return std::max(due, now);
}

}  // namespace berth
