// RandomHistory: a whole berth in virtual time under random work and random faults, all from one seed.
#pragma once

#include <map>
#include <memory>

#include "base/prng.h"
#include "random_case.h"
#include "sim/world.h"

namespace berth {

struct HistoryShape {
  CaseSize size{.nodes = 4, .gpus = 4, .jobs = 40, .tasks = 3};
  std::int64_t acts = 120;        // things that happen
  Duration between = minutes(3);  // on average
  std::int64_t queue_scale = 1;   // of quotas and limits
  bool faults = true;
  bool crashes = true;
};

class RandomHistory {
 public:
  RandomHistory(std::uint64_t seed, const HistoryShape& shape);

  World& world() { return world_; }
  // Lets it all happen.
  void run();
  // Mends every fault, lets go of every hold, and lets time pass until nothing is left to do.
  void heal_and_finish();
  // Jobs that were taken.
  std::int64_t submitted() const { return submitted_; }

 private:
  void act();
  // Every node, GPU and hold is as it should be again.
  void mend();
  void submit();
  void on_some_job();
  void on_some_node();
  void on_some_gpu();
  void configure();
  void trouble_messages();
  void fill_the_disk();
  void crash();
  JobId some_job();
  std::string some_node();
  Fate fate_of(const Launch& launch) const;

  std::uint64_t seed_;
  Prng prng_;
  HistoryShape shape_;
  World world_;
  std::int64_t submitted_ = 0;
};

}  // namespace berth
