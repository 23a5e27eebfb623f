#include "sim/event_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth {
namespace {

TEST(EventQueue, RunsByTimeThenByOrderOfArrival) {
  EventQueue queue(Time(100));
  std::vector<int> ran;
  queue.at(Time(200), [&] { ran.push_back(3); });
  queue.at(Time(100), [&] { ran.push_back(1); });
  queue.at(Time(100), [&] { ran.push_back(2); });
  EXPECT_EQ(queue.run_due(), 2);
  EXPECT_EQ(queue.next(), Time(200));
  queue.advance(Time(200));
  queue.run_due();
  EXPECT_EQ(ran, (std::vector<int>{1, 2, 3}));
}

TEST(EventQueue, RunsWhatAnActionAddsForTheSameInstant) {
  EventQueue queue(Time(5));
  int ran = 0;
  queue.after(Duration{}, [&] { queue.after(Duration{}, [&] { ++ran; }); });
  EXPECT_EQ(queue.run_due(), 2);
  EXPECT_EQ(ran, 1);
}

TEST(EventQueue, TakesThePastAsNow) {
  EventQueue queue(Time(50));
  queue.at(Time(10), [] {});
  EXPECT_EQ(queue.next(), Time(50));
}

TEST(EventQueueDeathTest, NeverSkipsWhatIsDue) {
  EventQueue queue(Time(0));
  queue.at(Time(10), [] {});
  EXPECT_DEATH(queue.advance(Time(11)), "jumps over");
}

}  // namespace
}  // namespace berth
