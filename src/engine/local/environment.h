// The environment of a task: a clean base, what the user gave, and what berth, torch and Slurm programs look for.
// Pure. What berth sets wins over what the user gave.
//   LaunchMode::each   every task sees its own GPUs; RANK, WORLD_SIZE and so on count the tasks.
//   LaunchMode::first  one process that sees all GPUs of the job; WORLD_SIZE is 1, SLURM_NTASKS says how many were asked for.
// BERTH_JOB_GPUS lists the UUIDs of all GPUs of the job in either mode.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/local/account.h"
#include "ports/engine.h"

namespace berth {

struct EnvironmentFacts {
  Account account;
  std::string node_name;
  std::string interrupt_file;
  std::int32_t master_port = 0;
  // The number by which CUDA knows a GPU in PCI order; none: its index in the node.
  std::function<std::optional<std::int32_t>(const std::string& uuid)> cuda_index;
};

// How many processes the attempt has on this machine.
std::int32_t process_count(const Launch& launch);
// What the process of this rank may use.
TaskPlacement holding_of(const Launch& launch, std::int32_t rank);
// "KEY=value", sorted by key.
std::vector<std::string> task_environment(const Launch& launch, std::int32_t rank, const EnvironmentFacts& facts);

}  // namespace berth
