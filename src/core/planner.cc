#include "core/planner.h"

#include <algorithm>
#include <variant>

#include "core/decide.h"
#include "core/order.h"

namespace berth {
namespace {

// Full decisions take about half a microsecond for each pending job (bench/cycle.cc): so they take up a twentieth of the time.
constexpr std::int64_t kPendingPerMs = 100;

template <class Body>
constexpr bool changes_little =
    std::is_same_v<Body, event::AttemptPlaced> || std::is_same_v<Body, event::AttemptStarted> ||
    std::is_same_v<Body, event::AttemptStopping> || std::is_same_v<Body, event::JobForgotten> ||
    std::is_same_v<Body, event::NodeLaunchWorked>;

}  // namespace

void Planner::note(const ClusterState& state, const Event& event) {
  if (!outlook_) return;
  std::visit(
      [&](const auto& body) {
        using Body = std::decay_t<decltype(body)>;
        if constexpr (std::is_same_v<Body, event::JobSubmitted>)
          note_arrival(state, body);
        else if constexpr (std::is_same_v<Body, event::JobEnded>)
          note_end(state, body.job);
        else if constexpr (std::is_same_v<Body, event::AttemptEnded>)
          ran_ = body.key.job;
        else if constexpr (!changes_little<Body>)
          outlook_.reset();
      },
      event.body);
}

// An end opens gates: of dependents, of the next of an array, of namesakes.
void Planner::note_end(const ClusterState& state, JobId id) {
  const Job& job = state.jobs.at(id);
  if (id != ran_) return outlook_.reset();  // it was pending: its promise goes to others
  const Indexes& ix = state.indexes;
  bool gates = ix.dependents.contains(id);
  if (job.array) gates = gates || job.array->throttle > 0 || ix.dependents.contains(job.array->first);
  if (const auto same = ix.namesakes.find({job.spec->user, job.spec->name}); !gates && same != ix.namesakes.end())
    gates = std::any_of(same->second.begin(), same->second.end(),
                        [&](JobId other) { return state.jobs.at(other).spec->singleton; });
  if (gates) outlook_.reset();
}

// A job that comes before one that has no promise may be due for one.
void Planner::note_arrival(const ClusterState& state, const event::JobSubmitted& submitted) {
  const std::size_t count = submitted.spec->array ? submitted.spec->array->indexes.size() : 1;
  const auto frontier = outlook_->frontier.find(submitted.queue);
  const auto& pending = state.indexes.pending[static_cast<std::size_t>(submitted.queue.value())];
  for (std::size_t i = 0; i < count; ++i) {
    const JobId id(submitted.first.value() + static_cast<std::int64_t>(i));
    const Job& job = state.jobs.at(id);
    const Queue& queue = state.queues[static_cast<std::size_t>(job.queue.value())];
    const PendingKey key{pending_score(state.policy, queue, job), id};
    const auto info = pending.find(key);
    if (info == pending.end() || info->second.gated || frontier == outlook_->frontier.end() || key < frontier->second) {
      outlook_.reset();
      return;
    }
    arrived_.push_back(id);
  }
}

bool Planner::in_full(const ClusterState& state, Time now) const {
  return !outlook_ || now >= full_due_ || now >= wake_ || state.indexes.pending_count < full_below_ ||
         state.policy.backfill != Backfill::conservative;
}

Plan Planner::decide(const ClusterState& state, Time now) {
  if (!in_full(state, now)) {
    if (auto plan = follow_up(state, now, arrived_, *outlook_)) {
      arrived_.clear();
      plan->next_wake = wake_;
      full_due_ = std::min(full_due_, now + milliseconds(state.indexes.pending_count / kPendingPerMs));
      return std::move(*plan);
    }
  }
  arrived_.clear();
  full_due_ = kForever;
  Plan plan = decide_in_full(state, now, outlook_.emplace());
  wake_ = plan.next_wake;
  return plan;
}

void merge(Plan& whole, const Plan& change) {
  if (change.whole) {
    whole = change;
    return;
  }
  whole.whole = false;
  whole.at = change.at;
  whole.version = change.version;
  whole.next_wake = change.next_wake;
  const auto started = [&](const auto& entry) {
    return std::any_of(change.starts.begin(), change.starts.end(), [&](const Start& s) { return s.job == entry.job; });
  };
  if (!change.starts.empty()) {
    std::erase_if(whole.reservations, started);
    std::erase_if(whole.holds, started);
  }
  whole.starts = change.starts;
  whole.holds.insert(whole.holds.end(), change.holds.begin(), change.holds.end());
}

}  // namespace berth
