#include "app/daemon/clock.h"

#include <gmock/gmock.h>

namespace berth {
namespace {

struct Clocks {
  std::int64_t wall = 1'000'000'000;
  std::int64_t steady = 5'000;
  Clock clock{[this] { return wall; }, [this] { return steady; }};

  void pass(std::int64_t ms) {
    wall += ms;
    steady += ms;
  }
};

TEST(Clock, FollowsTheWallClockWhileThatBehaves) {
  Clocks c;
  EXPECT_EQ(c.clock.now().ms(), 1'000'000'000);
  c.pass(1234);
  EXPECT_EQ(c.clock.now().ms(), 1'000'001'234);
}

TEST(Clock, AnHourStaysAnHourWhenTheWallClockJumps) {
  Clocks c;
  const Time begin = c.clock.now();
  c.wall += 365LL * 86'400'000;
  EXPECT_EQ(c.clock.now(), begin);
  c.pass(3'600'000);
  const Duration passed = c.clock.now() - begin;
  EXPECT_GE(passed, hours(1));
  EXPECT_LE(passed, hours(1) + minutes(6));
}

TEST(Clock, NeverGoesBack) {
  Clocks c;
  Time last = c.clock.now();
  c.wall -= 3'600'000;
  for (int i = 0; i < 1000; ++i) {
    c.pass(7);
    const Time now = c.clock.now();
    EXPECT_GT(now, last);
    last = now;
  }
}

TEST(Clock, TakesUpADifferenceInTheEnd) {
  Clocks c;
  c.clock.now();
  c.wall += 60'000;
  for (int i = 0; i < 601; ++i) {
    c.pass(1000);
    c.clock.now();
  }
  EXPECT_EQ(c.clock.now().ms(), c.wall);
}

TEST(Clock, ManySmallStepsTakeUpAsMuchAsOneGreatOne) {
  Clocks c;
  c.clock.now();
  c.wall += 1'000;
  for (int i = 0; i < 9000; ++i) {
    c.pass(1);
    c.clock.now();
  }
  EXPECT_NEAR(static_cast<double>(c.wall - c.clock.now().ms()), 100, 2);
}

}  // namespace
}  // namespace berth
