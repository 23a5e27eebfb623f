// QueueLimits: whether a queue and all queues above it have room under their limits, now and over a window to come. What the
// pass starts or promises is debited at once, at every level. One pass owns one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/amount.h"
#include "base/ids.h"
#include "base/time.h"
#include "core/timeline.h"
#include "model/hold.h"
#include "model/state.h"

namespace berth {

// What a placement holds, summed. It may be less than was asked: a share by memory is smaller on a larger GPU.
Resources resources_of(const Placement& placement);

class QueueLimits {
 public:
  QueueLimits(const ClusterState& state, Time now);

  // The first queue, from the leaf upwards, one of whose limits the job would pass within the window; kNoQueue: it fits.
  QueueId first_over(QueueId leaf, const Resources& asked, Window window);
  // All limits that it would pass, with numbers.
  std::vector<Blocker> blockers(QueueId leaf, const Resources& asked, Window window);
  // The earliest start, not before window.from, from which on the job fits for so long; kForever: never.
  Time earliest(QueueId leaf, const Resources& asked, Window window);
  bool limited(QueueId queue) const { return levels_[static_cast<std::size_t>(queue.value())].limited; }
  void book(QueueId leaf, const Resources& held, Window window);

 private:
  struct Entry {
    Window window;
    Resources held;
  };
  struct Level {
    bool limited = false;
    bool loaded = false;        // `entries` has the running jobs, not only those of this pass
    std::int64_t promises = 0;  // entries that begin later than now
    Resources pass;             // booked from now on by this pass
    std::int32_t pass_jobs = 0;
    std::vector<Entry> entries;
  };
  struct Peak {
    Resources held;
    std::int32_t jobs = 0;
  };
  void load(QueueId q);
  Peak peak(QueueId q, Window window);
  void check_level(QueueId q, const Resources& asked, Window window, std::vector<Blocker>& out);

  const ClusterState& state_;
  Time now_;
  std::vector<Level> levels_;  // by QueueId
};

}  // namespace berth
