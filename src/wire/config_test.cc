#include "wire/config.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace berth {
namespace {

Config config_of(std::string_view text) {
  const auto parsed = parse_config(text, "berth.toml");
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().message);
  return parsed.ok() ? *parsed : Config{};
}

TEST(Config, EmptyIsAllDefaults) {
  const Config c = config_of("");
  EXPECT_EQ(c.server.listen, "127.0.0.1:7474");
  EXPECT_FALSE(c.local.gpus.has_value());
  EXPECT_EQ(c.policy, Policy{});
  EXPECT_TRUE(c.queues.empty());
}

TEST(Config, Everything) {
  const Config c = config_of(R"toml(
[server]
listen = "127.0.0.1:0"
socket = "/run/berth.sock"
data = "/var/lib/berth"
[local]
node = "box"
cpus = 16
memory = "128G"
gpus = "8 x H100-80GB"
features = ["ib", "h100"]
[policy]
backfill = "easy"
reserve_depth = 50
age_step = "30m"
half_life = "14d"
type_weights = { "H100-80GB" = 3.5, T4 = 0.25 }
launch_backoff = "2s"
launch_failures_hold = 4
node_failures_drain = 2
max_array_size = 500
max_jobs = 1000
keep_ended = "10m"
[[queue]]
name = "research"
weight = 2
quota = 4
limit = 8
cpu_limit = 64
memory_limit = "512G"
max_running_jobs = 10
default_time_limit = "1h"
max_time_limit = "7d"
priority = 3
[[queue]]
name = "nlp"
parent = "research"
quota = 2.5
default = true
)toml");
  EXPECT_EQ(c.server.socket, "/run/berth.sock");
  EXPECT_EQ(c.server.data, "/var/lib/berth");
  EXPECT_EQ(c.local.node, "box");
  EXPECT_EQ(c.local.cpus, MilliCpu(16'000));
  EXPECT_EQ(c.local.memory, Mib(131072));
  EXPECT_EQ(c.local.gpus, (std::vector<GpuDeclaration>{{8, "H100-80GB", Mib(81920)}}));
  EXPECT_EQ(c.local.features.size(), 2u);
  EXPECT_EQ(c.policy.backfill, Backfill::easy);
  EXPECT_EQ(c.policy.half_life, hours(24 * 14));
  EXPECT_EQ(c.policy.type_weights_milli, (std::map<std::string, std::int32_t>{{"H100-80GB", 3500}, {"T4", 250}}));
  EXPECT_EQ(c.policy.max_jobs, 1000);
  EXPECT_EQ(c.policy.keep_ended, minutes(10));
  ASSERT_EQ(c.queues.size(), 2u);
  EXPECT_EQ(c.queues[0].limit, MilliGpu(8000));
  EXPECT_EQ(c.queues[0].memory_limit, Mib(512 * 1024));
  EXPECT_EQ(c.queues[0].max_time_limit, hours(168));
  EXPECT_EQ(c.queues[1].quota, MilliGpu(2500));
  EXPECT_EQ(c.queues[1].parent, "research");
  EXPECT_TRUE(c.queues[1].is_default);
}

TEST(Config, ABrokenTreeIsLeftToCore) {
  EXPECT_EQ(config_of("[[queue]]\nname = 'a'\nparent = 'nowhere'\nquota = 9\nlimit = 1\n[[queue]]\nname = 'a'\n")
                .queues.size(),
            2u);
}

TEST(Config, Errors) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[sever]\n", "berth.toml:1:2: `sever` is not a key that is known"},
      {"[server]\nlisen = 'x'", "berth.toml:2:1: `[server] lisen` is not a key that is known"},
      {"[server]\nlisten = 7474", "berth.toml:2:10: [server] listen: the value must be a string"},
      {"[local]\ngpus = '8 x UFO'", "berth.toml:2:8: [local] gpus: the memory of a GPU of type `UFO` is not known"},
      {"[local]\ngpus = 8", "berth.toml:2:8: [local] gpus: `8` is not a declaration of GPUs"},
      {"[local]\nmemory = 128", "berth.toml:2:10: [local] memory: `128` is not an amount of memory: it has no unit"},
      {"[policy]\nbackfill = 'fast'", "berth.toml:2:12: [policy] backfill: `fast` is not a kind of backfill"},
      {"[policy]\nage_step = 60", "berth.toml:2:12: [policy] age_step: `60` is not a duration: it has no unit"},
      {"[policy]\nreserve_depth = -1", "berth.toml:2:17: [policy] reserve_depth: -1 is out of range"},
      {"[policy]\ntype_weights = { T4 = -1 }", "berth.toml:2:23: [policy] type_weights T4: `-1` is not a weight"},
      {"[[queue]]\nweight = 1", "berth.toml: [[queue]] : a queue has no name"},
      {"[[queue]]\nname = 'a'\nwieght = 2", "berth.toml:3:1: `[[queue]] wieght` is not a key that is known"},
      {"[[queue]]\nname = 'a'\nquota = 'all'", "berth.toml:3:9: [[queue]] quota: `all` is not a number of GPUs"},
      {"[queue]\nname = 'a'", "berth.toml:1:1: queue: the value must be an array of tables"},
      {"server = 1", "berth.toml:1:10: server: the value must be a table"}};
  for (const auto& [text, message] : cases) {
    const auto parsed = parse_config(text, "berth.toml");
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().message, message);
    EXPECT_NE(parsed.error().hint, "") << message;
  }
  EXPECT_FALSE(parse_config("x = \"\xFF\"", "berth.toml").ok());
  EXPECT_FALSE(parse_config("[a\n", "berth.toml").ok());
}

TEST(Config, GpuDeclarations) {
  using All = std::vector<GpuDeclaration>;
  const std::vector<std::pair<std::string, All>> good = {
      {"none", {}},
      {"8 x H100-80GB", {{8, "H100-80GB", Mib(81920)}}},
      {"8xH100", {{8, "H100", Mib(81559)}}},
      {"T4", {{1, "T4", Mib(15360)}}},
      {"2 x T4, 1 x H100-80GB", {{2, "T4", Mib(15360)}, {1, "H100-80GB", Mib(81920)}}},
      {"4 x UFO:24G", {{4, "UFO", Mib(24576)}}}};
  for (const auto& [text, all] : good) {
    const auto parsed = parse_gpu_declarations(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(*parsed, all) << text;
  }
  for (const std::string text : {"", "8", "0 x T4", "65 x T4", "40 x T4, 40 x T4", "8 x", "x T4", "-1 x T4", "8 x T 4",
                                 "8 x UFO", "8 x UFO:", "8 x UFO:0G", "8 x T4,,", "99999999999999999999 x T4"})
    EXPECT_FALSE(parse_gpu_declarations(text).ok()) << text;
}

TEST(Config, VirtualGpusAreStable) {
  const auto declarations = *parse_gpu_declarations("2 x T4, 1 x H100-80GB");
  const auto gpus = virtual_gpus(declarations, "box");
  ASSERT_EQ(gpus.size(), 3u);
  EXPECT_EQ(gpus, virtual_gpus(declarations, "box"));
  std::set<std::string> uuids;
  for (const Gpu& gpu : gpus) uuids.insert(gpu.uuid);
  EXPECT_EQ(uuids.size(), 3u);
  EXPECT_TRUE(gpus[2].is_virtual);
  EXPECT_EQ(gpus[2].type, "H100-80GB");
}

}  // namespace
}  // namespace berth
