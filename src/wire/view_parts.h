// What several views share: names instead of ids, null for what is not there. For view_*.cc only.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "model/plan.h"
#include "model/state.h"

namespace berth {

boost::json::value time_or_null(Time at);            // kForever and 0: null
boost::json::value duration_or_null(Duration span);  // kUnlimited: null
boost::json::value text_or_null(std::string_view text);
boost::json::string shown_text(std::string_view text);  // valid UTF-8, whatever it was
template <class T>
boost::json::value amount_or_null(const T& optional) {
  if (!optional) return nullptr;
  return optional->value();
}

std::string node_name(const ClusterState& state, NodeId id);
std::string queue_name(const ClusterState& state, QueueId id);  // empty: no such queue (any more)
std::string job_name(const ClusterState& state, JobId id);      // its display id

boost::json::array nodes_of(const ClusterState& state, const Placement& placement);  // names, distinct, by rank
boost::json::array gpus_of(const ClusterState& state, const Placement& placement);   // "node/index", distinct

// What a plan says about a job that does not run. It knows the first blocker without its numbers, so the words are
// short; explanation_view has them all.
struct WaitingView {
  HoldReason reason = HoldReason::capacity;
  std::string text;
  Time expected = kForever;
  bool exact = false;
};
WaitingView waiting(const ClusterState& state, const Reservation& reservation);
WaitingView waiting(const ClusterState& state, const Held& held);

// job, display_id, name, queue, user: what opens every line about a job.
boost::json::object job_head(const ClusterState& state, JobId id);

}  // namespace berth
