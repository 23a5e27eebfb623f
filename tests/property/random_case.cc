#include "random_case.h"

#include "wire/job_json.h"
#include "wire/state_json.h"

namespace berth {
namespace {

constexpr const char* kTypes[] = {"H100-80GB", "A100-40GB", "T4-16GB"};
constexpr std::int64_t kGpuMemory[] = {80 * 1024, 40 * 1024, 16 * 1024};

GpuRequest random_gpus(Prng& prng, const CaseSize& size) {
  GpuRequest request;
  switch (prng.below(6)) {
    case 0:
      break;
    case 1:
      request.milli = MilliGpu(prng.between(1, 9) * 100);
      break;
    case 2:
      request.memory = Mib(prng.between(1, 30) * 1024);
      break;
    default:
      request.count = static_cast<std::int32_t>(prng.between(1, size.gpus));
      break;
  }
  if (request.count > 0 && prng.chance(1, 6)) request.memory = Mib(prng.between(10, 60) * 1024);
  return request;
}

TaskGroup random_group(Prng& prng, const CaseSize& size) {
  TaskGroup group;
  group.count = static_cast<std::int32_t>(prng.between(1, size.tasks));
  group.gpus = random_gpus(prng, size);
  group.cpus = MilliCpu(prng.between(0, 4) * 1000);
  group.memory = Mib(prng.below(3) * 8 * 1024);
  if (prng.chance(1, 6)) group.max_per_node = 1;
  if (prng.chance(1, 10)) group.exclusive = true;
  return group;
}

NodeConstraints random_constraints(Prng& prng, const CaseSize& size) {
  NodeConstraints nodes;
  if (prng.chance(1, 8)) nodes.features.push_back({"ib"});
  if (prng.chance(1, 8)) nodes.exclude.push_back("n" + std::to_string(prng.below(size.nodes)));
  if (prng.chance(1, 8))
    nodes.include = {"n" + std::to_string(prng.below(size.nodes)), "n" + std::to_string(prng.below(size.nodes))};
  return nodes;
}

}  // namespace

NodeReport random_node(Prng& prng, const std::string& name, const CaseSize& size) {
  NodeReport node;
  node.name = name;
  node.cpus = MilliCpu(prng.between(2, 8) * 1000);
  node.memory = Mib(prng.between(1, 4) * 16 * 1024);
  if (prng.chance(1, 2)) node.features.push_back("ib");
  const auto count = prng.between(0, size.gpus);
  const auto type = prng.below(3);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto mine = prng.chance(1, 8) ? prng.below(3) : type;
    Gpu gpu;
    gpu.uuid = "GPU-" + name + "-" + std::to_string(i);
    gpu.type = kTypes[mine];
    gpu.memory = Mib(kGpuMemory[mine]);
    if (prng.chance(1, 12)) gpu.health = GpuHealth::lost;
    if (prng.chance(1, 12)) gpu.foreign = Mib(prng.between(1, 20) * 1024);
    node.gpus.push_back(std::move(gpu));
  }
  if (prng.chance(1, 12)) node.state = prng.chance(1, 2) ? NodeState::down : NodeState::unknown;
  return node;
}

JobSpec random_spec(Prng& prng, const std::string& name, const CaseSize& size) {
  JobSpec spec;
  spec.name = name;
  spec.user = "ann";
  spec.queue = prng.chance(1, 2) ? "a" : "b";
  spec.command = {"run"};
  spec.groups = {random_group(prng, size)};
  if (prng.chance(1, 4)) spec.groups.push_back(random_group(prng, size));
  if (prng.chance(1, 3)) spec.gpu_types.push_back({kTypes[prng.below(3)], 1000});
  if (prng.chance(1, 6)) spec.gpu_types.push_back({kTypes[prng.below(3)], 1000});
  spec.nodes = random_constraints(prng, size);
  spec.priority = static_cast<std::int32_t>(prng.between(-2, 2));
  if (!prng.chance(1, 8)) spec.time_limit = minutes(prng.between(1, 6) * 10);
  return spec;
}

std::vector<QueueSpec> random_queues(Prng& prng, std::int64_t scale) {
  QueueSpec top, a, b;
  top.name = "top";
  a.name = "a";
  b.name = "b";
  a.parent = b.parent = "top";
  a.is_default = true;
  a.weight = static_cast<std::int32_t>(prng.below(4));
  b.weight = static_cast<std::int32_t>(prng.below(4));
  if (prng.chance(1, 3)) a.quota = MilliGpu(prng.between(1, 4) * 1000 * scale);
  if (prng.chance(1, 3)) b.limit = MilliGpu(prng.between(1, 6) * 1000 * scale);
  if (prng.chance(1, 3)) top.limit = MilliGpu(prng.between(2, 8) * 1000 * scale);
  if (prng.chance(1, 5)) top.cpu_limit = MilliCpu(prng.between(4, 16) * 1000 * scale);
  if (prng.chance(1, 5)) a.max_running_jobs = static_cast<std::int32_t>(prng.between(1, 3) * scale);
  return {top, a, b};
}

std::string describe(const ClusterState& state) {
  std::string text;
  for (const auto& node : state.nodes) text += "\n" + node_to_json(node);
  for (const auto& [id, allocation] : state.allocations) text += "\n" + allocation_to_json(allocation);
  for (const auto& [id, job] : state.jobs)
    if (job.state == JobState::pending)
      text += "\njob " + std::to_string(id.value()) + ": " + job_spec_to_json(*job.spec);
  return text;
}

Case::Case(Prng& prng, const CaseSize& size) {
  carry_out({"admin", command::Configure{random_queues(prng), Policy{}}});
  observation::NodesReported all;
  const auto count = prng.between(1, size.nodes);
  for (std::int64_t i = 0; i < count; ++i) all.nodes.push_back(random_node(prng, "n" + std::to_string(i), size));
  fold(observe(state_, {all}, now_));
}

void Case::set_policy(const Policy& policy) { fold({{now_, event::PolicySet{policy}}}); }

void Case::carry_out(const Command& command) {
  if (const auto handled = handle(state_, command, now_); handled.ok()) fold(handled->events);
}

void Case::fold(const Events& events) {
  for (const auto& event : events) apply(state_, event);
}

Plan Case::decide_and_start() {
  const Plan plan = decide(state_, now_);
  fold(to_events(state_, plan));
  for (const auto& start : plan.starts) {
    const AttemptKey key{start.job, state_.jobs.at(start.job).attempt};
    fold(observe(state_, {observation::AttemptStarted{key}}, now_));
  }
  return plan;
}

void Case::pass(Duration time) { now_ = now_ + time; }

std::vector<JobId> Case::pending() const {
  std::vector<JobId> ids;
  for (const auto& [id, job] : state_.jobs)
    if (job.state == JobState::pending) ids.push_back(id);
  return ids;
}

}  // namespace berth
