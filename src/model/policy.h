// Policy: what an administrator sets about deciding. Queues are apart (QueueSpec), as they are part of the state.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/time.h"

namespace berth {

// none: strict order, nobody passes a job that waits (in its own kind of resources).
// easy: only the first job that waits is protected. conservative: every job that waits is, up to reserve_depth.
enum class Backfill { none, easy, conservative };

struct Policy {
  Backfill backfill = Backfill::conservative;
  std::int32_t reserve_depth = 200;    // how many waiting jobs get an exact place on the timeline
  Duration age_step = hours(1);        // waiting so long is worth one point of priority; 0: age counts nothing
  Duration half_life = hours(24 * 7);  // of recorded use
  std::map<std::string, std::int32_t> type_weights_milli;  // an hour on this type counts so much; 1000 if not named
  Duration launch_backoff = seconds(5);                    // after a failed launch; doubles each time
  std::int32_t launch_failures_hold = 5;                   // so many in a row and the job is held
  std::int32_t node_failures_drain = 3;  // launches of so many different jobs failed in a row: the node is drained
  std::int32_t max_array_size = 10'000;
  std::int64_t max_jobs = 1'000'000;  // live at once; one more submit is refused
  Duration keep_ended = hours(1);     // how long ended jobs stay in memory (they stay in the store)
  friend bool operator==(const Policy&, const Policy&) = default;
};

}  // namespace berth
