// Laws of one decision, against brute force, on clusters of at most 4 nodes with 5 jobs.
#include <algorithm>
#include <map>

#include "core/indexes.h"
#include "oracle.h"
#include "random_case.h"
#include "seeds.h"
#include "sim/checks.h"
#include "wire/names.h"

namespace berth {
namespace {

constexpr CaseSize kSmall;

Case running_case(Prng& prng, std::int64_t old_jobs) {
  Case c(prng, kSmall);
  for (std::int64_t i = 0; i < old_jobs; ++i)
    c.carry_out(
        {"ann", command::Submit{std::make_shared<JobSpec>(random_spec(prng, "old" + std::to_string(i), kSmall))}});
  c.decide_and_start();
  for (const auto id : c.pending()) c.carry_out({"ann", command::Cancel{id}});
  c.pass(minutes(prng.below(15)));
  return c;
}

void submit_some(Case& c, Prng& prng, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    c.carry_out(
        {"ann", command::Submit{std::make_shared<JobSpec>(random_spec(prng, "job" + std::to_string(i), kSmall))}});
}

Policy with(Backfill backfill) {
  Policy policy;
  policy.backfill = backfill;
  return policy;
}

Policy any_backfill(Prng& prng) { return with(static_cast<Backfill>(prng.below(3))); }

const JobSpec& spec_of(const ClusterState& state, JobId id) { return *state.jobs.at(id).spec; }
Duration limit_of(const ClusterState& state, JobId id) { return effective_limit(state, state.jobs.at(id)); }

// Of one pending job: why it does not start.
HoldReason reason_of(const Plan& plan, JobId id) {
  for (const auto& r : plan.reservations)
    if (r.job == id) return r.reason;
  for (const auto& h : plan.holds)
    if (h.job == id) return h.reason;
  return HoldReason::not_reached;
}

bool is_about_room(HoldReason reason) {
  return reason == HoldReason::capacity || reason == HoldReason::no_usable_node || reason == HoldReason::no_such_node ||
         reason == HoldReason::never_fits;
}

TEST(Decide, AJobHeldForRoomHasNoPlacement) {
  for_each_seed(400, [](std::uint64_t seed) {
    Prng prng(seed);
    Case c = running_case(prng, 4);
    c.set_policy(any_backfill(prng));
    submit_some(c, prng, 1);
    const Plan plan = decide(c.state(), c.now());
    const Oracle oracle(c.state(), c.now());
    for (const auto id : c.pending()) {
      const auto& spec = spec_of(c.state(), id);
      const bool starts = !plan.starts.empty();
      if (!starts && !is_about_room(reason_of(plan, id))) continue;
      EXPECT_EQ(starts, oracle.fits(spec, c.now(), c.now() + limit_of(c.state(), id))) << name_of(reason_of(plan, id));
    }
  });
}

TEST(Decide, AJobHeldForRoomHasNoneAlsoBesideWhatWasStarted) {
  for_each_seed(300, [](std::uint64_t seed) {
    Prng prng(seed);
    Case c = running_case(prng, 3);
    c.set_policy(any_backfill(prng));
    submit_some(c, prng, kSmall.jobs);
    const Plan plan = decide(c.state(), c.now());
    Oracle oracle(c.state(), c.now());
    for (const auto& s : plan.starts)
      oracle.add(spec_of(c.state(), s.job), s.placement, c.now(), c.now() + limit_of(c.state(), s.job));
    for (const auto id : c.pending()) {
      if (!is_about_room(reason_of(plan, id))) continue;
      EXPECT_FALSE(oracle.fits(spec_of(c.state(), id), c.now(), c.now() + milliseconds(1)))
          << "job " << id.value() << describe(c.state());
    }
  });
}

// What a queue and all below it hold in this state, and what starts of the plan add.
Resources held_by(const ClusterState& state, const Plan& plan, QueueId queue, std::int32_t& jobs) {
  Resources sum;
  const auto below = [&](JobId id) {
    for (auto q = state.jobs.at(id).queue; q != kNoQueue; q = state.queues[static_cast<std::size_t>(q.value())].parent)
      if (q == queue) return true;
    return false;
  };
  const auto add = [&](JobId id, const Placement& placement) {
    if (!below(id)) return;
    ++jobs;
    for (const auto& task : placement) {
      sum.cpu += task.cpus;
      sum.memory += task.memory;
      for (const auto& slice : task.gpus) sum.gpu += slice.milli;
    }
  };
  for (const auto& [id, a] : state.allocations) add(id, a.placement);
  for (const auto& s : plan.starts) add(s.job, s.placement);
  return sum;
}

void expect_limits_kept(const ClusterState& state, const Plan& plan) {
  for (const auto& queue : state.queues) {
    std::int32_t jobs = 0;
    const auto held = held_by(state, plan, queue.id, jobs);
    const auto& spec = queue.spec;
    EXPECT_TRUE(!spec.limit || held.gpu <= *spec.limit) << spec.name;
    EXPECT_TRUE(!spec.cpu_limit || held.cpu <= *spec.cpu_limit) << spec.name;
    EXPECT_TRUE(!spec.memory_limit || held.memory <= *spec.memory_limit) << spec.name;
    EXPECT_TRUE(!spec.max_running_jobs || jobs <= *spec.max_running_jobs) << spec.name;
  }
}

TEST(Decide, EveryStartAndEveryPromiseIsPossible) {
  for_each_seed(300, [](std::uint64_t seed) {
    Prng prng(seed);
    Case c = running_case(prng, 3);
    c.set_policy(any_backfill(prng));
    submit_some(c, prng, kSmall.jobs);
    const Plan plan = decide(c.state(), c.now());
    Oracle oracle(c.state(), c.now());
    const auto take = [&](JobId id, const Placement& placement, Time from) {
      const auto& spec = spec_of(c.state(), id);
      const Time to = from + limit_of(c.state(), id);
      EXPECT_EQ(oracle.wrong(spec, placement, from, to), "") << "job " << id.value();
      oracle.add(spec, placement, from, to);
    };
    for (const auto& s : plan.starts) take(s.job, s.placement, c.now());
    for (const auto& r : plan.reservations) take(r.job, r.placement, r.at);
    expect_limits_kept(c.state(), plan);
    EXPECT_EQ(plan_gaps(c.state(), plan), std::vector<std::string>{});
    c.fold(to_events(c.state(), plan));
    EXPECT_EQ(broken_invariants(c.state()), std::vector<std::string>{});
    EXPECT_EQ(explanation_gaps(c.state(), plan, c.now()), std::vector<std::string>{});
  });
}

// One queue without limits, so that the order of the pass is the order of the keys.
Case plain_case(Prng& prng, std::int64_t jobs) {
  Case c(prng, kSmall);
  QueueSpec all;
  all.name = "all";
  all.is_default = true;
  c.carry_out({"admin", command::Configure{{all}, with(Backfill::conservative)}});
  for (std::int64_t i = 0; i < jobs; ++i) {
    auto spec = random_spec(prng, "job" + std::to_string(i), kSmall);
    spec.queue = "all";
    c.carry_out({"ann", command::Submit{std::make_shared<JobSpec>(spec)}});
    if (i == 1) {
      c.decide_and_start();
      c.pass(minutes(prng.below(15)));
    }
  }
  return c;
}

std::vector<JobId> in_order(const ClusterState& state) {
  std::vector<JobId> ids;
  for (const auto& queue : state.indexes.pending)
    for (const auto& [key, info] : queue) ids.push_back(key.id);
  return ids;
}

// When and where the plan has the job run; nothing if it holds it.
std::optional<std::pair<Time, Placement>> place_of(const Plan& plan, JobId id) {
  for (const auto& s : plan.starts)
    if (s.job == id) return std::pair{plan.at, s.placement};
  for (const auto& r : plan.reservations)
    if (r.job == id) return std::pair{r.at, r.placement};
  return std::nullopt;
}

TEST(Decide, ConservativeBackfillDelaysNobodyWhoIsAhead) {
  for_each_seed(200, [](std::uint64_t seed) {
    Prng prng(seed);
    Case c = plain_case(prng, kSmall.jobs + 2);
    const auto order = in_order(c.state());
    const Plan whole = decide(c.state(), c.now());
    for (std::size_t keep = order.size(); keep-- > 0;) {
      c.carry_out({"ann", command::Cancel{order[keep]}});
      const Plan part = decide(c.state(), c.now());
      for (std::size_t i = 0; i < keep; ++i)
        EXPECT_EQ(place_of(whole, order[i]), place_of(part, order[i])) << "job " << order[i].value() << " of " << keep;
    }
  });
}

TEST(Decide, EveryPromiseIsTheEarliest) {
  for_each_seed(300, [](std::uint64_t seed) {
    Prng prng(seed);
    Case c = plain_case(prng, kSmall.jobs + 2);
    const Plan plan = decide(c.state(), c.now());
    Oracle oracle(c.state(), c.now());
    for (const auto id : in_order(c.state())) {
      const auto& spec = spec_of(c.state(), id);
      const auto length = limit_of(c.state(), id);
      const auto placed = place_of(plan, id);
      auto candidates = oracle.ends(c.now());
      candidates.insert(candidates.begin(), c.now());
      for (const Time t : candidates) {
        if (placed && t >= placed->first) break;
        EXPECT_FALSE(oracle.fits(spec, t, t + length))
            << "job " << id.value() << " could start after " << (t - c.now()).ms() << " ms" << describe(c.state());
      }
      if (placed) oracle.add(spec, placed->second, placed->first, placed->first + length);
    }
  });
}

TEST(Decide, TheSameStateGivesTheSamePlan) {
  for_each_seed(100, [](std::uint64_t seed) {
    Prng prng(seed);
    Case c = running_case(prng, 3);
    c.set_policy(any_backfill(prng));
    submit_some(c, prng, kSmall.jobs);
    ClusterState again = c.state();
    rebuild_indexes(again);
    const Plan plan = decide(c.state(), c.now());
    EXPECT_TRUE(plan == decide(c.state(), c.now()));
    EXPECT_TRUE(plan == decide(again, c.now()));
  });
}

// A plan with names instead of ids, and without order.
std::map<std::string, std::string> by_name(const ClusterState& state, const Plan& plan) {
  std::map<std::string, std::string> all;
  const auto where = [&](const Placement& placement) {
    std::string text;
    for (const auto& task : placement) {
      text += " " + std::to_string(task.rank) + ":" + std::to_string(task.node.value());
      for (const auto& slice : task.gpus) text += "/" + std::to_string(slice.gpu);
    }
    return text;
  };
  const auto name = [&](JobId id) { return id == JobId{} ? "" : spec_of(state, id).name; };
  for (const auto& s : plan.starts) all[name(s.job)] = "starts" + where(s.placement);
  for (const auto& r : plan.reservations)
    all[name(r.job)] = "at " + std::to_string(r.at.ms()) + where(r.placement) + " " + std::string(name_of(r.reason)) +
                       " " + name(r.subject);
  for (const auto& h : plan.holds)
    all[name(h.job)] = std::string(name_of(h.reason)) + " " + name(h.subject) + " " + std::to_string(h.expected.ms());
  return all;
}

TEST(Decide, TheOrderOfArrivalWithinAnInstantDoesNotMatter) {
  for_each_seed(200, [](std::uint64_t seed) {
    Prng prng(seed);
    Case c = running_case(prng, 3);
    c.set_policy(any_backfill(prng));
    std::vector<std::shared_ptr<JobSpec>> specs;
    for (std::int32_t i = 0; i < kSmall.jobs; ++i) {
      specs.push_back(std::make_shared<JobSpec>(random_spec(prng, "job" + std::to_string(i), kSmall)));
      specs.back()->priority = i * 3 + static_cast<std::int32_t>(prng.below(3));  // no two keys are alike
    }
    Case other = c;
    for (const auto& spec : specs) c.carry_out({"ann", command::Submit{spec}});
    for (std::size_t i = specs.size(); i-- > 1;)
      std::swap(specs[i], specs[static_cast<std::size_t>(prng.below(static_cast<std::int64_t>(i) + 1))]);
    for (const auto& spec : specs) other.carry_out({"ann", command::Submit{spec}});
    EXPECT_EQ(by_name(c.state(), decide(c.state(), c.now())),
              by_name(other.state(), decide(other.state(), other.now())));
  });
}

}  // namespace
}  // namespace berth
