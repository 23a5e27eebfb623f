// Laws of decisions that follow a full one (core/planner.h), on small clusters where most jobs have no promise.
#include <algorithm>

#include "core/indexes.h"
#include "core/planner.h"
#include "oracle.h"
#include "random_case.h"
#include "seeds.h"
#include "sim/checks.h"

namespace berth {
namespace {

constexpr CaseSize kSmall;

struct History {
  explicit History(Prng& seed) : prng(seed), c(seed, kSmall) {
    Policy policy;
    policy.reserve_depth = static_cast<std::int32_t>(seed.between(1, 3));
    c.set_policy(policy);
  }

  // Carries events out as the controller does.
  void fold(const Events& events) {
    for (const auto& event : events) {
      c.fold({event});
      planner.note(c.state(), event);
    }
  }
  void submit() {
    const auto spec = std::make_shared<JobSpec>(random_spec(prng, "job" + std::to_string(count++), kSmall));
    const auto handled = handle(c.state(), {"ann", command::Submit{spec}}, c.now());
    if (handled.ok()) fold(handled->events);
  }
  void end_one() {
    if (c.state().allocations.empty()) return;
    auto at = c.state().allocations.begin();
    std::advance(at, prng.below(static_cast<std::int64_t>(c.state().allocations.size())));
    observation::AttemptEnded ended;
    ended.key = at->second.key;
    fold(observe(c.state(), {ended}, c.now()));
  }
  void cancel_one() {
    const auto ids = c.pending();
    if (ids.empty()) return;
    const JobId id = ids[static_cast<std::size_t>(prng.below(static_cast<std::int64_t>(ids.size())))];
    if (const auto handled = handle(c.state(), {"ann", command::Cancel{id}}, c.now()); handled.ok())
      fold(handled->events);
  }
  void start(const Plan& change) {
    fold(to_events(c.state(), change));
    for (const auto& s : change.starts)
      fold(observe(c.state(), {observation::AttemptStarted{{s.job, c.state().jobs.at(s.job).attempt}}}, c.now()));
  }

  Prng& prng;
  Case c;
  Planner planner{0};
  Plan plan;
  int count = 0;
};

bool is_limited(const ClusterState& state, QueueId leaf) {
  for (QueueId q = leaf; q != kNoQueue; q = state.queues[static_cast<std::size_t>(q.value())].parent) {
    const QueueSpec& spec = state.queues[static_cast<std::size_t>(q.value())].spec;
    if (spec.limit || spec.cpu_limit || spec.memory_limit || spec.max_running_jobs) return true;
  }
  return false;
}

// Starts are possible and delay no promise that is kept; what waits and needs no promise finds no place beside them.
void check(const History& run, const Plan& change) {
  const ClusterState& state = run.c.state();
  const Time now = run.c.now();
  const auto limit = [&](JobId id) { return effective_limit(state, state.jobs.at(id)); };
  Oracle oracle(state, now);
  const auto take = [&](JobId id, const Placement& placement, Time from) {
    const JobSpec& spec = *state.jobs.at(id).spec;
    EXPECT_EQ(oracle.wrong(spec, placement, from, from + limit(id)), "") << "job " << id.value() << describe(state);
    oracle.add(spec, placement, from, from + limit(id));
  };
  for (const auto& s : change.starts) take(s.job, s.placement, now);
  for (const auto& r : run.plan.reservations) {
    if (r.at > now + seconds(1))
      take(r.job, r.placement, r.at);
    else  // due: the work ahead may outlive its limit, and the place stays kept
      oracle.add(*state.jobs.at(r.job).spec, r.placement, std::max(r.at, now), std::max(r.at + limit(r.job), now));
  }
  if (change.whole) return;
  for (const auto& h : run.plan.holds) {
    if (h.reason != HoldReason::capacity && h.reason != HoldReason::reserved_room) continue;
    if (is_limited(state, state.jobs.at(h.job).queue)) continue;
    EXPECT_FALSE(oracle.fits(*state.jobs.at(h.job).spec, now, now + limit(h.job)))
        << "job " << h.job.value() << describe(state);
  }
}

TEST(Planner, FollowUpsKeepPromisesAndLeaveNothingIdleThatAJobCouldUse) {
  std::int64_t seeds = 0, quick = 0, starts = 0;
  for_each_seed(400, [&](std::uint64_t seed) {
    ++seeds;
    Prng prng(seed);
    History run(prng);
    for (int i = 0; i < 8; ++i) run.submit();
    for (int step = 0; step < 30; ++step) {
      const Plan change = run.planner.decide(run.c.state(), run.c.now());
      quick += change.whole ? 0 : 1;
      starts += change.whole ? 0 : static_cast<std::int64_t>(change.starts.size());
      merge(run.plan, change);
      EXPECT_EQ(plan_gaps(run.c.state(), run.plan), std::vector<std::string>{}) << "step " << step;
      check(run, change);
      run.start(change);
      EXPECT_EQ(broken_invariants(run.c.state()), std::vector<std::string>{});
      run.c.pass(run.prng.chance(1, 3) ? minutes(run.prng.below(20)) : milliseconds(run.prng.below(3)));
      if (run.prng.chance(2, 3)) run.end_one();
      if (run.prng.chance(1, 2)) run.submit();
      if (run.prng.chance(1, 10)) run.cancel_one();
    }
  });
  if (seeds == 1) return;
  EXPECT_GT(quick, seeds);
  EXPECT_GT(starts, seeds / 10);
}

}  // namespace
}  // namespace berth
