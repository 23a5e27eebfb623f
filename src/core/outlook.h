// Outlook: what a full decision leaves behind for those that follow it (core/follow_up.cc): its promises as bookings on the
// timeline, and how far they went in each queue. Owned by a Planner; good until nodes, queues or the policy change.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/feasible.h"
#include "core/timeline.h"
#include "model/plan.h"
#include "model/state.h"

namespace berth {

struct Outlook {
  Timeline::Extras promises;
  std::vector<Reservation>
      reservations;  // in the order in which they were made; those that started since are taken out
  std::map<QueueId, PendingKey> frontier;            // the first job of the queue that got no promise for want of depth
  std::vector<char> promised_below;                  // by QueueId: a promise was made in this queue or below it
  Time last_expected;                                // of those beyond the depth
  std::vector<std::shared_ptr<const Shape>> shapes;  // whose `where` this is
  std::vector<std::optional<Candidates>> where;      // by shape id
};

// core/cycle.cc
Plan decide_in_full(const ClusterState& state, Time now, Outlook& left);

// core/follow_up.cc: what may start now beside the promises, by the same rules: those promised first, then the others in order.
// `arrived`: jobs that came since the last decision and start no sooner than those beyond the depth. The plan has starts and
// holds of `arrived` only; none: it takes a full decision.
std::optional<Plan> follow_up(const ClusterState& state, Time now, const std::vector<JobId>& arrived, Outlook& outlook);

}  // namespace berth
