#include "wire/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wire/sbatch.h"

namespace berth {
namespace {

using Words = std::vector<std::string>;

SubmitContext context() {
  SubmitContext c;
  c.user = "ann";
  c.cwd = "/home/ann";
  c.now = Time(1'796'119'200'000);
  c.env = {{"PATH", "/usr/bin"}, {"HOME", "/home/ann"}, {"SLURM_JOB_ID", "7"}, {"FOO", "1"}};
  return c;
}

Result<ParsedJob> parse(const Words& options, OptionFace face = OptionFace::berth, SubmitContext c = context()) {
  return parse_sbatch("#!/bin/sh\ntrue\n", "job.sh", options, c, face);
}

JobSpec spec_of(const Words& options, OptionFace face = OptionFace::berth) {
  const auto parsed = parse(options, face);
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().message);
  return parsed.ok() ? parsed->spec : JobSpec{};
}

std::string error_of(const Words& options, OptionFace face = OptionFace::sbatch) {
  const auto parsed = parse(options, face);
  if (parsed.ok()) return "";
  EXPECT_NE(parsed.error().hint, "") << parsed.error().message;
  return parsed.error().message + " | " + parsed.error().hint;
}

TEST(Options, EveryShapeOfWriting) {
  for (const Words& words :
       {Words{"-n", "4"}, Words{"-n4"}, Words{"--ntasks=4"}, Words{"--ntasks", "4"}, Words{"-Hn", "4"}, Words{"-Qn4"}})
    EXPECT_EQ(spec_of(words, OptionFace::sbatch).groups[0].cpus, MilliCpu(4000));
  EXPECT_TRUE(spec_of({"-H"}).hold);
  EXPECT_EQ(spec_of({"--nice"}).priority, -100);
  EXPECT_EQ(spec_of({"--nice=-5"}).priority, 5);
}

TEST(Options, EffectOnTheJob) {
  const JobSpec s = spec_of({"-J",        "train",     "-o",
                             "o.%j",      "-e",        "e.%j",
                             "-i",        "in",        "-D",
                             "sub",       "-t",        "2-12",
                             "--comment", "hi",        "--open-mode=append",
                             "-C",        "a&b",       "-w",
                             "n[1-2]",    "-x",        "n9",
                             "-d",        "afterok:5", "--signal=B:TERM@300",
                             "-b",        "now+1hour", "--priority=7",
                             "-a",        "0-3%2",     "--class",
                             "training"});
  EXPECT_EQ(s.name, "train");
  EXPECT_EQ(s.stdout_path, "o.%j");
  EXPECT_EQ(s.stderr_path, "e.%j");
  EXPECT_EQ(s.stdin_path, "in");
  EXPECT_EQ(s.workdir, "/home/ann/sub");
  EXPECT_EQ(s.time_limit, hours(60));
  EXPECT_EQ(s.comment, "hi");
  EXPECT_TRUE(s.append_logs);
  EXPECT_EQ(s.nodes.features.size(), 2u);
  EXPECT_EQ(s.nodes.include.size(), 2u);
  EXPECT_EQ(s.nodes.exclude, Words{"n9"});
  EXPECT_EQ(s.depends.size(), 1u);
  EXPECT_EQ(s.warning, (WarningSignal{15, seconds(300), true}));
  EXPECT_EQ(s.begin, context().now + hours(1));
  EXPECT_EQ(s.priority, 7);
  EXPECT_EQ(s.array->throttle, 2);
  EXPECT_EQ(s.job_class, JobClass::training);
}

TEST(Options, BerthsOwn) {
  const JobSpec s = spec_of({"--queue",
                             "nlp",
                             "--tasks",
                             "4",
                             "--gpus",
                             "2",
                             "--gpu-memory",
                             "40G",
                             "--cpus",
                             "0.5",
                             "--memory",
                             "8G",
                             "--gpu-type",
                             "H100,A100:0.5",
                             "--max-per-node",
                             "1",
                             "--retries",
                             "3",
                             "--retry-on",
                             "1-3",
                             "--fail-on",
                             "2",
                             "--backoff",
                             "1m",
                             "--interruptible=checkpoint",
                             "--grace",
                             "1m",
                             "--checkpoint-signal",
                             "USR2",
                             "--env",
                             "A=b=c",
                             "--time",
                             "4h",
                             "--cuda-by-index"});
  EXPECT_EQ(s.queue, "nlp");
  const TaskGroup g = s.groups[0];
  EXPECT_EQ(g.count, 4);
  EXPECT_EQ(g.gpus, (GpuRequest{2, {}, Mib(40960)}));
  EXPECT_EQ(g.cpus, MilliCpu(500));
  EXPECT_EQ(g.memory, Mib(8192));
  EXPECT_EQ(g.max_per_node, 1);
  EXPECT_EQ(s.gpu_types, (std::vector<GpuTypePreference>{{"H100", 1000}, {"A100", 500}}));
  EXPECT_EQ(s.retry.attempts, 3);
  EXPECT_EQ(s.retry.rules.size(), 2u);
  EXPECT_EQ(s.retry.backoff, minutes(1));
  EXPECT_EQ(s.interrupt.mode, Interruptible::checkpoint);
  EXPECT_EQ(s.interrupt.grace, minutes(1));
  EXPECT_EQ(s.interrupt.checkpoint_signal, 12);
  EXPECT_EQ(s.env.at("A"), "b=c");
  EXPECT_EQ(s.time_limit, hours(4));
  EXPECT_TRUE(s.cuda_by_index);
}

struct ResourceCase {
  Words options;
  TaskGroup group;
};

TaskGroup group(std::int32_t count, std::int32_t max_per_node, std::int32_t gpus, std::int64_t cores,
                std::int64_t gib = 0) {
  TaskGroup g;
  g.count = count;
  g.max_per_node = max_per_node;
  g.gpus.count = gpus;
  g.cpus = MilliCpu(cores * 1000);
  g.memory = Mib(gib * 1024);
  return g;
}

TEST(Options, ResourcesBecomeTasks) {
  const std::vector<ResourceCase> cases = {
      {{}, group(1, 0, 0, 1)},
      {{"-n", "8"}, group(1, 0, 0, 8)},
      {{"-n", "8", "-c", "2", "--mem=16G"}, group(1, 0, 0, 16, 16)},
      {{"--gpus=8"}, group(1, 0, 8, 1)},
      {{"-G", "2", "-c", "16", "--mem", "64G"}, group(1, 0, 2, 16, 64)},
      {{"--gres", "gpu:2"}, group(1, 0, 2, 1)},
      {{"--gres=gpu:2", "-n", "4"}, group(1, 0, 2, 4)},
      {{"-N", "2", "--gpus-per-node=8", "--ntasks-per-node=8", "-c", "4", "--mem=100G"}, group(2, 1, 8, 32, 100)},
      {{"-N", "4", "--gpus=32"}, group(4, 1, 8, 1)},
      {{"-N", "2-4"}, group(2, 1, 0, 1)},
      {{"-N", "2", "-n", "3"}, group(2, 1, 0, 2)},
      {{"-n", "8", "--ntasks-per-node=4", "--gpus-per-task=1"}, group(2, 1, 4, 4)},
      {{"-n", "4", "--gpus-per-task=2", "-c", "8"}, group(4, 0, 2, 8)},
      {{"-n", "4", "--gpus-per-task=2", "--mem=64G"}, group(4, 0, 2, 1, 16)},
      {{"--gpus=8", "--gpus-per-task=2"}, group(4, 0, 2, 1)},
      {{"--gpus=16", "--gpus-per-node=8"}, group(2, 1, 8, 1)},
      {{"--gpus=2", "--cpus-per-gpu=8", "--mem-per-gpu=32G"}, group(1, 0, 2, 16, 64)},
      {{"-n", "4", "-c", "2", "--mem-per-cpu=2G"}, group(1, 0, 0, 8, 16)},
      {{"-N", "1", "--mem=0", "--exclusive"},
       [] {
         auto g = group(1, 0, 0, 1);
         g.exclusive = true;
         return g;
       }()},
      {{"--gpus=0"}, group(1, 0, 0, 1)},
  };
  for (const auto& [options, expected] : cases) {
    const JobSpec s = spec_of(options, OptionFace::sbatch);
    EXPECT_EQ(s.groups, std::vector<TaskGroup>{expected})
        << testing::PrintToString(options) << " count " << s.groups[0].count << " max " << s.groups[0].max_per_node
        << " gpus " << s.groups[0].gpus.count << " cpus " << s.groups[0].cpus.value() << " mem "
        << s.groups[0].memory.value();
    EXPECT_EQ(s.launch, LaunchMode::first);
  }
}

TEST(Options, Shares) {
  EXPECT_EQ(spec_of({"--gpus", "0.5"}).groups[0].gpus, (GpuRequest{0, MilliGpu(500), {}}));
  EXPECT_EQ(spec_of({"--gpus", "20G"}).groups[0].gpus, (GpuRequest{0, {}, Mib(20480)}));
  EXPECT_EQ(spec_of({"--gpu-memory", "20G"}).groups[0].gpus, (GpuRequest{0, {}, Mib(20480)}));
  EXPECT_EQ(spec_of({"--gpus", "H100:0.5"}).gpu_types[0].type, "H100");
  EXPECT_NE(error_of({"--gpus", "0.5", "--gpu-memory", "20G"}, OptionFace::berth), "");
  EXPECT_NE(error_of({"--gpus", "0.5", "-N", "2"}), "");
}

TEST(Options, Contradictions) {
  for (const Words& words :
       {Words{"--mem=1G", "--mem-per-cpu=1G"}, Words{"-N", "3", "--gpus=8"},
        Words{"--gpus=8", "-N", "2", "--gpus-per-node=8"}, Words{"--gpus=a:1", "--gpus-per-node=b:1"},
        Words{"--gpus=7", "--gpus-per-task=2"}, Words{"--mem-per-gpu=1G"}, Words{"--cpus-per-gpu=2"},
        Words{"--cpus-per-gpu=2", "-c", "2", "--gpus=1"}, Words{"--mem-per-cpu=1000000T", "-c", "1000000"}})
    EXPECT_NE(error_of(words), "") << testing::PrintToString(words);
  EXPECT_NE(error_of({"--tasks=2", "-N", "2"}, OptionFace::berth), "");
  EXPECT_NE(error_of({"--gpu-type=A100", "--gpus=H100:1"}, OptionFace::berth), "");
}

TEST(Options, UnknownOnesAreRefusedWithTheNearest) {
  EXPECT_EQ(error_of({"--gpus-per-nod=2"}), "");  // a unique beginning, as getopt takes it
  EXPECT_EQ(error_of({"--partiton=gpu"}),
            "`--partiton` is not an option that is known (value `gpu`) | did you mean --partition?");
  EXPECT_NE(error_of({"--frobnicate"}).find("`--frobnicate`"), std::string::npos);
  EXPECT_EQ(error_of({"--tiem", "1h"}), "`--tiem` is not an option that is known (value `1h`) | did you mean --time?");
  EXPECT_NE(error_of({"-Z"}).find("`-Z`"), std::string::npos);
  EXPECT_NE(error_of({"--gpu"}).find("may be any of"), std::string::npos);
  EXPECT_NE(error_of({"--workdir=/x"}).find("--chdir"), std::string::npos);
  EXPECT_NE(error_of({"--deadline=now+1h"}).find("not offered yet"), std::string::npos);
  EXPECT_NE(error_of({"--licenses=matlab"}).find("matlab"), std::string::npos);
  EXPECT_NE(error_of({"--queue=x"}).find("berth submit"), std::string::npos);
  EXPECT_NE(error_of({"--retries=3"}).find("berth's own"), std::string::npos);
}

TEST(Options, BadValuesNameFlagAndValue) {
  const std::vector<std::pair<Words, std::string>> cases = {{{"--time=4x"}, "--time: `4x`"},
                                                            {{"-t", "tomorrow"}, "-t: `tomorrow`"},
                                                            {{"--mem=lots"}, "--mem: `lots`"},
                                                            {{"-n", "0"}, "-n: `0`"},
                                                            {{"-n", "-4"}, "-n: `-4`"},
                                                            {{"-N", "4-2"}, "-N: `4-2`"},
                                                            {{"--gpus=two:x"}, "--gpus: `two:x`"},
                                                            {{"--mem"}, "--mem: a value is missing"},
                                                            {{"-n=4"}, "-n: `=4`"},
                                                            {{"--hold=yes"}, "--hold: it takes no value"},
                                                            {{"-J", ""}, "-J: the value is empty"},
                                                            {{"--job-name", "=", "x"}, "--job-name: `=`"},
                                                            {{"--mem=nan"}, "--mem: `nan`"},
                                                            {{"-c", "1.5"}, "-c: `1.5`"},
                                                            {{"--exclusive=user"}, "--exclusive: `user`"},
                                                            {{"-a", "5-1"}, "-a: `5-1`"},
                                                            {{"--open-mode=x"}, "--open-mode: `x`"},
                                                            {{"--time=\xFF"}, "--time: `\\x?`"},
                                                            {{"--signal=FOO"}, "--signal: `FOO`"},
                                                            {{"-b", "never"}, "-b: `never`"}};
  for (const auto& [words, start] : cases) EXPECT_EQ(error_of(words).substr(0, start.size()), start);
}

TEST(Options, NotedOnes) {
  const auto parsed =
      parse({"--mail-type=END", "--mail-user=a@b", "-m", "block", "-O", "-s", "-v"}, OptionFace::sbatch);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->warnings.size(), 6u);
  EXPECT_NE(parsed->warnings[0].find("no mail is sent"), std::string::npos);
}

