// bench_cycle: how long one decision takes on a large cluster, from cold and after one completion and one arrival.
#include <malloc.h>

#include <cstdio>
#include <cstdlib>

#include "bench/cluster.h"
#include "bench/report.h"
#include "core/decide.h"
#include "core/planner.h"

namespace {

using namespace berth;
using namespace berth::bench;

// CPU time of f() in microseconds.
template <class F>
double timed_us(F&& f) {
  const std::int64_t begin = thread_cpu_ns();
  f();
  return static_cast<double>(thread_cpu_ns() - begin) / 1000;
}

void apply_all(ClusterState& state, const Events& events) {
  for (const auto& event : events) apply(state, event);
}

// The floor: every pending job is looked at once, in order.
std::int64_t walk_pending(const ClusterState& state) {
  std::int64_t sum = 0;
  for (const auto& queue : state.indexes.pending)
    for (const auto& [key, info] : queue) sum += info.shape + state.jobs.at(key.id).spec->groups[0].gpus.count;
  return sum;
}

struct Cold {
  std::vector<double> decide_us, floor_us;
  Plan plan;
};

Cold measure_cold(const ClusterState& state, Time now, std::int64_t repeats) {
  Cold cold;
  volatile std::int64_t sink = 0;
  for (std::int64_t i = 0; i < repeats; ++i) {
    cold.floor_us.push_back(timed_us([&] { sink = walk_pending(state); }));
    cold.decide_us.push_back(timed_us([&] { cold.plan = decide(state, now); }));
  }
  return cold;
}

void note_all(ClusterState& state, Planner& planner, const Events& events) {
  for (const auto& event : events) {
    apply(state, event);
    planner.note(state, event);
  }
}

// A running job ends and another one comes, as the controller would see it.
void one_event(ClusterState& state, Planner& planner, Cluster& cluster, Time now) {
  auto at = state.allocations.begin();
  std::advance(at, cluster.prng().below(static_cast<std::int64_t>(state.allocations.size())));
  const AttemptKey key = at->second.key;
  if (at->second.phase == AllocationPhase::starting) note_all(state, planner, {Event{now, event::AttemptStarted{key}}});
  observation::AttemptEnded ended;
  ended.key = key;
  note_all(state, planner, observe(state, Observation{ended}, now));
  const auto spec = cluster.random_spec();
  note_all(state, planner, handle(state, Command{spec->user, command::Submit{spec}}, now).value().events);
}

struct Steps {
  std::vector<double> apply_us, decide_us, full_us, starts;
  std::int64_t in_full = 0;  // decisions of decide_us that had to be full ones
};

Steps measure_steps(ClusterState& state, Cluster& cluster, Time now, std::int64_t count) {
  Steps steps;
  Planner planner;
  const auto decide_and_start = [&](std::vector<double>& us) {
    Plan plan;
    us.push_back(timed_us([&] { plan = planner.decide(state, now); }));
    note_all(state, planner, to_events(state, plan));
    return plan;
  };
  decide_and_start(steps.full_us);
  for (std::int64_t i = 0; i < count; ++i) {
    now = now + seconds(1);
    steps.apply_us.push_back(timed_us([&] { one_event(state, planner, cluster, now); }));
    const Plan plan = decide_and_start(steps.decide_us);
    steps.in_full += plan.whole ? 1 : 0;
    steps.starts.push_back(static_cast<double>(plan.starts.size()));
    note_all(state, planner, timers(state, now));
    if (planner.due() == kForever) continue;
    now = planner.due();
    decide_and_start(steps.full_us);
  }
  return steps;
}

Report::Figures figures(const std::vector<double>& us, double floor_us) {
  Report::Figures out{{"p50 us", median(us)}, {"p99 us", percentile(us, 99)}, {"max us", percentile(us, 100)}};
  if (floor_us > 0) out.push_back({"x walk", median(us) / floor_us});
  return out;
}

std::string shape(const Plan& plan) {
  return std::to_string(plan.starts.size()) + " started, " + std::to_string(plan.reservations.size()) + " reserved, " +
         std::to_string(plan.holds.size()) + " held";
}

}  // namespace

int main(int argc, char** argv) {
  Report report("bench_cycle: one decision", argc, argv);
  ClusterSize size;
  size.nodes = static_cast<std::int32_t>(option(argc, argv, "--nodes", size.nodes));
  size.pending = static_cast<std::int32_t>(option(argc, argv, "--pending", size.pending));
  const std::int64_t repeats = option(argc, argv, "--repeats", 20);
  const std::int64_t count = option(argc, argv, "--events", 1000);

  Cluster cluster(size, static_cast<std::uint64_t>(option(argc, argv, "--seed", 1)));
  const std::size_t before = mallinfo2().uordblks;
  ClusterState state = cluster.build();
  const std::size_t after = mallinfo2().uordblks;
  const auto broken = broken_invariants(state);
  if (!broken.empty()) {
    std::fprintf(stderr, "bench_cycle: the cluster is not sound: %s\n", broken.front().c_str());
    return 1;
  }

  const Cold filling = measure_cold(state, cluster.now(), repeats);
  const double walk_us = median(filling.floor_us);
  report.note(std::to_string(size.nodes) + " nodes x 8 GPUs, " + std::to_string(size.pending) + " pending, " +
              std::to_string(state.allocations.size()) + " running, 124 queues; CPU time of the thread");
  report.note("first decision: " + shape(filling.plan));
  report.row("look at every pending job once (the floor)", figures(filling.floor_us, 0));
  report.row("decide, cold, with room to fill", figures(filling.decide_us, walk_us), "5000 us");

  apply_all(state, to_events(state, filling.plan));
  const Cold full = measure_cold(state, cluster.now(), repeats);
  report.note("second decision: " + shape(full.plan));
  report.row("decide, cold, full", figures(full.decide_us, walk_us), "5000 us");
  const Steps steps = measure_steps(state, cluster, cluster.now(), count);
  report.note(std::to_string(steps.in_full) + " of " + std::to_string(count) +
              " decisions after an event had to be full ones; each other is followed by one within " +
              std::to_string(size.pending / 100) + " ms");
  report.row("decide after one completion and one arrival", figures(steps.decide_us, walk_us), "200 us");
  report.row("the full decision that follows", figures(steps.full_us, walk_us));
  report.row("observe, handle and apply of these two", figures(steps.apply_us, 0));
  report.row("memory of the state", {{"MiB", static_cast<double>(after - before) / 1048576}});
  report.print();
  return 0;
}
