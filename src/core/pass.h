// Pass: what one decision works on. Made by cycle.cc, shared by its phases, and gone with it.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "core/feasible.h"
#include "core/order.h"
#include "core/queue_limits.h"
#include "core/timeline.h"
#include "model/plan.h"
#include "model/state.h"

namespace berth {

// A pending job that the pass has come to.
struct Waiting {
  JobId id;
  QueueId queue;
  const PendingInfo* info = nullptr;
  HoldReason reason = HoldReason::capacity;  // why it does not start now
  JobId subject;                             // the job behind the reason, if one is
  QueueId limit;                             // queue_limit: the queue whose limit it is
};

struct Pass {
  Pass(const ClusterState& s, Time t, Timeline::Extras promises = {})
      : state(s),
        now(t),
        timeline(s, t, std::move(promises)),
        limits(s, t),
        order(s, t),
        where(s.indexes.shape_by_id.size()) {
    plan.at = t;
    plan.version = s.sequence;
  }

  const Shape& shape(const PendingInfo& info) const {
    return *state.indexes.shape_by_id[static_cast<std::size_t>(info.shape)];
  }
  // Where the shape may run; computed when it is first asked for.
  const Candidates& candidates_of(const PendingInfo& info) {
    auto& known = where[static_cast<std::size_t>(info.shape)];
    if (!known) known = candidates(state, shape(info));
    return *known;
  }
  Window window_from(Time start, const PendingInfo& info) const { return {start, start + info.limit}; }
  // Everything that is started or promised goes through here, so that timeline, limits and order agree.
  void book(const Waiting& job, const Placement& placement, Time start);
  void hold(const Waiting& job, Time expected) {
    plan.holds.push_back({job.id, job.reason, job.subject, job.limit == kNoQueue ? job.queue : job.limit, expected});
  }

  const ClusterState& state;
  const Time now;
  Timeline timeline;
  QueueLimits limits;
  QueueOrder order;
  std::vector<std::optional<Candidates>> where;  // by shape id
  Plan plan;
};

// What a second of this placement is charged: milli-GPU, by Policy::type_weights_milli.
std::int64_t weighted_milli_gpu(const ClusterState& state, const Placement& placement);

}  // namespace berth
