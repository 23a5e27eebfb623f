// Laws of whole histories: whatever happens in whatever order, the books stay true and the work gets done.
#include <gtest/gtest.h>

#include "random_history.h"
#include "seeds.h"

namespace berth {
namespace {

std::string join(const std::vector<std::string>& lines) {
  std::string all;
  for (std::size_t i = 0; i < lines.size() && i < 5; ++i) all += lines[i] + "\n";
  return all;
}

std::string unfinished(const World& world) {
  std::string all;
  for (const auto& [id, job] : world.state().jobs)
    if (!is_ended(job.state)) all += " " + std::to_string(id.value());
  return all;
}

void play(std::uint64_t seed, const HistoryShape& shape) {
  RandomHistory history(seed, shape);
  history.run();
  history.world().check_journal();
  ASSERT_EQ(join(history.world().faults()), "");
  history.heal_and_finish();
  history.world().check_journal();
  EXPECT_EQ(join(history.world().faults()), "");
  EXPECT_EQ(unfinished(history.world()), "") << "jobs that never end";
  EXPECT_GT(history.submitted(), 10);
}

TEST(History, WithoutFaultsKeepsItsBooksAndEnds) {
  for_each_seed(5, [](std::uint64_t seed) { play(seed, {.faults = false}); });
}

TEST(History, WithFaultsKeepsItsBooksAndEnds) {
  for_each_seed(10, [](std::uint64_t seed) { play(seed, {.crashes = false}); });
}

TEST(History, WithCrashesKeepsItsBooksAndEnds) {
  for_each_seed(15, [](std::uint64_t seed) { play(seed, {}); });
}

}  // namespace
}  // namespace berth
