// Planner: when to decide in full, and when what the last full decision promised still holds. With few jobs pending, or
// another backfill than conservative, every decision is a full one. Else a full one is followed by quick ones that only look for what may start now beside the
// promises (core/outlook.h), and is made again a bounded time after something changed: by then promises move up into what
// came free early. See docs/decisions/0010. Called by the controller's thread; deterministic: the same events at the same
// times give the same plans.
#pragma once

#include <optional>
#include <vector>

#include "core/outlook.h"
#include "model/event.h"

namespace berth {

class Planner {
 public:
  // With fewer pending jobs than `full_below` every decision is in full.
  explicit Planner(std::int64_t full_below = 1'000) : full_below_(full_below) {}

  // What was applied to the state since the last decision; `state` has it.
  void note(const ClusterState& state, const Event& event);
  // One decision, to be carried out. Its plan is whole, or it only changes the last one (Plan::whole).
  Plan decide(const ClusterState& state, Time now);
  // When a full decision is due though nothing happens; kForever: none is.
  Time due() const { return full_due_; }
  // The next decision is a full one.
  void reset() { outlook_.reset(); }

 private:
  bool in_full(const ClusterState& state, Time now) const;
  void note_end(const ClusterState& state, JobId id);
  void note_arrival(const ClusterState& state, const event::JobSubmitted& submitted);

  std::int64_t full_below_;
  std::optional<Outlook> outlook_;  // none: the next decision is in full
  std::vector<JobId> arrived_;
  JobId ran_;             // the job whose attempt ended last
  Time wake_ = kForever;  // of the last full plan: when time opens a gate
  Time full_due_ = kForever;
};

// Brings the last plan up to date with the newest: complete again, as it was.
void merge(Plan& whole, const Plan& change);

}  // namespace berth
