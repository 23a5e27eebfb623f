// A few hundred simulated hours of a busier cluster with every fault, from one seed.
#include <gtest/gtest.h>

#include "random_history.h"
#include "seeds.h"

namespace berth {
namespace {

TEST(Soak, HundredsOfHoursWithEveryFault) {
  for_each_seed(1, [](std::uint64_t seed) {
    HistoryShape shape;
    shape.size = {.nodes = 12, .gpus = 8, .jobs = 0, .tasks = 6};
    shape.acts = 700;
    shape.between = minutes(25);
    RandomHistory history(seed, shape);
    history.world().set_check_every(50);
    history.run();
    EXPECT_GT((history.world().now() - kSimStart).ms(), hours(250).ms());
    history.heal_and_finish();
    history.world().check_journal();
    const auto faults = history.world().faults();
    EXPECT_TRUE(faults.empty()) << faults.front();
    for (const auto& [id, job] : history.world().state().jobs) EXPECT_TRUE(is_ended(job.state)) << "job " << id.value();
    EXPECT_GT(history.submitted(), 200);
  });
}

}  // namespace
}  // namespace berth
