#include "sim/scn_values.h"

#include <gtest/gtest.h>

namespace berth::scn {
namespace {

TEST(ScnValues, Spans) {
  EXPECT_EQ(read_span("0s"), Duration{});
  EXPECT_EQ(read_span("2h30m"), minutes(150));
  EXPECT_EQ(read_span("500ms"), milliseconds(500));
  EXPECT_EQ(read_span("1d"), hours(24));
  for (const auto* bad : {"", "5", "m", "-1s", "1.5h", "99999999999999999999s", "1000000d", "5 m"})
    EXPECT_FALSE(read_span(bad)) << bad;
}

TEST(ScnValues, SpansAreShownAsTheyAreRead) {
  for (const auto* text : {"0s", "1s", "2h30m", "1d1h1m1s1ms", "59m"}) EXPECT_EQ(show_span(*read_span(text)), text);
  EXPECT_EQ(show_span(kUnlimited), "never");
}

TEST(ScnValues, Amounts) {
  EXPECT_EQ(read_milli("8"), 8000);
  EXPECT_EQ(read_milli("0.5"), 500);
  EXPECT_EQ(read_milli("0.125"), 125);
  for (const auto* bad : {"", ".5", "0.", "0.1234", "-1", "1,5"}) EXPECT_FALSE(read_milli(bad)) << bad;
  EXPECT_EQ(show_milli(1500), "1.5");
  EXPECT_EQ(show_milli(8000), "8");
  EXPECT_EQ(read_memory("20G"), Mib(20'480));
  EXPECT_FALSE(read_memory("20"));
  EXPECT_EQ(show_memory(Mib(20'480)), "20G");
  EXPECT_EQ(show_memory(Mib(300)), "300M");
}

TEST(ScnValues, NamesAndRanges) {
  EXPECT_EQ(read_names("n0..n2,x"), (std::vector<std::string>{"n0", "n1", "n2", "x"}));
  for (const auto* bad : {"", "n2..n1", "a0..b1", "n0..n99999999", "a,,b"}) EXPECT_TRUE(read_names(bad).empty()) << bad;
}

TEST(ScnValues, Arrays) {
  const auto array = read_array("1-7:2%3");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->indexes, (std::vector<std::int32_t>{1, 3, 5, 7}));
  EXPECT_EQ(array->throttle, 3);
  for (const auto* bad : {"", "a", "1,1", "5-1", "0-9%0", "0-99999999", "1-5:0"}) EXPECT_FALSE(read_array(bad)) << bad;
}

}  // namespace
}  // namespace berth::scn
