#include "engine/local/outcome.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace berth {
namespace {

constexpr AttemptKey kKey{JobId(1), 1};

TaskEnding exited(int rank, int code, int signal = 0) {
  TaskEnding ending;
  ending.rank = rank;
  ending.record = ExitRecord{.code = code, .signal = signal, .cpu_ms = 10, .peak_mib = 5};
  return ending;
}

TEST(Conclude, RankZeroDecidesIfNothingFailed) {
  const auto ended = conclude(kKey, {exited(0, 0), exited(1, 85)}, nullptr, "n1", {});
  EXPECT_EQ(ended.outcome, Outcome::succeeded);
  EXPECT_EQ(ended.cpu_ms, 20);
  EXPECT_EQ(ended.peak_memory, Mib(10));
}

TEST(Conclude, TheFirstThatFailedDecides) {
  const std::vector<TaskEnding> endings{exited(0, 143, 15), exited(1, 2)};
  const auto ended = conclude(kKey, endings, &endings[1], "n1", {});
  EXPECT_EQ(ended.outcome, Outcome::failed);
  EXPECT_EQ(ended.exit.code, 2);
  EXPECT_EQ(ended.message, "task 1 exit code 2");
}

TEST(Conclude, ALostShimBlamesTheNode) {
  TaskEnding lost;
  lost.lost_since = "why";
  const auto ended = conclude(kKey, {lost}, &lost, "n1", {});
  EXPECT_EQ(ended.outcome, Outcome::lost);
  EXPECT_EQ(ended.node, "n1");
  EXPECT_EQ(ended.message, "why");
}

TEST(LaunchErrors, MistakesAndShortagesAreKeptApart) {
  EXPECT_EQ(outcome_of_launch_error(shim::Stage::exec, ENOENT), Outcome::rejected);
  EXPECT_EQ(outcome_of_launch_error(shim::Stage::output, EACCES), Outcome::rejected);
  EXPECT_EQ(outcome_of_launch_error(shim::Stage::output, ENOSPC), Outcome::launch_failed);
  EXPECT_EQ(outcome_of_launch_error(shim::Stage::exec, ENOMEM), Outcome::launch_failed);
  EXPECT_EQ(outcome_of_launch_error(shim::Stage::fork, EAGAIN), Outcome::launch_failed);
  EXPECT_EQ(outcome_of_launch_error(shim::Stage::cgroup, EPERM), Outcome::launch_failed);
}

TEST(IsBad, CheckpointedTasksDoNotEndTheOthers) {
  EXPECT_FALSE(is_bad(exited(0, 0)));
  EXPECT_FALSE(is_bad(exited(0, 85)));
  EXPECT_TRUE(is_bad(exited(0, 1)));
  EXPECT_TRUE(is_bad(TaskEnding{}));
}

}  // namespace
}  // namespace berth
