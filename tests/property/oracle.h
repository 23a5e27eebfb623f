// The oracle: whether a whole job fits, by trying every node and every GPU for every task. Written from the rules and the
// rows, not from the code that it judges; for cases of a few nodes and tasks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/allocation.h"
#include "model/state.h"

namespace berth {

// Something that holds resources from a time to a time.
struct Occupied {
  Time from;
  Time to;
  const JobSpec* spec = nullptr;
  Placement placement;
};

class Oracle {
 public:
  Oracle(const ClusterState& state, Time now);

  // Adds what a plan starts or promises.
  void add(const JobSpec& spec, const Placement& placement, Time from, Time to);
  // True if some placement of the whole job is free all through [from, to).
  bool fits(const JobSpec& spec, Time from, Time to) const;
  // What is wrong with this placement of the job over [from, to), in words; empty: nothing.
  std::string wrong(const JobSpec& spec, const Placement& placement, Time from, Time to) const;
  // Times at which something ends, from `from` on, in order.
  std::vector<Time> ends(Time from) const;

 private:
  const ClusterState& state_;
  std::vector<Occupied> held_;
};

}  // namespace berth
