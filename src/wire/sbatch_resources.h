// From the words in which resources are asked for (Slurm's and berth's) to groups of tasks.
//
// Slurm gives nodes, tasks and GPUs per node, and runs the script once; berth knows tasks, each on one node. So:
//  1. Nodes are named (-N, --ntasks-per-node, --gpus-per-node or --gres): one berth task per node, at most one on a
//     node, holding what the job holds there: GPUs per node, (tasks per node x --cpus-per-task) cores, --mem.
//     nodes = -N, else ceil(-n / --ntasks-per-node), else 1; --gpus is spread evenly and must divide.
//  2. No nodes, but --gpus-per-task: one berth task per Slurm task (count = -n), placed anywhere; --mem, which is per
//     node, is divided among them.
//  3. Else one berth task that holds everything: --gpus, (-n x --cpus-per-task) cores, --mem.
//  4. berth's own --tasks N: N tasks, each with --gpus, -c and --mem. It does not mix with -N, -n and what is per node.
// A script runs once, on the first task's node (LaunchMode::first); a command behind `--` runs in each task.
// --mem=0, all memory of the node, books none: with --exclusive that is the same, else a note says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/amount.h"
#include "base/result.h"
#include "model/job.h"
#include "wire/quantity.h"

namespace berth {

struct AskedResources {
  std::optional<std::int32_t> nodes;  // -N, the least if a range
  std::optional<std::int32_t> ntasks;
  std::optional<std::int32_t> ntasks_per_node;
  std::optional<std::int32_t> tasks;  // berth's
  std::optional<MilliCpu> cpus_per_task;
  std::optional<std::int32_t> cpus_per_gpu;
  std::optional<Mib> mem, mem_per_cpu, mem_per_gpu;  // at most one; setting one clears the others
  std::optional<GpuSpec> gpus;                       // --gpus
  std::optional<GpuSpec> gpus_per_node;              // --gpus-per-node, --gres
  std::optional<GpuSpec> gpus_per_task;
  std::optional<Mib> gpu_memory;  // --gpu-memory: least per whole GPU, or the size of a share
  std::optional<std::int32_t> max_per_node;
  bool exclusive = false;
  friend bool operator==(const AskedResources&, const AskedResources&) = default;
};

struct ResolvedResources {
  TaskGroup group;
  std::string gpu_type;  // empty: any
  std::vector<std::string> notes;
};

Result<ResolvedResources> resolve_resources(const AskedResources& asked);

}  // namespace berth
