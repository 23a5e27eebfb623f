// Promises: a place on the timeline for jobs that wait. Exact up to Policy::reserve_depth, in order; beyond it an estimate by
// the work ahead and the size of the fleet, told as one.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/outlook.h"
#include "core/pass.h"
#include "core/reserve.h"

namespace berth {

class Promises {
 public:
  explicit Promises(Pass& pass) : pass_(pass), reserver_(pass.timeline, pass.limits) {}

  // Reserves the job's earliest place. False: the depth is used up, or it never starts as things stand; it is held.
  bool promise(Waiting job);
  // After the last promise: the expected starts of those beyond the depth.
  void estimate();
  // How far promises went.
  void leave(Outlook& left) const;

 private:
  bool never_starts(const Waiting& job) const;
  bool no_usable_node(const Waiting& job);
  Time promised_at(JobId id) const;

  Pass& pass_;
  Reserver reserver_;
  std::map<JobId, Time> promised_;
  std::map<std::pair<std::int32_t, QueueId>, Duration>
      never_;                    // of this shape and queue: so long or longer never start
  std::vector<Waiting> beyond_;  // past the depth, in order
  Time last_expected_;
};

}  // namespace berth
