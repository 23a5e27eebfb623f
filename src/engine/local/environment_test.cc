#include "engine/local/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace berth {
namespace {

Launch gang(LaunchMode mode) {
  auto spec = std::make_shared<JobSpec>();
  spec->name = "train";
  spec->launch = mode;
  spec->env = {{"PATH", "/opt/bin"}, {"RANK", "wrong"}, {"MINE", "1"}};
  Launch launch;
  launch.key = {JobId(42), 2};
  launch.spec = spec;
  launch.queue = "nlp";
  Node node;
  for (const char* uuid : {"GPU-a", "GPU-b", "GPU-c"})
    node.gpus.push_back(Gpu{.uuid = uuid, .type = "H100-80GB", .memory = Mib(81079), .foreign = {}, .detail = {}});
  launch.nodes[NodeId(0)] = node;
  launch.placement = {{0, 0, NodeId(0), MilliCpu(4000), Mib{}, {{0, kWholeGpu, {}}, {2, kWholeGpu, {}}}},
                      {1, 1, NodeId(0), MilliCpu(2000), Mib{}, {{1, MilliGpu(500), {}}}}};
  return launch;
}

std::map<std::string, std::string> environment(const Launch& launch, int rank) {
  const EnvironmentFacts facts{
      Account{1000, 1000, "ada", "/home/ada", "/bin/bash", {}}, "n1", "/run/x/interrupt", 21'000,
      [](const std::string& uuid) { return uuid == "GPU-c" ? std::optional<std::int32_t>(7) : std::nullopt; }};
  std::map<std::string, std::string> variables;
  for (const std::string& line : task_environment(launch, rank, facts))
    variables[line.substr(0, line.find('='))] = line.substr(line.find('=') + 1);
  return variables;
}

TEST(TaskEnvironment, EachTaskSeesItsOwnGpusByUuid) {
  const Launch launch = gang(LaunchMode::each);
  EXPECT_EQ(environment(launch, 0)["CUDA_VISIBLE_DEVICES"], "GPU-a,GPU-c");
  EXPECT_EQ(environment(launch, 1)["CUDA_VISIBLE_DEVICES"], "GPU-b");
  EXPECT_EQ(environment(launch, 1)["BERTH_JOB_GPUS"], "GPU-a,GPU-c,GPU-b");
}

TEST(TaskEnvironment, IndexesOnRequestAreThoseOfCuda) {
  Launch launch = gang(LaunchMode::each);
  auto spec = std::make_shared<JobSpec>(*launch.spec);
  spec->cuda_by_index = true;
  launch.spec = spec;
  EXPECT_EQ(environment(launch, 0)["CUDA_VISIBLE_DEVICES"], "0,7");
  EXPECT_EQ(environment(launch, 0)["CUDA_DEVICE_ORDER"], "PCI_BUS_ID");
}

TEST(TaskEnvironment, JobsWithoutGpusSeeNone) {
  Launch launch = gang(LaunchMode::each);
  launch.placement.front().gpus.clear();
  auto variables = environment(launch, 0);
  ASSERT_TRUE(variables.contains("CUDA_VISIBLE_DEVICES"));
  EXPECT_EQ(variables["CUDA_VISIBLE_DEVICES"], "");
}

TEST(TaskEnvironment, BerthWinsOverTheUserAndTheUserOverTheBase) {
  auto variables = environment(gang(LaunchMode::each), 1);
  EXPECT_EQ(variables["RANK"], "1");
  EXPECT_EQ(variables["PATH"], "/opt/bin");
  EXPECT_EQ(variables["MINE"], "1");
  EXPECT_EQ(variables["HOME"], "/home/ada");
}

TEST(TaskEnvironment, FirstSeesAllThatTheJobHolds) {
  const Launch launch = gang(LaunchMode::first);
  EXPECT_EQ(process_count(launch), 1);
  auto variables = environment(launch, 0);
  EXPECT_EQ(variables["CUDA_VISIBLE_DEVICES"], "GPU-a,GPU-c,GPU-b");
  EXPECT_EQ(variables["SLURM_NTASKS"], "2");
  EXPECT_EQ(variables["WORLD_SIZE"], "1");
  EXPECT_EQ(holding_of(launch, 0).cpus, MilliCpu(6000));
}

TEST(TaskEnvironment, ArraysAndAttemptsAsSlurmNamesThem) {
  Launch launch = gang(LaunchMode::each);
  launch.array = ArrayRef{JobId(40), 6, 0};
  auto spec = std::make_shared<JobSpec>(*launch.spec);
  spec->array = ArraySpec{{2, 4, 6}, 0};
  launch.spec = spec;
  auto variables = environment(launch, 0);
  EXPECT_EQ(variables["SLURM_ARRAY_JOB_ID"], "40");
  EXPECT_EQ(variables["SLURM_ARRAY_TASK_ID"], "6");
  EXPECT_EQ(variables["SLURM_ARRAY_TASK_COUNT"], "3");
  EXPECT_EQ(variables["SLURM_ARRAY_TASK_STEP"], "2");
  EXPECT_EQ(variables["SLURM_JOB_ID"], "42");
  EXPECT_EQ(variables["BERTH_ATTEMPT"], "2");
  EXPECT_EQ(variables["SLURM_RESTART_COUNT"], "1");
}

}  // namespace
}  // namespace berth
