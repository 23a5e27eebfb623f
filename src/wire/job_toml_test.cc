#include "wire/job_toml.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth {
namespace {

using Words = std::vector<std::string>;

const SubmitContext& context() {
  static const SubmitContext c = [] {
    SubmitContext made;
    made.cwd = "/home/ann";
    made.now = Time(1'796'119'200'000);
    made.env = {{"PATH", "/bin"}};
    return made;
  }();
  return c;
}

Result<ParsedJob> parse(std::string_view text, const Words& options = {}) {
  return parse_job_toml(text, "train.toml", options, context());
}

JobSpec spec_of(std::string_view text, const Words& options = {}) {
  const auto parsed = parse(text, options);
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().message + " | " + parsed.error().hint);
  return parsed.ok() ? parsed->spec : JobSpec{};
}

constexpr std::string_view kEverything = R"toml(
name = "train"
queue = "nlp"
comment = "first try"
class = "training"
command = ["python", "train.py", "--epochs", "3"]
launch = "each"
workdir = "runs"
inherit_env = false
stdin = "in.txt"
stdout = "logs/%j.out"
stderr = "logs/%j.err"
append_logs = true
cuda_by_index = true
tasks = 4
gpus = 2
gpu_memory = "40 GiB"
cpus = 8
memory = "64 GiB"
max_per_node = 2
exclusive = true
gpu_types = ["H100", "A100:0.5"]
features = "ib&(h100|a100)"
nodes = ["n[1-3]", "m1"]
exclude = "n2"
priority = 5
begin = 2026-12-01T12:00:00Z
time_limit = "1d12h"
depends = ["afterok:5", "after:6+10"]
singleton = true
hold = true
array = "0-9%2"
[env]
A = "1"
B = 2
[interrupt]
mode = "checkpoint"
signal = "USR2"
grace = "90s"
[warning]
signal = "TERM"
before = "5m"
batch_only = true
[retry]
attempts = 3
backoff = "30s"
backoff_max = "10m"
requeue_on_node_failure = false
rules = [{ exit = "1-3,137", action = "fail" }, { exit = 85 }]
)toml";

TEST(JobToml, Everything) {
  const JobSpec s = spec_of(kEverything);
  EXPECT_EQ(s.name, "train");
  EXPECT_EQ(s.queue, "nlp");
  EXPECT_EQ(s.comment, "first try");
  EXPECT_EQ(s.job_class, JobClass::training);
  EXPECT_EQ(s.command.size(), 4u);
  EXPECT_EQ(s.workdir, "/home/ann/runs");
  EXPECT_EQ(s.env, (std::map<std::string, std::string>{{"A", "1"}, {"B", "2"}}));
  EXPECT_EQ(s.stdin_path, "in.txt");
  EXPECT_EQ(s.stdout_path, "logs/%j.out");
  EXPECT_EQ(s.stderr_path, "logs/%j.err");
  EXPECT_TRUE(s.append_logs && s.cuda_by_index && s.singleton && s.hold);
  ASSERT_EQ(s.groups.size(), 1u);
  const TaskGroup& g = s.groups[0];
  EXPECT_EQ(g.count, 4);
  EXPECT_EQ(g.gpus, (GpuRequest{2, {}, Mib(40960)}));
  EXPECT_EQ(g.cpus, MilliCpu(8000));
  EXPECT_EQ(g.memory, Mib(65536));
  EXPECT_EQ(g.max_per_node, 2);
  EXPECT_TRUE(g.exclusive);
  EXPECT_EQ(s.gpu_types, (std::vector<GpuTypePreference>{{"H100", 1000}, {"A100", 500}}));
  EXPECT_EQ(s.nodes.features.size(), 2u);
  EXPECT_EQ(s.nodes.include, (Words{"n1", "n2", "n3", "m1"}));
  EXPECT_EQ(s.nodes.exclude, Words{"n2"});
  EXPECT_EQ(s.priority, 5);
  EXPECT_EQ(s.begin, context().now + hours(2));
  EXPECT_EQ(s.time_limit, hours(36));
  EXPECT_EQ(s.depends.size(), 2u);
  EXPECT_EQ(s.array->indexes.size(), 10u);
  EXPECT_EQ(s.interrupt, (InterruptContract{Interruptible::checkpoint, 12, seconds(90)}));
  EXPECT_EQ(s.warning, (WarningSignal{15, minutes(5), true}));
  EXPECT_EQ(s.retry.attempts, 3);
  EXPECT_EQ(s.retry.backoff, seconds(30));
  EXPECT_EQ(s.retry.backoff_max, minutes(10));
  EXPECT_FALSE(s.retry.requeue_on_node_failure);
  EXPECT_EQ(
      s.retry.rules,
      (std::vector<RetryRule>{{1, 3, RetryAction::fail}, {137, 137, RetryAction::fail}, {85, 85, RetryAction::retry}}));
}

TEST(JobToml, Groups) {
  const JobSpec s = spec_of(R"toml(
command = "hostname"
gpu_types = [{ type = "H100" }, { type = "A100", speed = 0.5 }]
[[group]]
name = "head"
cpus = 2
[[group]]
name = "worker"
count = 3
gpus = 8
max_per_node = 1
)toml");
  ASSERT_EQ(s.groups.size(), 2u);
  EXPECT_EQ(s.groups[0].name, "head");
  EXPECT_EQ(s.groups[1].count, 3);
  EXPECT_EQ(s.groups[1].gpus.count, 8);
  EXPECT_EQ(s.gpu_types[1].speed_milli, 500);
}