TEST(Options, Surprises) {
  EXPECT_EQ(parse({"-t", "4:00"})->warnings.size(), 1u);
  EXPECT_NE(parse({"-t", "4:00"})->warnings[0].find("is 4m (minutes:seconds)"), std::string::npos);
  EXPECT_NE(parse({"-t", "0"})->warnings[0].find("no limit"), std::string::npos);
  EXPECT_TRUE(parse({"-t", "4:00:00"})->warnings.empty());
  EXPECT_NE(parse({"--mem=0"})->warnings[0].find("--exclusive"), std::string::npos);
}

TEST(Options, Queues) {
  SubmitContext c = context();
  c.queues = {{"nlp", "vision"}};
  EXPECT_EQ(parse({"-A", "nlp", "-p", "gpu"}, OptionFace::sbatch, c)->spec.queue, "nlp");
  EXPECT_EQ(parse({"-A", "proj1", "-p", "vision"}, OptionFace::sbatch, c)->spec.queue, "vision");
  const auto none = parse({"-A", "proj1", "-p", "gpu", "-q", "high"}, OptionFace::sbatch, c);
  EXPECT_EQ(none->spec.queue, "");
  EXPECT_EQ(none->warnings.size(), 3u);
  EXPECT_EQ(parse({"--queue", "x", "-A", "nlp"}, OptionFace::berth, c)->spec.queue, "x");
  EXPECT_EQ(parse({"-A", "anything"}, OptionFace::sbatch)->spec.queue, "anything");
  EXPECT_EQ(parse({"-p", "anything"}, OptionFace::sbatch)->spec.queue, "");
}

