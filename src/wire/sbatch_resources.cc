#include "wire/sbatch_resources.h"

#include <limits>

#include "wire/quantity_scan.h"

namespace berth {
namespace {

constexpr std::int64_t kMostTasks = 100'000;
constexpr std::int64_t kMostMib = std::int64_t{1} << 40;

Error contradiction(std::string message, std::string hint) {
  return {ErrorCode::invalid, std::move(message), std::move(hint)};
}

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The one type that all GPU options name.
Result<std::string> common_type(const AskedResources& asked) {
  std::string type;
  for (const auto* spec : {&asked.gpus, &asked.gpus_per_node, &asked.gpus_per_task}) {
    if (!*spec || (*spec)->type.empty()) continue;
    if (!type.empty() && to_lower(type) != to_lower((*spec)->type))
      return contradiction("GPUs of " + type + " and of " + (*spec)->type + " are asked for together", "name one type");
    type = (*spec)->type;
  }
  return type;
}

// --gpu-memory makes a share if no GPUs are asked for, else it is the least that each must have.
Result<GpuRequest> with_gpu_memory(GpuRequest request, const AskedResources& asked) {
  if (!asked.gpu_memory) return request;
  if (request.is_share())
    return contradiction("--gpu-memory contradicts a share of a GPU that is asked for too",
                         "give the share's size once: --gpus 0.5 or --gpu-memory 20G");
  request.memory = *asked.gpu_memory;
  return request;
}

Result<MilliCpu> cpus_for(const AskedResources& asked, std::int64_t tasks, std::int64_t gpus) {
  if (asked.cpus_per_gpu && asked.cpus_per_task)
    return contradiction("--cpus-per-gpu and --cpus-per-task contradict each other", "give one of them");
  if (asked.cpus_per_gpu && gpus > 0) return MilliCpu(*asked.cpus_per_gpu * gpus * 1000);
  if (asked.cpus_per_gpu)
    return contradiction("--cpus-per-gpu is given, but no whole GPUs are", "add --gpus, or write --cpus-per-task");
  return asked.cpus_per_task.value_or(MilliCpu(1000)) * tasks;
}

Result<Mib> times(Mib each, std::int64_t count, std::string_view what) {
  std::int64_t total = 0;
  if (__builtin_mul_overflow(each.value(), count, &total) || total > kMostMib)
    return contradiction(std::string(what) + " comes to more memory than there can be", "ask for less");
  return Mib(total);
}

Result<Mib> memory_for(const AskedResources& asked, MilliCpu cpus, std::int64_t gpus) {
  if (asked.mem_per_cpu) return times(*asked.mem_per_cpu, ceil_divide(cpus.value(), 1000), "--mem-per-cpu");
  if (asked.mem_per_gpu && gpus == 0)
    return contradiction("--mem-per-gpu is given, but no whole GPUs are", "add --gpus, or write --mem");
  if (asked.mem_per_gpu) return times(*asked.mem_per_gpu, gpus, "--mem-per-gpu");
  return asked.mem.value_or(Mib{});
}

// Cores and memory of one berth task that stands for `tasks` of Slurm's.
Result<void> fill(TaskGroup& group, const AskedResources& asked, std::int64_t tasks) {
  const auto gpus = with_gpu_memory(group.gpus, asked);
  if (!gpus) return gpus.error();
  group.gpus = *gpus;
  const auto cpus = cpus_for(asked, tasks, group.gpus.count);
  if (!cpus) return cpus.error();
  group.cpus = *cpus;
  const auto memory = memory_for(asked, group.cpus, group.gpus.count);
  if (!memory) return memory.error();
  group.memory = *memory;
  group.exclusive = asked.exclusive;
  return {};
}

Result<std::int64_t> node_count(const AskedResources& asked) {
  if (asked.nodes) return std::int64_t{*asked.nodes};
  if (asked.ntasks && asked.ntasks_per_node) return ceil_divide(*asked.ntasks, *asked.ntasks_per_node);
  if (asked.gpus && asked.gpus_per_node && asked.gpus->request.count > 0 && asked.gpus_per_node->request.count > 0) {
    if (asked.gpus->request.count % asked.gpus_per_node->request.count != 0)
      return contradiction("--gpus is no multiple of the GPUs per node", "leave one of them out, or make them fit");
    return std::int64_t{asked.gpus->request.count / asked.gpus_per_node->request.count};
  }
  return std::int64_t{1};
}

Result<GpuRequest> scaled(GpuRequest request, std::int64_t factor) {
  if (factor == 1) return request;
  if (request.is_share())
    return unsupported("several shares of GPUs for one task are asked for",
                       "a task holds whole GPUs or one share; give each its own task with --tasks");
  if (request.count * factor > 1'000'000)
    return contradiction("more GPUs are asked for than there can be", "ask for less");
  request.count = static_cast<std::int32_t>(request.count * factor);
  return request;
}

// What a node's part of the job holds of GPUs.
Result<GpuRequest> gpus_on_node(const AskedResources& asked, std::int64_t nodes, std::int64_t tasks_per_node) {
  if (asked.gpus_per_node) return asked.gpus_per_node->request;
  if (asked.gpus_per_task) return scaled(asked.gpus_per_task->request, tasks_per_node);
  if (!asked.gpus) return GpuRequest{};
  GpuRequest request = asked.gpus->request;
  if (nodes == 1) return request;
  if (request.is_share())
    return contradiction("a share of a GPU cannot be spread over several nodes",
                         "write --gpus-per-node, or ask for one node");
  if (request.count % nodes != 0)
    return contradiction(
        std::to_string(request.count) + " GPUs cannot be spread evenly over " + std::to_string(nodes) + " nodes",
        "write --gpus-per-node");
  request.count = static_cast<std::int32_t>(request.count / nodes);
  return request;
}

// --gpus beside --gpus-per-node or --gpus-per-task must say the same.
Result<void> check_total(const AskedResources& asked, const TaskGroup& group) {
  if (!asked.gpus || asked.gpus->request.is_share()) return {};
  const std::int64_t total = std::int64_t{group.count} * group.gpus.count;
  if (total == asked.gpus->request.count) return {};
  return contradiction("--gpus asks for " + std::to_string(asked.gpus->request.count) + ", the other options for " +
                           std::to_string(total),
                       "leave one of them out, or make them fit");
}

Result<TaskGroup> by_nodes(const AskedResources& asked, std::vector<std::string>& notes) {
  const auto nodes = node_count(asked);
  if (!nodes) return nodes.error();
  const std::int64_t per_node =
      asked.ntasks_per_node ? *asked.ntasks_per_node : ceil_divide(asked.ntasks.value_or(1), *nodes);
  if (asked.nodes && asked.ntasks && *asked.ntasks < *asked.nodes)
    notes.push_back(std::to_string(*asked.ntasks) + " tasks for " + std::to_string(*asked.nodes) +
                    " nodes: all nodes are held");
  TaskGroup group;
  group.count = static_cast<std::int32_t>(*nodes);
  group.max_per_node = *nodes > 1 ? 1 : 0;
  const auto gpus = gpus_on_node(asked, *nodes, per_node);
  if (!gpus) return gpus.error();
  group.gpus = *gpus;
  auto filled = fill(group, asked, per_node);
  if (filled) filled = check_total(asked, group);
  if (!filled) return filled.error();
  return group;
}

Result<TaskGroup> by_gpu_tasks(const AskedResources& asked, std::vector<std::string>& notes) {
  TaskGroup group;
  group.gpus = asked.gpus_per_task->request;
  group.count = asked.ntasks.value_or(1);
  if (!asked.ntasks && asked.gpus && group.gpus.count > 0) {
    if (asked.gpus->request.count % group.gpus.count != 0)
      return contradiction("--gpus is no multiple of --gpus-per-task", "leave one of them out, or make them fit");
    group.count = std::max(asked.gpus->request.count / group.gpus.count, 1);
  }
  if (group.count > kMostTasks) return contradiction("more than 100000 tasks are asked for", "ask for fewer");
  auto filled = fill(group, asked, 1);
  if (filled) filled = check_total(asked, group);
  if (!filled) return filled.error();
  if (asked.mem && group.count > 1 && *asked.mem > Mib{}) {
    group.memory = Mib(ceil_divide(asked.mem->value(), group.count));
    notes.push_back("--mem, which is per node, is divided among the " + std::to_string(group.count) + " tasks");
  }
  return group;
}

Result<TaskGroup> as_one(const AskedResources& asked, std::vector<std::string>& notes) {
  TaskGroup group;
  if (asked.gpus) group.gpus = asked.gpus->request;
  const auto filled = fill(group, asked, asked.ntasks.value_or(1));
  if (!filled) return filled.error();
  if (asked.ntasks.value_or(1) > 1)
    notes.push_back("--ntasks " + std::to_string(*asked.ntasks) +
                    " without --nodes: all of it is held on one node, where the script runs once");
  return group;
}

Result<TaskGroup> own_tasks(const AskedResources& asked) {
  if (asked.nodes || asked.ntasks || asked.ntasks_per_node || asked.gpus_per_node || asked.gpus_per_task)
    return contradiction(
        "--tasks does not mix with Slurm's --nodes, --ntasks, --gpus-per-node, --gpus-per-task and --gres",
        "write --tasks N with --gpus, --cpus and --mem of each, or Slurm's options alone");
  TaskGroup group;
  group.count = *asked.tasks;
  if (asked.gpus) group.gpus = asked.gpus->request;
  const auto filled = fill(group, asked, 1);
  if (!filled) return filled.error();
  return group;
}

}  // namespace

Result<ResolvedResources> resolve_resources(const AskedResources& asked) {
  ResolvedResources resolved;
  const auto type = common_type(asked);
  if (!type) return type.error();
  resolved.gpu_type = *type;
  const bool names_nodes = asked.nodes || asked.ntasks_per_node || asked.gpus_per_node;
  const auto group = asked.tasks           ? own_tasks(asked)
                     : names_nodes         ? by_nodes(asked, resolved.notes)
                     : asked.gpus_per_task ? by_gpu_tasks(asked, resolved.notes)
                                           : as_one(asked, resolved.notes);
  if (!group) return group.error();
  resolved.group = *group;
  if (asked.max_per_node) resolved.group.max_per_node = *asked.max_per_node;
  if (asked.mem == Mib{} && !asked.exclusive)
    resolved.notes.push_back(
        "--mem=0, all memory of the node: without --exclusive none is booked, and others may use it");
  return resolved;
}

}  // namespace berth
