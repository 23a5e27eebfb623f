// Timeline: what is free on each node and each GPU over a window of time, with the running work (until its limits), and what
// the present pass has started or promised so far. Per GPU, not per node. One pass owns one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/amount.h"
#include "base/ids.h"
#include "base/time.h"
#include "model/allocation.h"
#include "model/plan.h"
#include "model/state.h"

namespace berth {

// From, inclusive, to, exclusive.
struct Window {
  Time from;
  Time to;
};

// What can still be given out of one GPU.
struct GpuRoom {
  MilliGpu milli;
  Mib memory;
};

class Timeline {
 public:
  // A booking that a pass has made.
  struct Extra {
    Window window;
    Booking booking;
  };
  using Extras = std::vector<std::vector<Extra>>;  // by NodeId

  Timeline(const ClusterState& state, Time now) : Timeline(state, now, {}) {}
  // With the promises of an earlier pass.
  Timeline(const ClusterState& state, Time now, Extras kept);

  Time now() const { return now_; }
  const ClusterState& state() const { return state_; }

  // What is free on the node all through the window. Windows begin now or later.
  NodeFree free(NodeId node, Window window) const;
  // The same for each GPU by itself, shares included.
  void gpu_rooms(NodeId node, Window window, std::vector<GpuRoom>& rooms) const;
  // The first time after `after` at which something on the node is released; kForever: never.
  Time next_release(NodeId node, Time after) const;

  void book(JobId job, const Job& what, const Placement& placement, Window window);
  // Takes the job's bookings off the nodes of the placement.
  void unbook(JobId job, const Placement& placement);
  // What is booked, to be kept for a later pass, less what is started; the timeline is of no use after.
  Extras take_promises(const std::vector<Start>& started);
  // A job that holds a promise on one of these nodes within the window; none: -1.
  JobId promised(const Placement& placement, Window window) const;
  bool has_promises() const { return promises_ > 0; }
  // How many tasks the pass has booked on the node so far.
  std::size_t extras(NodeId node) const { return extras_[static_cast<std::size_t>(node.value())].size(); }
  // When the first promise on the node begins, after now; kForever: never.
  Time first_promise(NodeId node) const;

 private:
  // What running work leaves free from a time on, until the next step.
  struct Step {
    Time from;
    NodeFree free;
  };
  using Profile = std::vector<Step>;

  Time end_of(const Booking& b) const;
  const Profile& profile(NodeId node) const;
  void add_extras(const std::vector<Extra>& extras, const Profile& steps, Window window, NodeFree& out) const;

  const ClusterState& state_;
  Time now_;
  Extras extras_;                          // of this pass, and those that were kept
  mutable std::vector<Profile> profiles_;  // by NodeId, made when first asked for; the first step begins now
  std::int64_t promises_ = 0;              // extras that begin later than now
};

}  // namespace berth
