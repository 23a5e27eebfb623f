#include <limits>

#include "wire/options_table.h"
#include "wire/quantity.h"
#include "wire/quantity_scan.h"

namespace berth {
namespace {

constexpr std::int64_t kMostTasks = 100'000;

template <std::optional<std::int32_t> AskedResources::*Count>
Result<void> take_count(const Given& given, Draft& draft) {
  const auto count = parse_integer(given.value, 1, kMostTasks);
  if (!count) return count.error();
  draft.asked.*Count = static_cast<std::int32_t>(*count);
  return {};
}

// N or N-M; berth's gangs have one size, so the least is taken.
Result<void> take_nodes(const Given& given, Draft& draft) {
  const std::size_t dash = given.value.find('-');
  const auto least = parse_integer(given.value.substr(0, dash), 1, kMostTasks);
  if (!least) return not_a(given.value, "a number of nodes", "write 2, or 2-4 for at least two");
  if (dash != std::string_view::npos) {
    const auto most = parse_integer(given.value.substr(dash + 1), *least, kMostTasks);
    if (!most) return not_a(given.value, "a number of nodes", "write 2, or 2-4 for at least two");
    if (*most > *least) draft.note(std::string(given.flag) + " " + std::string(given.value) + ": the least is taken");
  }
  draft.asked.nodes = static_cast<std::int32_t>(*least);
  return {};
}

Result<void> take_cpus_per_task(const Given& given, Draft& draft) {
  const bool whole = given.face != OptionFace::berth && given.face != OptionFace::berth_script;
  if (whole) {
    const auto count = parse_integer(given.value, 1, 1'000'000);
    if (!count) return count.error();
    draft.asked.cpus_per_task = MilliCpu(*count * 1000);
    return {};
  }
  const auto cpus = parse_cpus(given.value);
  if (!cpus) return cpus.error();
  draft.asked.cpus_per_task = *cpus;
  return {};
}

template <std::optional<Mib> AskedResources::*Amount>
Result<void> take_memory(const Given& given, Draft& draft) {
  const auto memory = parse_slurm_memory(given.value);
  if (!memory) return memory.error();
  if (draft.memory_by && draft.memory_by->first == given.face && !(draft.asked.*Amount))
    return Error{ErrorCode::invalid, "it contradicts " + draft.memory_by->second,
                 "give only one of --mem, --mem-per-cpu and --mem-per-gpu"};
  draft.asked.mem = draft.asked.mem_per_cpu = draft.asked.mem_per_gpu = std::nullopt;
  draft.asked.*Amount = *memory;
  draft.memory_by = {given.face, std::string(given.flag)};
  return {};
}

template <std::optional<GpuSpec> AskedResources::*Spec>
Result<void> take_gpus(const Given& given, Draft& draft) {
  const auto gpus = parse_gpus(given.value);
  if (!gpus) return gpus.error();
  draft.asked.*Spec = *gpus;
  return {};
}

Result<void> take_gres(const Given& given, Draft& draft) {
  const auto gpus = parse_gres(given.value);
  if (!gpus) return gpus.error();
  draft.asked.gpus_per_node = *gpus;
  return {};
}

Result<void> take_gpu_memory(const Given& given, Draft& draft) {
  const auto memory = parse_memory(given.value);
  if (!memory) return memory.error();
  if (*memory == Mib{}) return not_a(given.value, "an amount of GPU memory", "write 40G, for instance");
  draft.asked.gpu_memory = *memory;
  return {};
}

Result<void> take_gpu_types(const Given& given, Draft& draft) {
  const auto types = parse_gpu_types(given.value);
  if (!types) return types.error();
  draft.gpu_types = given.value;
  return {};
}

Result<void> take_exclusive(const Given& given, Draft& draft) {
  if (given.has_value && to_lower(given.value) != "exclusive" && given.value != "1" && given.value != "yes")
    return unsupported(shown(given.value) + ": exclusive for a user or label only is not offered",
                       "write --exclusive for the whole node");
  draft.asked.exclusive = true;
  return {};
}

Result<void> take_constraint(const Given& given, Draft& draft) {
  auto features = parse_features(given.value);
  if (!features) return features.error();
  draft.spec.nodes.features = *std::move(features);
  return {};
}

template <std::vector<std::string> NodeConstraints::*List>
Result<void> take_node_list(const Given& given, Draft& draft) {
  auto names = parse_node_list(given.value);
  if (!names) return names.error();
  draft.spec.nodes.*List = *std::move(names);
  return {};
}

constexpr auto kOptions = std::to_array<OptionRow>({
    {"gpus", 'G', Takes::value, Owner::slurm, "SBATCH_GPUS",
     "N|TYPE:N|0.5|20G: GPUs of the job; with --tasks, of each task", take_gpus<&AskedResources::gpus>},
    {"gpus-per-node", 0, Takes::value, Owner::slurm, "SBATCH_GPUS_PER_NODE", "[TYPE:]N",
     take_gpus<&AskedResources::gpus_per_node>},
    {"gpus-per-task", 0, Takes::value, Owner::slurm, "SBATCH_GPUS_PER_TASK", "[TYPE:]N",
     take_gpus<&AskedResources::gpus_per_task>},
    {"gres", 0, Takes::value, Owner::slurm, "SBATCH_GRES", "gpu[:TYPE]:N: GPUs per node", take_gres},
    {"gpu-memory", 0, Takes::value, Owner::berth, "",
     "SIZE: least memory of each GPU; without --gpus a share of that size", take_gpu_memory},
    {"gpu-type", 0, Takes::value, Owner::berth, "", "A[:SPEED],B: types that will do, the best first", take_gpu_types},
    {"tasks", 0, Takes::value, Owner::berth, "", "N: so many tasks, each with --gpus, -c and --mem",
     take_count<&AskedResources::tasks>},
    {"max-per-node", 0, Takes::value, Owner::berth, "", "N: at most so many tasks on a node",
     take_count<&AskedResources::max_per_node>},
    {"nodes", 'N', Takes::value, Owner::slurm, "", "N[-M]", take_nodes},
    {"ntasks", 'n', Takes::value, Owner::slurm, "", "N", take_count<&AskedResources::ntasks>},
    {"ntasks-per-node", 0, Takes::value, Owner::slurm, "", "N", take_count<&AskedResources::ntasks_per_node>},
    {"cpus-per-task", 'c', Takes::value, Owner::slurm, "", "N: cores", take_cpus_per_task},
    {"cpus", 0, Takes::value, Owner::berth, "", "N|0.5: the same", take_cpus_per_task},
    {"cpus-per-gpu", 0, Takes::value, Owner::slurm, "SBATCH_CPUS_PER_GPU", "N",
     take_count<&AskedResources::cpus_per_gpu>},
    {"mem", 0, Takes::value, Owner::slurm, "SBATCH_MEM_PER_NODE", "SIZE[K|M|G|T]: memory; megabytes without a unit",
     take_memory<&AskedResources::mem>},
    {"memory", 0, Takes::value, Owner::berth, "", "the same", take_memory<&AskedResources::mem>},
    {"mem-per-cpu", 0, Takes::value, Owner::slurm, "SBATCH_MEM_PER_CPU", "SIZE",
     take_memory<&AskedResources::mem_per_cpu>},
    {"mem-per-gpu", 0, Takes::value, Owner::slurm, "SBATCH_MEM_PER_GPU", "SIZE",
     take_memory<&AskedResources::mem_per_gpu>},
    {"exclusive", 0, Takes::optional_value, Owner::slurm, "SBATCH_EXCLUSIVE", "share the nodes with nobody",
     take_exclusive},
    {"constraint", 'C', Takes::value, Owner::slurm, "SBATCH_CONSTRAINT", "a&b, a|b: features of the nodes",
     take_constraint},
    {"nodelist", 'w', Takes::value, Owner::slurm, "", "n[1-3],m: only these nodes",
     take_node_list<&NodeConstraints::include>},
    {"exclude", 'x', Takes::value, Owner::slurm, "", "n[1-3],m: not these nodes",
     take_node_list<&NodeConstraints::exclude>},
});

}  // namespace

std::span<const OptionRow> resource_options() { return kOptions; }

}  // namespace berth
