// Order: which job comes first. Within a queue by a score that never changes while a job waits; between queues by who is
// inside quota and then by fair share (core/fairshare.h).
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "model/state.h"

namespace berth {

inline constexpr std::int32_t kMaxPriority = 1'000'000;

// One point of priority is worth Policy::age_step of waiting: score = priority * step - time of submit. So jobs age without
// any key ever being computed again. Step 0 means that no wait outweighs a point.
std::int64_t pending_score(const Policy& policy, const Queue& queue, const Job& job);

// Gives queues in fair order over one pass. What the pass starts or promises is debited at once.
class QueueOrder {
 public:
  QueueOrder(const ClusterState& state, Time now);

  // The leaf whose turn it is, among those not yet done(); kNoQueue when none is left.
  QueueId next() const;
  void done(QueueId leaf);
  // Only these leaves have turns.
  void only(const std::vector<QueueId>& leaves);
  // The leaf got (or was promised) this much: it and all above it move back in line.
  void debit(QueueId leaf, std::int64_t weighted_milli_gpu, MilliGpu gpus);

 private:
  struct Share {
    std::int64_t held = 0;  // weighted milli-GPU times kRateScale: average over the half-life plus what is held now
    std::int64_t cpu = 0;   // the same of milli-cores, to part equals
    MilliGpu gpus;          // held now, against the quota
    std::int32_t open_leaves = 0;  // leaves below (or itself) that are not done
  };
  bool before(QueueId a, QueueId b) const;
  QueueId best(const std::vector<QueueId>& among) const;

  const ClusterState& state_;
  std::vector<Share> shares_;  // by QueueId
};

}  // namespace berth
