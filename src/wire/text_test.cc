#include "wire/text.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth {
namespace {

TEST(Text, Durations) {
  const std::vector<std::pair<Duration, std::string>> cases = {{Duration{}, "0s"},
                                                               {seconds(45), "45s"},
                                                               {minutes(90), "1h30m"},
                                                               {hours(48), "2d"},
                                                               {hours(26), "1d2h"},
                                                               {Duration(1500), "1.5s"},
                                                               {Duration(90'500), "1m30s"},
                                                               {kUnlimited, "no limit"},
                                                               {Duration(-3'600'000), "-1h"},
                                                               {Duration(INT64_MIN), "-106751991167d7h12m55s"},
                                                               {seconds(3661), "1h1m1s"}};
  for (const auto& [duration, text] : cases) EXPECT_EQ(duration_text(duration), text);
}

TEST(Text, SlurmDurations) {
  const std::vector<std::pair<Duration, std::string>> cases = {
      {seconds(5), "0:05"},       {minutes(10), "10:00"},
      {seconds(3723), "1:02:03"}, {hours(24) + seconds(7384), "1-02:03:04"},
      {kUnlimited, "UNLIMITED"},  {Duration(-5000), "0:00"},
      {Duration(1999), "0:01"}};
  for (const auto& [duration, text] : cases) EXPECT_EQ(slurm_duration(duration), text);
}

TEST(Text, Amounts) {
  EXPECT_EQ(gpu_text(MilliGpu(2000)), "2 GPUs");
  EXPECT_EQ(gpu_text(MilliGpu(1000)), "1 GPU");
  EXPECT_EQ(gpu_text(MilliGpu(500)), "0.5 GPU");
  EXPECT_EQ(gpu_text(MilliGpu(1250)), "1.25 GPUs");
  EXPECT_EQ(gpu_text(MilliGpu(0)), "0 GPUs");
  EXPECT_EQ(cpu_text(MilliCpu(8000)), "8 cores");
  EXPECT_EQ(cpu_text(MilliCpu(500)), "0.5 core");
  EXPECT_EQ(memory_text(Mib(40)), "40 MiB");
  EXPECT_EQ(memory_text(Mib(40 * 1024)), "40 GiB");
  EXPECT_EQ(memory_text(Mib(1536)), "1.5 GiB");
  EXPECT_EQ(memory_text(Mib(81559)), "79.6 GiB");
  EXPECT_EQ(amount_text("jobs", 1), "1 job");
  EXPECT_EQ(amount_text("nodes", 3), "3 nodes");
  EXPECT_EQ(amount_text("", 7), "7");
}

TEST(Text, Times) {
  const Time at(1'796'119'200'000);  // 2026-12-01T10:00:00Z
  const Zone east = Zone::fixed(3600);
  EXPECT_EQ(iso_utc(at), "2026-12-01T10:00:00Z");
  EXPECT_EQ(iso_utc(at + Duration(123)), "2026-12-01T10:00:00.123Z");
  EXPECT_EQ(iso_utc(Time(-1)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(local_time(at, east), "2026-12-01 11:00:00");
  EXPECT_EQ(slurm_time(at, east), "2026-12-01T11:00:00");
  EXPECT_EQ(slurm_time(Time{}, east), "Unknown");
  EXPECT_EQ(slurm_time(kForever, east), "N/A");
  EXPECT_EQ(local_time_near(at + hours(2), at, east), "13:00");
  EXPECT_EQ(local_time_near(at + hours(14), at, east), "Wed 01:00");
  EXPECT_EQ(local_time_near(at + hours(24 * 8), at, east), "2026-12-09 11:00");
  EXPECT_EQ(local_time_near(at - hours(24), at, east), "2026-11-30 11:00");
  EXPECT_NE(iso_utc(kForever), "");
  EXPECT_NE(iso_utc(Time(INT64_MIN)), "");
}

TEST(Text, StatesHaveSlurmsNames) {
  const std::vector<std::pair<JobState, std::string>> codes = {
      {JobState::pending, "PD"},   {JobState::starting, "CF"}, {JobState::running, "R"},    {JobState::stopping, "CG"},
      {JobState::completed, "CD"}, {JobState::failed, "F"},    {JobState::cancelled, "CA"}, {JobState::timeout, "TO"}};
  for (const auto& [state, code] : codes) {
    EXPECT_EQ(slurm_code(state), code);
    EXPECT_EQ(state_from_any_name(code), state);
    EXPECT_EQ(state_from_any_name(slurm_name(state)), state);
    EXPECT_EQ(state_from_any_name(name_of(state)), state);
  }
  EXPECT_EQ(state_from_any_name("pd"), JobState::pending);
  EXPECT_EQ(state_from_any_name("nonsense"), std::nullopt);
}

TEST(Text, Blockers) {
  Blocker limit{HoldReason::queue_limit, "nlp", "gpu", 2000, 1000, 8000, {}, ""};
  EXPECT_EQ(to_text(limit), "queue nlp is at its limit of 8 GPUs: 2 GPUs asked, 1 GPU left");
  limit.limit = 0;
  EXPECT_EQ(to_text(limit), "queue nlp is at its limit: 2 GPUs asked, 1 GPU left");
  const Blocker capacity{HoldReason::capacity, "H100", "gpu", 32'000, 24'000, 0, {}, "4 tasks asked, room for 3"};
  EXPECT_EQ(to_text(capacity),
            "not enough is free now: 32 GPUs of H100 asked, 24 GPUs free (4 tasks asked, room for 3)");
  const Blocker memory{HoldReason::never_fits, "", "memory", 1 << 20, 1 << 19, 0, {}, ""};
  EXPECT_EQ(to_text(memory), "it can never fit: 1024 GiB asked, 512 GiB is the most there is");
  Blocker begin{HoldReason::begin_time, "", "", 0, 0, 0, Time(1'796'119'200'000), ""};
  EXPECT_EQ(to_text(begin, Zone::fixed(3600)), "not to begin until 2026-12-01 11:00:00");
  const Blocker throttle{HoldReason::array_throttle, "7", "jobs", 4, 4, 0, {}, ""};
  EXPECT_EQ(to_text(throttle), "its array runs 4 at once and 4 run");
  const Blocker unusable{HoldReason::no_usable_node, "n1", "nodes", 0, 1, 0, {}, "drained by admin: disk"};
  EXPECT_EQ(to_text(unusable), "1 node that would do cannot be used now, such as n1 (drained by admin: disk)");
}

TEST(Text, EveryReasonHasWords) {
  for (int i = 0; i <= static_cast<int>(HoldReason::not_reached); ++i) {
    Blocker blocker;
    blocker.reason = static_cast<HoldReason>(i);
    EXPECT_NE(to_text(blocker), "") << i;
  }
}

TEST(Text, Signals) {
  EXPECT_EQ(signal_text(10), "SIGUSR1");
  EXPECT_EQ(signal_text(15), "SIGTERM");
  EXPECT_EQ(signal_text(55), "signal 55");
}

// A zone with summer time: +1h, and +2h between the two moments.
Zone with_summer_time() {
  return Zone([](Time at) { return at >= Time(1'774'746'000'000) && at < Time(1'792'890'000'000) ? 7200 : 3600; });
}

TEST(Zone, SummerTimeGapsAndOverlaps) {
  const Zone zone = with_summer_time();
  const auto wall = [](std::int64_t day, std::int64_t minute) { return Time((day * 1440 + minute) * 60'000); };
  const std::int64_t spring = 20541;  // 2026-03-29: 02:00 becomes 03:00
  const std::int64_t autumn = 20751;  // 2026-10-25: 03:00 becomes 02:00
  EXPECT_EQ(zone.to_utc(wall(spring, 90)), wall(spring, 30));
  EXPECT_EQ(zone.to_utc(wall(spring, 200)), wall(spring, 80));
  EXPECT_EQ(zone.to_utc(wall(spring, 150)), wall(spring, 90));  // skipped: 02:30 is taken as 03:30
  EXPECT_EQ(zone.to_utc(wall(autumn, 150)), wall(autumn, 30));  // shown twice: the first
  EXPECT_EQ(zone.to_utc(wall(autumn, 200)), wall(autumn, 140));
}

}  // namespace
}  // namespace berth
