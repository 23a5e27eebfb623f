// Plan: one decision as data, complete: every pending job stands in exactly one of the three lists.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "model/allocation.h"
#include "model/hold.h"

namespace berth {

struct Start {
  JobId job;
  Placement placement;
  bool backfilled = false;  // it passed a job that waits, without delaying it
  friend bool operator==(const Start&, const Start&) = default;
};

// Capacity promised to a pending job from a time on.
struct Reservation {
  JobId job;
  Time at;
  Placement placement;
  HoldReason reason = HoldReason::capacity;  // why not now
  JobId subject;                             // the job that it would delay, if that is the reason
  friend bool operator==(const Reservation&, const Reservation&) = default;
};

struct Held {
  JobId job;
  HoldReason reason = HoldReason::capacity;  // the first blocker; core/explain.h gives all
  JobId subject;                             // the job behind the reason, if one is
  QueueId queue = kNoQueue;                  // the queue behind the reason, if one is
  Time expected;                             // estimated start; kForever: none is known
  friend bool operator==(const Held&, const Held&) = default;
};

struct Plan {
  Time at;
  std::uint64_t version = 0;  // of the state that it was made on
  std::vector<Start> starts;  // in the order in which they were decided
  std::vector<Reservation> reservations;
  std::vector<Held> holds;
  bool whole = true;          // false: it only changes the last whole one (core/planner.h); or it was so brought up to
                              // date, and says of those that wait what the last full decision found
  Time next_wake = kForever;  // when time alone may change the decision (begin, backoff, delay)
  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace berth
