// A large cluster in the middle of its day, as events: nodes, a tree of queues, running jobs and pending ones.
// The mix: sizes 1 to 256 GPUs as training clusters see them, durations log-normal, four priorities.
// The same seed gives the same events.
#pragma once

#include <cstdint>
#include <memory>

#include "base/prng.h"
#include "base/time.h"
#include "model/event.h"
#include "model/job.h"
#include "model/state.h"

namespace berth::bench {

struct ClusterSize {
  std::int32_t nodes = 1000;
  std::int32_t pending = 10'000;
  std::int32_t filled_percent = 97;
};

class Cluster {
 public:
  Cluster(ClusterSize size, std::uint64_t seed) : size_(size), prng_(seed) {}

  // A state in which `size` holds, at time now().
  ClusterState build();
  // One more job of the mix.
  std::shared_ptr<const JobSpec> random_spec();
  Time now() const { return Time(1'800'000'000'000); }
  Prng& prng() { return prng_; }

 private:
  void add_nodes(ClusterState& state);
  void add_queues(ClusterState& state);
  void add_jobs(ClusterState& state);
  Duration random_duration();
  std::int32_t random_size();
  Placement place(const JobSpec& spec);
  std::int32_t best_node(std::int32_t gpus) const;

  ClusterSize size_;
  Prng prng_;
  std::vector<std::int32_t> used_gpus_;  // by node; the running jobs take them from the front
};

}  // namespace berth::bench
