#include "core/fairshare.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

constexpr Duration kWeek = hours(24 * 7);

TEST(FairShare, UseHalvesInOneHalfLife) {
  const Usage before{1'000'000'000'000, 64'000'000, Time(0)};
  const Usage after = usage_at(before, 0, 0, kWeek, Time(0) + kWeek);
  EXPECT_NEAR(static_cast<double>(after.gpu), 5e11, 1e5);
  EXPECT_NEAR(static_cast<double>(after.cpu), 32'000'000, 100);
}

TEST(FairShare, SteadyRateIsItsOwnAverage) {
  const std::int64_t rate = 8'000;
  const Usage usage = usage_at({0, 0, Time(0)}, rate, 0, kWeek, Time(0) + kWeek * 40);
  const double average = static_cast<double>(scaled_average_rate(usage.gpu, kWeek)) / static_cast<double>(kRateScale);
  EXPECT_NEAR(average, 8'000, 80);  // ticks of 1/64 of a half-life: within one per cent
}

// However often it is brought forward on the way, the same integers come out.
TEST(FairShare, StopsOnTheWayChangeNothing) {
  const Usage start{123'456'789, 987'654, Time(1'000)};
  const Time end = Time(1'000) + hours(100);
  const Usage direct = usage_at(start, 3'333, 77, kWeek, end);
  Usage stepped = start;
  for (std::int64_t ms = 1'000; ms < end.ms(); ms += 1'234'567) stepped = usage_at(stepped, 3'333, 77, kWeek, Time(ms));
  stepped = usage_at(stepped, 3'333, 77, kWeek, end);
  EXPECT_EQ(direct, stepped);
}

TEST(FairShare, TimeThatGoesBackChangesNothing) {
  const Usage usage{5, 6, Time(100)};
  EXPECT_EQ(usage_at(usage, 1'000, 0, kWeek, Time(50)), usage);
}

TEST(FairShare, VeryLongPausesCostNothingAndLeaveNothing) {
  const Usage after = usage_at({1'000'000'000, 5, Time(0)}, 0, 0, seconds(1), Time(0) + hours(24 * 365 * 100));
  EXPECT_EQ(after.gpu, 0);
  EXPECT_EQ(after.as_of, Time(0) + hours(24 * 365 * 100));
}

TEST(FairShare, SmallSharesAreNotCutToNothing) {
  const Usage usage = usage_at({0, 0, Time(0)}, 1, 0, kWeek, Time(60'000));  // a thousandth of a GPU for a minute
  EXPECT_GT(scaled_average_rate(usage.gpu, kWeek), 0);
}

}  // namespace
}  // namespace berth
