#include "wire/lint.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "wire/config.h"

namespace berth {
namespace {

std::vector<Node> cluster() {
  const auto node = [](const std::string& name, const std::string& gpus, std::int64_t cores, std::int64_t gib,
                       std::vector<std::string> features) {
    Node n;
    n.name = name;
    n.cpus = MilliCpu(cores * 1000);
    n.memory = Mib(gib * 1024);
    n.features = std::move(features);
    n.gpus = virtual_gpus(*parse_gpu_declarations(gpus), name);
    return n;
  };
  return {node("n1", "8 x H100-80GB", 96, 1024, {"h100", "ib"}), node("n2", "8 x H100-80GB", 96, 1024, {"h100"}),
          node("n3", "4 x T4", 32, 256, {"t4"})};
}

struct Case {
  std::string name;
  std::function<void(JobSpec&)> change;
  std::string expected;  // of the first finding, as one line; empty: none
};

void expect_first_finding(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    JobSpec spec;
    spec.command = {"x"};
    c.change(spec);
    const auto found = lint(spec, cluster());
    EXPECT_EQ(found.empty() ? "" : to_text(found[0]), c.expected) << c.name;
  }
}

TEST(Lint, SizesThatNeverFit) {
  expect_first_finding({
      {"fine", [](JobSpec& s) { s.groups[0].gpus.count = 8; }, ""},
      {"too many GPUs", [](JobSpec& s) { s.groups[0].gpus.count = 16; },
       "this can never run here: no node can hold one task of 16 GPUs, 1 core (the nearest is n1, with 8 such GPUs of "
       "16 asked)"},
      {"too many cores", [](JobSpec& s) { s.groups[0].cpus = MilliCpu(128'000); },
       "this can never run here: no node can hold one task of no GPU, 128 cores (the nearest is n1, with 96 cores of "
       "128 cores asked)"},
      {"too much memory", [](JobSpec& s) { s.groups[0].memory = Mib(2048 * 1024); },
       "this can never run here: no node can hold one task of no GPU, 1 core, 2048 GiB (the nearest is n1, with 1024 "
       "GiB of 2048 GiB asked)"},
      {"GPU memory",
       [](JobSpec& s) {
         s.groups[0].gpus = {1, {}, Mib(100 * 1024)};
       },
       "this can never run here: no node can hold one task of 1 GPU with 100 GiB or more, 1 core (the nearest is n1, "
       "with 0 such GPUs of 1 asked)"},
      {"too wide",
       [](JobSpec& s) {
         s.groups[0] = {"", 3, 1, false, {8, {}, {}}, MilliCpu(1000), {}};
       },
       "this can never run here: 3 tasks of 8 GPUs, 1 core are asked for; all nodes together hold 2 (ask for fewer or "
       "smaller tasks)"},
      {"no such type",
       [](JobSpec& s) {
         s.groups[0].gpus.count = 1;
         s.gpu_types = {{"V100"}};
       },
       "this can never run here: there is no GPU of type V100 (there are 16 x H100-80GB, 4 x T4)"},
      {"one type of two",
       [](JobSpec& s) {
         s.groups[0].gpus.count = 1;
         s.gpu_types = {{"V100"}, {"T4"}};
       },
       "surely not meant: there is no GPU of type V100 (there are 16 x H100-80GB, 4 x T4)"},
      {"types without GPUs", [](JobSpec& s) { s.gpu_types = {{"V100"}}; }, ""},
      {"type that has too few",
       [](JobSpec& s) {
         s.groups[0].gpus.count = 8;
         s.gpu_types = {{"T4"}};
       },
       "this can never run here: no node can hold one task of 8 GPUs of T4, 1 core (the nearest is n3, with 4 such "
       "GPUs of 8 asked)"},
  });
}

TEST(Lint, NodesThatAreNotThere) {
  expect_first_finding({
      {"no such feature",
       [](JobSpec& s) {
         s.nodes.features = {{"a100", "v100"}};
       },
       "this can never run here: no node has the feature a100 or v100 (there are h100, ib, t4)"},
      {"features of different nodes",
       [](JobSpec& s) {
         s.nodes.features = {{"ib"}, {"t4"}};
       },
       "this can never run here: no node meets all of what is asked of nodes (loosen --constraint, --nodelist or "
       "--exclude)"},
      {"no such node", [](JobSpec& s) { s.nodes.include = {"n9"}; },
       "this can never run here: there is no node named n9 (did you mean n1?)"},
      {"one such node",
       [](JobSpec& s) {
         s.nodes.include = {"n1", "gpu77"};
       },
       "surely not meant: there is no node named gpu77"},
      {"all excluded",
       [](JobSpec& s) {
         s.nodes.exclude = {"n1", "n2", "n3"};
       },
       "this can never run here: no node meets all of what is asked of nodes (loosen --constraint, --nodelist or "
       "--exclude)"},
  });
}

TEST(Lint, Mistakes) {
  expect_first_finding({
      {"40 MB", [](JobSpec& s) { s.groups[0].memory = Mib(40); },
       "surely not meant: each task may use only 40 MiB of memory (--mem without a unit is megabytes; for gigabytes "
       "write --mem=40G)"},
      {"warning too early",
       [](JobSpec& s) {
         s.warning.signal = 10;
         s.warning.before = hours(2);
         s.time_limit = hours(1);
       },
       "surely not meant: SIGUSR1 comes at once: 2h before the end of a job of 1h (let it come later, or raise the "
       "limit)"},
      {"warning never",
       [](JobSpec& s) {
         s.warning.signal = 10;
         s.time_limit = kUnlimited;
       },
       "surely not meant: SIGUSR1 never comes: the job has no time limit (give one with --time)"},
      {"one log for all",
       [](JobSpec& s) {
         s.array = ArraySpec{{0, 1}, 0};
         s.stdout_path = "%x.out";
       },
       "surely not meant: all jobs of the array write to the same file %x.out (put %a into the name, such as "
       "%x-%A_%a.out)"},
      {"logs apart",
       [](JobSpec& s) {
         s.array = ArraySpec{{0, 1}, 0};
         s.stdout_path = "%x-%2a.out";
       },
       ""},
      {"share: core says at submit that it is advisory", [](JobSpec& s) { s.groups[0].gpus.milli = MilliGpu(500); },
       ""},
      {"share too large", [](JobSpec& s) { s.groups[0].gpus.memory = Mib(100 * 1024); },
       "this can never run here: no node can hold one task of 100 GiB of a GPU (a share), 1 core (the nearest is n1, "
       "with 0 such GPUs of 1 asked)"},
      {"script over nodes",
       [](JobSpec& s) {
         s.groups[0].count = 2;
         s.launch = LaunchMode::first;
       },
       "the script runs once, on the first task's node; berth starts nothing for the other task (to run a "
       "command in every task: berth submit [options] -- COMMAND)"},
  });
}

TEST(Lint, WithoutNodesNothingIsSaidAboutFit) {
  JobSpec spec;
  spec.groups[0].gpus.count = 1000;
  EXPECT_TRUE(lint(spec, {}).empty());
}

TEST(Lint, DrainedNodesCount) {
  auto nodes = cluster();
  for (Node& node : nodes) node.drains["admin"] = "disk";
  JobSpec spec;
  spec.groups[0].gpus.count = 8;
  EXPECT_TRUE(lint(spec, nodes).empty());
}

}  // namespace
}  // namespace berth
