// Hold: why a pending job does not run, as data with numbers. core/explain.h lists all blockers of a job; the words for
// people are made in wire/text.h, so that every face says the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"

namespace berth {

// The closed set of reasons. Names are stable: they stand in JSON and in scenarios.
enum class HoldReason {
  user_hold,         // held by hand: subject = who
  begin_time,        // until = begin
  backoff,           // until = when the next attempt is due; subject = what failed
  dependency,        // subject = "afterok:12", waits for it
  dependency_never,  // subject = "afterok:12", can no longer be fulfilled
  singleton,         // subject = id of the one that runs or comes first
  array_throttle,    // want = throttle, have = elements that run
  queue_off,         // subject = queue, with the reason in detail
  queue_limit,       // subject = queue; unit says of what; want = asked, have = left under the limit
  no_such_node,      // no node at all meets what it asks for; it can never run here
  never_fits,        // not even on empty nodes: want = asked, have = the most there is
  no_usable_node,    // nodes that would do are down, drained or unknown: subject names one, have = how many
  capacity,          // not enough is free now: want, have in unit
  reserved_room,     // enough is free, but it is promised to others: subject = the job it would delay
  behind,            // enough is free, but the order is strict: subject = job ahead (Backfill::none)
  not_reached,       // the pass ended before this job was tried
};

struct Blocker {
  HoldReason reason = HoldReason::capacity;
  std::string subject;
  std::string unit;       // "gpu", "cpu", "memory", "jobs", "nodes"; empty if there is none
  std::int64_t want = 0;  // milli-GPU, milli-cores, MiB or a count, by unit
  std::int64_t have = 0;
  std::int64_t limit = 0;  // queue_limit: the limit itself, in unit; 0: not said
  Time until;              // 0: no known time
  std::string detail;
  friend bool operator==(const Blocker&, const Blocker&) = default;
};

// The answer to "why does it not run?": every blocker, and when it will start as things stand.
struct Explanation {
  JobId job;
  std::vector<Blocker> blockers;   // the one that decides first; empty if it is not pending
  Time expected = kForever;        // kForever: none is known
  bool exact = false;              // true: a reservation on the timeline; false: an estimate beyond reserve_depth
  std::vector<std::string> fixes;  // changes that would help, the cheapest first
};

}  // namespace berth