TEST(Options, Environment) {
  using Env = std::map<std::string, std::string>;
  EXPECT_EQ(spec_of({}).env, (Env{{"PATH", "/usr/bin"}, {"HOME", "/home/ann"}, {"FOO", "1"}}));
  EXPECT_EQ(spec_of({"--export=NONE"}).env, Env{});
  EXPECT_EQ(spec_of({"--export=FOO,BAR=2,NOPE"}).env, (Env{{"FOO", "1"}, {"BAR", "2"}}));
  EXPECT_EQ(spec_of({"--export=ALL,FOO=9"}).env.at("FOO"), "9");
  EXPECT_EQ(spec_of({"--export=NONE", "--env", "A=1"}).env, (Env{{"A", "1"}}));
  EXPECT_NE(error_of({"--export=,=x"}), "");
}

TEST(Options, SbatchVariables) {
  SubmitContext c = context();
  c.env["SBATCH_TIMELIMIT"] = "10";
  c.env["SBATCH_GPUS"] = "2";
  c.env["SBATCH_NO_REQUEUE"] = "1";
  const auto parsed = parse({"--gpus=4"}, OptionFace::sbatch, c);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->spec.time_limit, minutes(10));
  EXPECT_EQ(parsed->spec.groups[0].gpus.count, 4);
  EXPECT_FALSE(parsed->spec.retry.requeue_on_node_failure);
  EXPECT_FALSE(parsed->spec.env.contains("SBATCH_GPUS"));
  c.env["SBATCH_TIMELIMIT"] = "soon";
  EXPECT_EQ(parse({}, OptionFace::sbatch, c).error().message,
            "environment: SBATCH_TIMELIMIT: `soon` is not a time limit");
}