TEST(JobToml, ShortForms) {
  EXPECT_EQ(spec_of("command = 'echo hi | wc'").command, (Words{"/bin/sh", "-c", "echo hi | wc"}));
  EXPECT_EQ(spec_of("command = 'x'").name, "train");
  EXPECT_EQ(spec_of("command = 'x'").env.at("PATH"), "/bin");
  EXPECT_EQ(spec_of("command = 'x'\ngpus = 'H100:2'").gpu_types[0].type, "H100");
  EXPECT_EQ(spec_of("command = 'x'\ngpus = 0.5").groups[0].gpus.milli, MilliGpu(500));
  EXPECT_EQ(spec_of("command = 'x'\ngpus = '20G'").groups[0].gpus.memory, Mib(20480));
  EXPECT_EQ(spec_of("script = '#!/bin/sh'\nscript_args = ['a']").launch, LaunchMode::first);
  EXPECT_EQ(spec_of("command = 'x'\ntime_limit = 'unlimited'").time_limit, kUnlimited);
  EXPECT_EQ(spec_of("command = 'x'\ntime_limit = '4:00:00'").time_limit, hours(4));
  EXPECT_EQ(spec_of("command = 'x'\narray = [1, 3, 5]").array->indexes.size(), 3u);
  EXPECT_EQ(spec_of("command = 'x'\ngpu_types = 'H100,A100'").gpu_types.size(), 2u);
}

TEST(JobToml, TheCommandLineWins) {
  const JobSpec s = spec_of("command = 'x'\ntasks = 2\ngpus = 1\ntime_limit = '1h'\nqueue = 'a'",
                            {"--tasks=3", "--time=2h", "--queue=b", "--env", "A=1"});
  EXPECT_EQ(s.groups[0].count, 3);
  EXPECT_EQ(s.groups[0].gpus.count, 1);
  EXPECT_EQ(s.time_limit, hours(2));
  EXPECT_EQ(s.queue, "b");
  EXPECT_EQ(s.env.at("A"), "1");
  EXPECT_FALSE(parse("command = 'x'\n[[group]]\ncpus = 1\n", {"--gpus=2"}).ok());
  EXPECT_TRUE(parse("command = 'x'\n[[group]]\ncpus = 1\n", {"--time=2h"}).ok());
}

TEST(JobToml, ErrorsHaveTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"command = 'x'\ntaks = 4", "train.toml:2:1: `taks` is not a key that is known | did you mean tasks?"},
      {"command = 'x'\n[retry]\natempts = 4",
       "train.toml:3:1: `[retry] atempts` is not a key that is known | did you mean attempts?"},
      {"command = 'x'\ntasks = 'four'",
       "train.toml:2:9: tasks: the value must be a whole number | write it without quotes"},
      {"command = 'x'\ntasks = 0", "train.toml:2:9: tasks: 0 is out of range | it must be 1 to 100000"},
      {"command = 'x'\nhold = 1", "train.toml:2:8: hold: the value must be true or false | write it without quotes"},
      {"command = 'x'\nname = 7", "train.toml:2:8: name: the value must be a string | put it between quotes"},
      {"name = 'x'", "train.toml: there is neither command nor script | write command = [\"PROGRAM\", \"ARGUMENT\"]"}};
  for (const auto& [text, expected] : cases) {
    const auto parsed = parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().message + " | " + parsed.error().hint, expected);
  }
}

TEST(JobToml, BadFiles) {
  for (const std::string text : {"command = ",
                                 "command = []",
                                 "command = ['']",
                                 "command = ''",
                                 "command = 5",
                                 "command = 'x'\nscript = '#!/bin/sh'",
                                 "script = 'echo'",
                                 "command = 'x'\nscript_args = ['a']",
                                 "command = 'x'\nmemory = 64",
                                 "command = 'x'\nmemory = 'lots'",
                                 "command = 'x'\ntime_limit = 30",
                                 "command = 'x'\ntime_limit = '4:00'",
                                 "command = 'x'\ngpus = -1",
                                 "command = 'x'\ngpus = nan",
                                 "command = 'x'\ngpus = 1.5",
                                 "command = 'x'\nclass = 'hobby'",
                                 "command = 'x'\nlaunch = 'never'",
                                 "command = 'x'\ngpu_types = [1]",
                                 "command = 'x'\ngpu_types = [{ speed = 1 }]",
                                 "command = 'x'\n[[group]]\ngpus = 'A:1'\n[[group]]\ngpus = 'B:1'",
                                 "command = 'x'\ngpus = 1\n[[group]]\ncpus = 1",
                                 "command = 'x'\ngroup = 1",
                                 "command = 'x'\ngroup = [1]",
                                 "command = 'x'\nretry = 1",
                                 "command = 'x'\n[retry]\nrules = [{ action = 'fail' }]",
                                 "command = 'x'\n[warning]\nbefore = '1m'",
                                 "command = 'x'\n[env]\n'A=B' = '1'",
                                 "command = 'x'\n[env]\nA = [1]",
                                 "command = 'x'\nname = \"a\\u0000b\"",
                                 "command = 'x'\ncommand = 'y'",
                                 "command = 'x'\nbegin = 'sometime'",
                                 "command = 'x'\ndepends = 'x'",
                                 "command = 'x'\ncpus = -1",
                                 "command = 'x'\npriority = 99999999999",
                                 "command = \"\\u0000\"",
                                 "command = 'x'\n[[group]]\nnmae = 'x'"}) {
    const auto parsed = parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.error().hint, "") << text;
    EXPECT_EQ(parsed.error().message.substr(0, 11), "train.toml:") << parsed.error().message;
  }
  EXPECT_EQ(parse(std::string((4u << 20) + 1, '#')).error().code, ErrorCode::too_large);
  EXPECT_FALSE(parse("a = " + std::string(100'000, '[')).ok());
}

}  // namespace
}  // namespace berth
