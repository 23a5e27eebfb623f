// Small random clusters and jobs, made only of what the seed says.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/prng.h"
#include "core/decide.h"

namespace berth {

inline constexpr Time kCaseStart{1'000'000'000'000};

struct CaseSize {
  std::int64_t nodes = 4;
  std::int64_t gpus = 3;  // of a node
  std::int64_t jobs = 5;
  std::int64_t tasks = 3;  // of a group
};

NodeReport random_node(Prng& prng, const std::string& name, const CaseSize& size);
// With groups, shares, types, constraints and limits; without what only time opens (begin, dependencies).
JobSpec random_spec(Prng& prng, const std::string& name, const CaseSize& size);
// Limits and quotas of a few GPUs, times `scale`.
std::vector<QueueSpec> random_queues(Prng& prng, std::int64_t scale = 1);
// Nodes, what is held and what waits, for the message of a failed case.
std::string describe(const ClusterState& state);

// A state with nodes and queues; carries events out as the controller does.
class Case {
 public:
  Case(Prng& prng, const CaseSize& size);

  const ClusterState& state() const { return state_; }
  Time now() const { return now_; }
  void set_policy(const Policy& policy);
  void carry_out(const Command& command);  // a refusal changes nothing
  void fold(const Events& events);
  // Decides, starts what was decided and lets it run.
  Plan decide_and_start();
  void pass(Duration time);  // time, without its timers
  // Every pending job, in order of id.
  std::vector<JobId> pending() const;

 private:
  ClusterState state_;
  Time now_ = kCaseStart;
};

}  // namespace berth