TEST(Options, SplittingACommandLine) {
  const SubmitContext c = context();
  auto line = split_submit_line({"-n", "4", "--gpus=2", "job.sh", "--epochs", "3"}, c, OptionFace::berth);
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->file, "job.sh");
  EXPECT_EQ(line->options, (Words{"-n", "4", "--gpus=2"}));
  EXPECT_EQ(line->args, (Words{"--epochs", "3"}));
  line = split_submit_line({"--gpus", "2", "--", "python", "-n", "x"}, c, OptionFace::berth);
  EXPECT_EQ(line->command, (Words{"python", "-n", "x"}));
  EXPECT_EQ(line->options, (Words{"--gpus", "2"}));
  line = split_submit_line({"--parsable", "--wait", "--wrap=hostname"}, c, OptionFace::sbatch);
  EXPECT_TRUE(line->flags.parsable && line->flags.wait && line->wrapped);
  EXPECT_EQ(line->file, "");
  EXPECT_EQ(split_submit_line({"-"}, c, OptionFace::sbatch)->file, "-");
  EXPECT_TRUE(split_submit_line({}, c, OptionFace::sbatch)->options.empty());
  EXPECT_FALSE(split_submit_line({"--nope"}, c, OptionFace::sbatch).ok());
}

TEST(Options, CommandsRunInEveryTask) {
  const auto parsed = parse_command_job({"--tasks", "4", "--gpus", "1"}, {"/usr/bin/python", "train.py"}, context());
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->spec.launch, LaunchMode::each);
  EXPECT_EQ(parsed->spec.name, "python");
  EXPECT_EQ(parsed->spec.command.size(), 2u);
  EXPECT_EQ(parsed->spec.stdout_path, "");
  EXPECT_EQ(parse_command_job({"--launch", "first"}, {"x"}, context())->spec.launch, LaunchMode::first);
  const auto wrapped = parse_command_job({"--wrap", "echo hi"}, {}, context(), OptionFace::sbatch);
  EXPECT_EQ(wrapped->spec.script, "#!/bin/sh\necho hi\n");
  EXPECT_EQ(wrapped->spec.name, "wrap");
  EXPECT_FALSE(parse_command_job({}, {}, context()).ok());
  EXPECT_FALSE(parse_command_job({}, {""}, context()).ok());
  EXPECT_FALSE(parse_command_job({"--wrap", "x"}, {"y"}, context()).ok());
  EXPECT_FALSE(parse_command_job({}, {std::string("a\0b", 3)}, context()).ok());
}

TEST(Options, HelpNamesWhatIsThere) {
  EXPECT_NE(options_help(OptionFace::berth).find("--retries"), std::string::npos);
  EXPECT_EQ(options_help(OptionFace::sbatch).find("--retries"), std::string::npos);
  EXPECT_EQ(options_help(OptionFace::berth).find("--deadline"), std::string::npos);
}

}  // namespace
}  // namespace berth
