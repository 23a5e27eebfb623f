#include "wire/quantity.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth {
namespace {

// An error must name the value and say what would be right.
template <class T>
void expect_refused(const Result<T>& result, std::string_view value) {
  ASSERT_FALSE(result.ok()) << "`" << value << "` was accepted";
  const std::string_view amount = value.substr(value.rfind(':') + 1);  // the part at fault may be named alone
  if (value.size() < 50 && !amount.empty()) {
    EXPECT_NE(result.error().message.find(amount), std::string::npos) << result.error().message;
  }
  EXPECT_NE(result.error().message, "");
  EXPECT_NE(result.error().hint, "") << result.error().message;
}

TEST(Quantity, SlurmTime) {
  const std::vector<std::pair<std::string, Duration>> good = {{"4:00", minutes(4)},
                                                              {"1440", minutes(1440)},
                                                              {"5:00", minutes(5)},
                                                              {"2-12", hours(60)},
                                                              {"0-01:30", minutes(90)},
                                                              {"01:30:00", minutes(90)},
                                                              {"10000:00:00", hours(10'000)},
                                                              {"UNLIMITED", kUnlimited},
                                                              {"infinite", kUnlimited},
                                                              {"0", kUnlimited},
                                                              {"00:00:00", kUnlimited},
                                                              {"0:30", seconds(30)},
                                                              {"1-0", hours(24)},
                                                              {"1-02:03:04", seconds(93'784)},
                                                              {"90:00", minutes(90)},
                                                              {"0:90", seconds(90)},
                                                              {"7-00:00:00", hours(168)},
                                                              {"24:00:00", hours(24)},
                                                              {"1", minutes(1)}};
  for (const auto& [text, duration] : good) {
    const auto parsed = parse_slurm_time(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(*parsed, duration) << text;
  }
  for (const std::string text : {"",
                                 " ",
                                 "4x",
                                 "4h",
                                 "1:2:3:4",
                                 "-5",
                                 "5-",
                                 "-",
                                 ":",
                                 "1:",
                                 ":30",
                                 "1-:30",
                                 "1-2-3",
                                 "1.5",
                                 "nan",
                                 "inf",
                                 "unlimited ",
                                 "99999999999999999999",
                                 "9223372036854775807",
                                 "999999999-0",
                                 "+5",
                                 "1 hour",
                                 "0x10",
                                 "1:-2",
                                 "--5"})
    expect_refused(parse_slurm_time(text), text);
}

TEST(Quantity, Durations) {
  const std::vector<std::pair<std::string, Duration>> good = {
      {"1h30m", minutes(90)},   {"90s", seconds(90)},  {"2d", hours(48)},      {"1w", hours(168)},
      {"500ms", Duration(500)}, {"1.5h", minutes(90)}, {"0", Duration{}},      {"1h 30m", minutes(90)},
      {"2 hours", hours(2)},    {"1 day", hours(24)},  {"45min", minutes(45)}, {"1d12h", hours(36)}};
  for (const auto& [text, duration] : good) {
    const auto parsed = parse_duration(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(*parsed, duration) << text;
  }
  for (const std::string text : {"", "h", "1", "90", "1x", "30m1h", "1h1h", "-1h", "1h-30m", "1.2345h", "nan", "1e3s",
                                 "999999999999999999d", "1hh", "1h,", "1 h m"})
    expect_refused(parse_duration(text), text);
  EXPECT_EQ(*parse_time_limit("4:00"), minutes(4));
  EXPECT_EQ(*parse_time_limit("4h"), hours(4));
  EXPECT_EQ(*parse_time_limit("unlimited"), kUnlimited);
  expect_refused(parse_time_limit("0s"), "0s");
}

TEST(Quantity, SlurmMemory) {
  const std::vector<std::pair<std::string, std::int64_t>> good = {
      {"40", 40},     {"50gb", 50 * 1024}, {"5000M", 5000}, {"32000", 32000}, {"0", 0},
      {"64G", 65536}, {"1T", 1 << 20},     {"64GB", 65536}, {"64GiB", 65536}, {"2048K", 2},
      {"1K", 1},      {"1025k", 2},        {"8g", 8192}};
  for (const auto& [text, mib] : good) {
    const auto parsed = parse_slurm_memory(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(*parsed, Mib(mib)) << text;
  }
  for (const std::string text : {"", "G", "64X", "64GG", "-5G", "1.5G", "64 G", "nan", "99999999999999999999",
                                 "9999999999T", "1000000000000T", "5GBs", "64G,", "+1G", "0x1G"})
    expect_refused(parse_slurm_memory(text), text);
}

TEST(Quantity, Memory) {
  EXPECT_EQ(*parse_memory("64GiB"), Mib(65536));
  EXPECT_EQ(*parse_memory("64 GB"), Mib(65536));
  EXPECT_EQ(*parse_memory("1.5G"), Mib(1536));
  EXPECT_EQ(*parse_memory("512M"), Mib(512));
  for (const std::string text : {"", "64", "0", "64x", "-1G", "1.5", ".5G", "1.G", "nanG"})
    expect_refused(parse_memory(text), text);
}

TEST(Quantity, CpusAndIntegers) {
  EXPECT_EQ(*parse_cpus("8"), MilliCpu(8000));
  EXPECT_EQ(*parse_cpus("0.5"), MilliCpu(500));
  EXPECT_EQ(*parse_cpus("500m"), MilliCpu(500));
  for (const std::string text : {"", "m", "-1", "1e3", "nan", "1.2345", "99999999999", "8 "})
    expect_refused(parse_cpus(text), text);
  EXPECT_EQ(*parse_integer("7", 1, 10), 7);
  EXPECT_EQ(*parse_integer("-7", -10, 10), -7);
  for (const std::string text : {"", "0", "11", "-1", "1.0", "H100", "one", "99999999999999999999"})
    expect_refused(parse_integer(text, 1, 10), text);
}

TEST(Quantity, Signals) {
  EXPECT_EQ(*parse_signal("TERM"), 15);
  EXPECT_EQ(*parse_signal("SIGUSR1"), 10);
  EXPECT_EQ(*parse_signal("usr2"), 12);
  EXPECT_EQ(*parse_signal("9"), 9);
  for (const std::string text : {"", "0", "65", "FOO", "SIG", "-9", "TERM "}) expect_refused(parse_signal(text), text);
  const auto batch = parse_warning_signal("B:TERM@300");
  ASSERT_TRUE(batch.ok());
  EXPECT_EQ(*batch, (WarningSignal{15, seconds(300), true}));
  EXPECT_EQ(*parse_warning_signal("USR2@120"), (WarningSignal{12, seconds(120), false}));
  EXPECT_EQ(*parse_warning_signal("10"), (WarningSignal{10, seconds(60), false}));
  for (const std::string text :
       {"", "@60", "B:", "TERM@", "TERM@-1", "TERM@70000", "X:TERM", "TERM@1h", "R:TERM", "RB:10@5"})
    expect_refused(parse_warning_signal(text), text);
}

TEST(Quantity, Arrays) {
  EXPECT_EQ(*parse_array("0-3%2"), (ArraySpec{{0, 1, 2, 3}, 2}));
  EXPECT_EQ(*parse_array("1-7:2"), (ArraySpec{{1, 3, 5, 7}, 0}));
  EXPECT_EQ(*parse_array("5,1,3,2-4"), (ArraySpec{{1, 2, 3, 4, 5}, 0}));
  EXPECT_EQ(parse_array("0-14%4")->indexes.size(), 15u);
  EXPECT_EQ(parse_array("0-99999")->indexes.size(), 100'000u);
  for (const std::string text :
       {"",     "-",     "3-1", "1-",   "-1",       "1-7:0",        "1-7:",       "1:2",
        "1,,2", "1%",    "1%0", "1%-1", "0-100000", "0-2147483647", "2147483647", "99999999999999999999",
        "a-b",  "1-2-3", "1 2", "%4",   "1-7:2:3"})
    expect_refused(parse_array(text), text);
}

GpuSpec whole(std::string type, std::int32_t count) { return {std::move(type), {count, {}, {}}}; }

TEST(Quantity, Gpus) {
  const std::vector<std::pair<std::string, GpuSpec>> good = {{"2", whole("", 2)},
                                                             {"0", whole("", 0)},
                                                             {"H100:2", whole("H100", 2)},
                                                             {"gpu:2", whole("", 2)},
                                                             {"gpu", whole("", 1)},
                                                             {"gpu:l40s:1", whole("l40s", 1)},
                                                             {"h100:4", whole("h100", 4)},
                                                             {"gpu:a100", whole("a100", 1)},
                                                             {"H100-80GB:2", whole("H100-80GB", 2)},
                                                             {"a100_80gb:1", whole("a100_80gb", 1)},
                                                             {"3090:2", whole("3090", 2)},
                                                             {"0.5", {"", {0, MilliGpu(500), {}}}},
                                                             {"20G", {"", {0, {}, Mib(20480)}}},
                                                             {"H100:0.25", {"H100", {0, MilliGpu(250), {}}}},
                                                             {"gpu:H100:20G", {"H100", {0, {}, Mib(20480)}}}};
  for (const auto& [text, spec] : good) {
    const auto parsed = parse_gpus(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, spec) << text;
  }
  for (const std::string text :
       {"", "-1", "1.5", "1.0", "H100", "0.0", "0.0001", "nan", ":2", "gpu:", "H100:", "H100:-2", "H100:x", "gpu:2:3",
        "2:1", "0G", "99999999999999999999", "gpu:2(S:0-1)", "H 100:2"})
    expect_refused(parse_gpus(text), text);
  for (const std::string text : {"a100_3g.20gb:1", "gpu:H100.10gb:1", "gpu:1g.5gb:2"}) {
    expect_refused(parse_gpus(text), text);
    EXPECT_EQ(parse_gpus(text).error().code, ErrorCode::unsupported) << text;
    EXPECT_NE(parse_gpus(text).error().message.find("MIG"), std::string::npos);
  }
}

TEST(Quantity, Gres) {
  EXPECT_EQ(*parse_gres("gpu:2"), whole("", 2));
  EXPECT_EQ(*parse_gres("gpu:l40s:1"), whole("l40s", 1));
  EXPECT_EQ(*parse_gres("none"), GpuSpec{});
  for (const std::string text : {"", "2", "tmpfs:10G", "gpu:a:1,gpu:b:1", "shard:2", "mps:50", "h100:2"})
    expect_refused(parse_gres(text), text);
  expect_refused(parse_gres("gpu:1,nvme:1"), "nvme:1");
}

TEST(Quantity, GpuTypes) {
  const auto types = parse_gpu_types("H100,A100:0.5");
  ASSERT_TRUE(types.ok());
  EXPECT_EQ(*types, (std::vector<GpuTypePreference>{{"H100", 1000}, {"A100", 500}}));
  for (const std::string text : {"", "H100,", "H100:0", "H100:-1", "H100,H100", "H100:x", "a100_3g.20gb"})
    expect_refused(parse_gpu_types(text), text.empty() || text.back() == ',' ? "" : text.substr(0, 4));
}

TEST(Quantity, ExitCodes) {
  const auto codes = parse_exit_codes("1-3,137");
  ASSERT_TRUE(codes.ok());
  EXPECT_EQ(*codes, (std::vector<std::pair<std::int32_t, std::int32_t>>{{1, 3}, {137, 137}}));
  for (const std::string text : {"", "256", "3-1", "-1", "1,,2", "a", "1-2:3"})
    expect_refused(parse_exit_codes(text), text);
}

TEST(Quantity, NodeLists) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(*parse_node_list("n1"), Names({"n1"}));
  EXPECT_EQ(*parse_node_list("n[1-3,7],m5"), Names({"n1", "n2", "n3", "n7", "m5"}));
  EXPECT_EQ(*parse_node_list("n[08-11]"), Names({"n08", "n09", "n10", "n11"}));
  EXPECT_EQ(*parse_node_list("r[1-2]n[1-2]"), Names({"r1n1", "r1n2", "r2n1", "r2n2"}));
  EXPECT_EQ(*parse_node_list("a,b,a"), Names({"a", "b"}));
  EXPECT_EQ(*parse_node_list("gpu-node.cluster"), Names({"gpu-node.cluster"}));
  for (const std::string text : {"", ",", "n[", "n[]", "n[3-1]", "n[a]", "n]", "n[1-2", "a,,b", "n 1", "/etc/nodes",
                                 "n[0-9999999999]", "n[1-70000]", "n[1-300]m[1-300]"})
    expect_refused(parse_node_list(text), text);
}

TEST(Quantity, Features) {
  using Clauses = std::vector<std::vector<std::string>>;
  EXPECT_EQ(*parse_features("h100"), Clauses({{"h100"}}));
  EXPECT_EQ(*parse_features("a&b"), Clauses({{"a"}, {"b"}}));
  EXPECT_EQ(*parse_features("a|b"), Clauses({{"a", "b"}}));
  EXPECT_EQ(*parse_features("a&(b|c)"), Clauses({{"a"}, {"b", "c"}}));
  EXPECT_EQ(*parse_features("(a&b)|c"), Clauses({{"a", "c"}, {"b", "c"}}));
  EXPECT_EQ(*parse_features("gpu:v=80_gb.x-1"), Clauses({{"gpu:v=80_gb.x-1"}}));
  for (const std::string text :
       {"", "a&", "|a", "a&&b", "a&b|c", "(a", "a)", "a b", "a,b", "[a|b]", "a*2", "!a", "()", "a\tb"}) {
    const auto parsed = parse_features(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.error().hint, "");
  }
  EXPECT_EQ(parse_features("[a|b]").error().code, ErrorCode::unsupported);
  EXPECT_FALSE(parse_features(std::string(100'000, '(')).ok());
  std::string wide = "(a0&b0&c0&d0)";
  for (int i = 1; i < 10; ++i) wide += "|(a" + std::to_string(i) + "&b&c&d)";
  EXPECT_EQ(parse_features(wide).error().code, ErrorCode::too_large);
}

TEST(Quantity, Dependencies) {
  const auto parsed = parse_dependencies("afterok:1:2,after:3+10,singleton");
  ASSERT_TRUE(parsed.ok());
  ASSERT_EQ(parsed->list.size(), 3u);
  EXPECT_EQ(parsed->list[1], (Dependency{DependencyKind::afterok, JobId(2), {}}));
  EXPECT_EQ(parsed->list[2], (Dependency{DependencyKind::after, JobId(3), minutes(10)}));
  EXPECT_TRUE(parsed->singleton);
  for (const std::string text :
       {"", "afterok", "afterok:", "afterok:x", "afterok:0", "afterok:-1", "foo:1", "afterok:1,,afterok:2",
        "afterok:1+5", "singleton:1", "aftercorr:1", "afterok:1?afterok:2", "afterok:12_3", "12"})
    ASSERT_FALSE(parse_dependencies(text).ok()) << text;
}

class Moments : public testing::Test {
 protected:
  static constexpr Time kNow{1'796'119'200'000};  // 2026-12-01T10:00:00Z, a Tuesday; 11:00 in the zone
  Zone zone_ = Zone::fixed(3600);
  std::int64_t hours_from_now(std::string_view text) const {
    const auto parsed = parse_moment(text, kNow, zone_);
    EXPECT_TRUE(parsed.ok()) << text;
    return parsed.ok() ? (*parsed - kNow).ms() / 3'600'000 : -1;
  }
};

TEST_F(Moments, Good) {
  const std::vector<std::pair<std::string, std::int64_t>> good = {{"now", 0},
                                                                  {"now+1hour", 1},
                                                                  {"now + 2 days", 48},
                                                                  {"now+7200", 2},
                                                                  {"now+1h30m", 1},
                                                                  {"16:00", 5},
                                                                  {"10:00", 23},
                                                                  {"10:00:00", 23},
                                                                  {"4pm", 5},
                                                                  {"4:00 PM", 5},
                                                                  {"12:00 AM", 13},
                                                                  {"noon", 1},
                                                                  {"midnight", 13},
                                                                  {"teatime", 5},
                                                                  {"tomorrow", 13},
                                                                  {"today", -11},
                                                                  {"tomorrow 16:00", 29},
                                                                  {"16:00 tomorrow", 29},
                                                                  {"2026-12-02", 13},
                                                                  {"2026-12-01T12:00", 1},
                                                                  {"2026-12-01T12:00:00", 1},
                                                                  {"2026-12-01T12:00:00Z", 2},
                                                                  {"2026-12-01T12:00+05:00", -3},
                                                                  {"12/02/26", 13},
                                                                  {"120226", 13},
                                                                  {"12.02.26", 13},
                                                                  {"12/02", 13},
                                                                  {"2026-12-02 08:00", 21}};
  for (const auto& [text, hours_later] : good) EXPECT_EQ(hours_from_now(text), hours_later) << text;
  EXPECT_EQ(hours_from_now("11/30"), 364 * 24 - 11);  // past this year: the next
}

TEST_F(Moments, Bad) {
  for (const std::string text : {"",
                                 " ",
                                 "yesterday",
                                 "now-1h",
                                 "now+",
                                 "now+x",
                                 "25:00",
                                 "12:60",
                                 "13pm",
                                 "0am",
                                 "2026-13-01",
                                 "2026-02-30",
                                 "2026-1",
                                 "26-12-01",
                                 "2026-12-01T",
                                 "2026-12-01T25:00",
                                 "16:00 17:00",
                                 "tomorrow x",
                                 "99999999999",
                                 "now+99999999999999999999",
                                 "1:2:3:4",
                                 "2026-12-01T10:00+25:00",
                                 "13/13/26",
                                 "0001-01-01",
                                 "99999-01-01"})
    ASSERT_FALSE(parse_moment(text, kNow, zone_).ok()) << text;
}

TEST(Quantity, Nearest) {
  const std::vector<std::string> names = {"partition", "nodes", "ntasks", "nodelist", "time"};
  EXPECT_EQ(nearest("partiton", names), "partition");
  EXPECT_EQ(nearest("tiem", {"mem", "tmp", "time"}), "time");
  EXPECT_EQ(nearest("parti", names), "partition");
  EXPECT_EQ(nearest("xyzzy-plugh", names), "");
  EXPECT_EQ(nearest("", names), "");
}

TEST(Quantity, MessagesAreWholeText) {
  const auto refused = parse_slurm_time("4\xFF\x01\nx");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "`4\\x?\\x?\\nx` is not a time limit");
  EXPECT_LT(parse_slurm_time(std::string(100'000, 'x')).error().message.size(), 200u);
}

}  // namespace
}  // namespace berth
