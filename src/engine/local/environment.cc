#include "engine/local/environment.h"

#include <algorithm>
#include <map>

namespace berth {
namespace {

using Variables = std::map<std::string, std::string>;

template <class Number>
std::string text_of(Number n) {
  return std::to_string(n);
}

void set_base(Variables& v, const Account& account) {
  v["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  v["HOME"] = account.home;
  v["USER"] = account.name;
  v["LOGNAME"] = account.name;
  v["SHELL"] = account.shell;
}

const Gpu* gpu_of(const Launch& launch, const TaskPlacement& task, const GpuSlice& slice) {
  const auto node = launch.nodes.find(task.node);
  const auto index = static_cast<std::size_t>(slice.gpu);
  return node == launch.nodes.end() || index >= node->second.gpus.size() ? nullptr : &node->second.gpus[index];
}

std::string uuid_list(const Launch& launch, const TaskPlacement& task) {
  std::string list;
  for (const GpuSlice& slice : task.gpus)
    if (const Gpu* gpu = gpu_of(launch, task, slice)) list += (list.empty() ? "" : ",") + gpu->uuid;
  return list;
}

std::string index_list(const Launch& launch, const TaskPlacement& task, const EnvironmentFacts& facts) {
  std::string list;
  for (const GpuSlice& slice : task.gpus) {
    const Gpu* gpu = gpu_of(launch, task, slice);
    const auto known = gpu != nullptr && facts.cuda_index ? facts.cuda_index(gpu->uuid) : std::nullopt;
    list += (list.empty() ? "" : ",") + text_of(known.value_or(slice.gpu));
  }
  return list;
}

TaskPlacement union_of(const Placement& placement) {
  TaskPlacement all;
  if (!placement.empty()) all.node = placement.front().node;
  for (const TaskPlacement& task : placement) {
    all.cpus += task.cpus;
    all.memory += task.memory;
    for (const GpuSlice& slice : task.gpus) {
      const bool listed =
          std::any_of(all.gpus.begin(), all.gpus.end(), [&](const GpuSlice& s) { return s.gpu == slice.gpu; });
      if (!listed) all.gpus.push_back(slice);
    }
  }
  return all;
}

void set_gpus(Variables& v, const Launch& launch, const TaskPlacement& holding, const EnvironmentFacts& facts) {
  const std::string uuids = uuid_list(launch, holding);
  const std::string indexes = index_list(launch, holding, facts);
  // Set for jobs without GPUs too: unset would mean all of them.
  v["CUDA_VISIBLE_DEVICES"] = launch.spec->cuda_by_index ? indexes : uuids;
  v["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
  v["BERTH_GPU_UUIDS"] = uuids;
  v["BERTH_GPU_INDICES"] = indexes;
  v["BERTH_JOB_GPUS"] = uuid_list(launch, union_of(launch.placement));
  if (!holding.gpus.empty()) v["SLURM_GPUS_ON_NODE"] = text_of(holding.gpus.size());
  if (!holding.gpus.empty()) v["SLURM_JOB_GPUS"] = indexes;
}

void set_berth(Variables& v, const Launch& launch, std::int32_t rank, const EnvironmentFacts& facts) {
  v["BERTH_JOB_ID"] = text_of(launch.key.job.value());
  v["BERTH_ATTEMPT"] = text_of(launch.key.attempt);
  v["BERTH_RESTART_COUNT"] = text_of(std::max(launch.key.attempt - 1, 0));
  v["BERTH_TASK_RANK"] = text_of(rank);
  v["BERTH_TASK_GROUP"] =
      text_of(launch.placement.empty() ? 0 : launch.placement[static_cast<std::size_t>(rank)].group);
  v["BERTH_JOB_NAME"] = launch.spec->name;
  v["BERTH_QUEUE"] = launch.queue;
  v["BERTH_NODE"] = facts.node_name;
  v["BERTH_INTERRUPT_FILE"] = facts.interrupt_file;
}

void set_gang(Variables& v, const Launch& launch, std::int32_t rank, const EnvironmentFacts& facts) {
  const std::string count = text_of(process_count(launch));
  v["RANK"] = v["LOCAL_RANK"] = text_of(rank);
  v["WORLD_SIZE"] = v["LOCAL_WORLD_SIZE"] = count;
  v["NODE_RANK"] = v["GROUP_RANK"] = "0";
  v["MASTER_ADDR"] = "127.0.0.1";
  v["MASTER_PORT"] = text_of(facts.master_port);
}

void set_slurm_array(Variables& v, const Launch& launch) {
  if (!launch.array) return;
  v["SLURM_ARRAY_JOB_ID"] = text_of(launch.array->first.value());
  v["SLURM_ARRAY_TASK_ID"] = text_of(launch.array->index);
  if (!launch.spec->array || launch.spec->array->indexes.empty()) return;
  const auto& indexes = launch.spec->array->indexes;
  v["SLURM_ARRAY_TASK_COUNT"] = text_of(indexes.size());
  v["SLURM_ARRAY_TASK_MIN"] = text_of(indexes.front());
  v["SLURM_ARRAY_TASK_MAX"] = text_of(indexes.back());
  v["SLURM_ARRAY_TASK_STEP"] = text_of(indexes.size() > 1 ? indexes[1] - indexes[0] : 1);
}

void set_slurm(Variables& v, const Launch& launch, std::int32_t rank, const TaskPlacement& holding,
               const EnvironmentFacts& facts) {
  const std::string id = text_of(launch.key.job.value());
  const std::string tasks = text_of(std::max<std::size_t>(launch.placement.size(), 1));
  v["SLURM_JOB_ID"] = v["SLURM_JOBID"] = id;
  v["SLURM_JOB_NAME"] = launch.spec->name;
  v["SLURM_JOB_PARTITION"] = launch.queue;
  v["SLURM_JOB_USER"] = facts.account.name;
  v["SLURM_NTASKS"] = v["SLURM_NPROCS"] = v["SLURM_NTASKS_PER_NODE"] = tasks;
  v["SLURM_PROCID"] = v["SLURM_LOCALID"] = text_of(rank);
  v["SLURM_NODEID"] = "0";
  v["SLURM_NNODES"] = v["SLURM_JOB_NUM_NODES"] = "1";
  v["SLURM_NODELIST"] = v["SLURM_JOB_NODELIST"] = v["SLURMD_NODENAME"] = facts.node_name;
  const std::int64_t cpus =
      launch.placement.empty() ? 0 : launch.placement[static_cast<std::size_t>(rank)].cpus.value() / 1000;
  v["SLURM_CPUS_PER_TASK"] = text_of(std::max<std::int64_t>(cpus, 1));
  v["SLURM_CPUS_ON_NODE"] = text_of(std::max<std::int64_t>(holding.cpus.value() / 1000, 1));
  v["SLURM_RESTART_COUNT"] = text_of(std::max(launch.key.attempt - 1, 0));
  v["SLURM_SUBMIT_DIR"] = launch.spec->workdir;
  set_slurm_array(v, launch);
}

}  // namespace

std::int32_t process_count(const Launch& launch) {
  if (launch.spec->launch == LaunchMode::first || launch.placement.empty()) return 1;
  return static_cast<std::int32_t>(launch.placement.size());
}

TaskPlacement holding_of(const Launch& launch, std::int32_t rank) {
  if (launch.placement.empty()) return {};
  if (launch.spec->launch == LaunchMode::first) return union_of(launch.placement);
  return launch.placement[static_cast<std::size_t>(rank)];
}

std::vector<std::string> task_environment(const Launch& launch, std::int32_t rank, const EnvironmentFacts& facts) {
  Variables v;
  set_base(v, facts.account);
  for (const auto& [key, value] : launch.spec->env) v[key] = value;
  const TaskPlacement holding = holding_of(launch, rank);
  set_berth(v, launch, rank, facts);
  set_gang(v, launch, rank, facts);
  set_slurm(v, launch, rank, holding, facts);
  set_gpus(v, launch, holding, facts);
  std::vector<std::string> list;
  for (const auto& [key, value] : v) list.push_back(key + "=" + value);
  return list;
}

}  // namespace berth
