// Reserve: the earliest place on the timeline for a job that cannot start now. Exact: no earlier time has room for the whole
// gang over its whole limit (for gangs of several groups within the search bound of core/place.h).
//
// Search. For each shape, type and node a bound is kept: no task fits there before, whatever its length. More bookings only
// move the true time later, so an old bound stays one; those that matter are brought up to date. From a time t on, let e(n)
// be the first time at which node n takes a task for its whole length. A gang of k tasks cannot start before the smallest T
// by which nodes that may hold k tasks have e(n) <= T. So the search jumps from one such T to the next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/feasible.h"
#include "core/queue_limits.h"
#include "core/timeline.h"
#include "model/plan.h"

namespace berth {

struct Promise {
  Time at;
  Placement placement;
};

// What is to be placed.
struct Wanted {
  const Shape& shape;
  std::int32_t shape_id;
  const Candidates& candidates;
  QueueId queue;
  const Resources& total;
  Duration length;
  Time not_before;
};

class Reserver {
 public:
  Reserver(const Timeline& timeline, QueueLimits& limits) : timeline_(timeline), limits_(limits) {}

  // The earliest start after now and not before `not_before`; none: as things stand it never starts.
  std::optional<Promise> earliest(const Wanted& wanted);

 private:
  struct Bound {
    Time at;
    NodeId node;
    std::size_t extras = 0;  // bookings of this pass that it takes into account
  };
  using Bounds = std::vector<Bound>;  // earliest first
  Bounds& bounds(const Wanted& wanted, std::size_t option, std::size_t group);
  Time first_fit(const Wanted& wanted, const Option& option, std::size_t group, NodeId node, Time from) const;
  void refresh(const Wanted& wanted, const Option& option, std::size_t group, Bound& bound) const;
  static void sort_moved(Bounds& list);
  Time jump(const Wanted& wanted, std::size_t option, std::size_t group, Time from);
  std::vector<NodeId> ready(const Wanted& wanted, std::size_t option, Time at);
  Time next_release(const Option& option, Time after) const;
  std::optional<Promise> earliest_with(const Wanted& wanted, std::size_t option, Time give_up);

  const Timeline& timeline_;
  QueueLimits& limits_;
  std::map<std::tuple<std::int32_t, std::size_t, std::size_t>, Bounds> bounds_;  // shape, option, group
};

}  // namespace berth
