#include "bench/cluster.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/decide.h"

namespace berth::bench {
namespace {

constexpr std::int32_t kGpusPerNode = 8;
constexpr std::int32_t kLeafQueues = 100;
constexpr Mib kGpuMemory{81'920};
constexpr double kPi = 3.14159265358979323846;

struct Share {
  std::int32_t gpus;
  std::int32_t percent;
};
constexpr Share kSizes[] = {{1, 48}, {2, 8}, {4, 10}, {8, 16}, {16, 7}, {32, 5}, {64, 3}, {128, 2}, {256, 1}};

double unit(Prng& prng) { return static_cast<double>(prng.next() >> 11) / 9007199254740992.0; }

QueueSpec queue(std::string name, std::string parent, Prng& prng) {
  QueueSpec spec;
  spec.name = std::move(name);
  spec.parent = std::move(parent);
  spec.weight = static_cast<std::int32_t>(prng.between(5, 25));
  return spec;
}

std::string leaf_name(std::int64_t i) {
  return "q" + std::to_string(i / 25) + "." + std::to_string(i / 5 % 5) + "." + std::to_string(i % 5);
}

}  // namespace

ClusterState Cluster::build() {
  ClusterState state;
  state.policy.keep_ended = minutes(1);
  add_nodes(state);
  add_queues(state);
  add_jobs(state);
  return state;
}

void Cluster::add_nodes(ClusterState& state) {
  const Time long_ago = now() - hours(24 * 30);
  for (std::int32_t n = 0; n < size_.nodes; ++n) {
    NodeReport report;
    report.name = "n" + std::to_string(n);
    report.cpus = MilliCpu(128'000);
    report.memory = Mib(1'048'576);
    for (std::int32_t g = 0; g < kGpusPerNode; ++g) {
      Gpu gpu;
      gpu.uuid = "GPU-" + std::to_string(n) + "-" + std::to_string(g);
      gpu.type = n % 10 < 7 ? "H100-80GB" : "A100-80GB";
      gpu.memory = kGpuMemory;
      report.gpus.push_back(std::move(gpu));
    }
    apply(state, Event{long_ago, event::NodeSeen{NodeId(n), std::move(report)}});
  }
  used_gpus_.assign(static_cast<std::size_t>(size_.nodes), 0);
}

void Cluster::add_queues(ClusterState& state) {
  std::vector<QueueSpec> specs;
  for (std::int64_t a = 0; a < 4; ++a) {
    const std::string root = "q" + std::to_string(a);
    specs.push_back(queue(root, "", prng_));
    for (std::int64_t b = 0; b < 5; ++b) specs.push_back(queue(root + "." + std::to_string(b), root, prng_));
  }
  for (std::int64_t i = 0; i < kLeafQueues; ++i) {
    const std::string name = leaf_name(i);
    QueueSpec spec = queue(name, name.substr(0, name.rfind('.')), prng_);
    spec.quota = MilliGpu(static_cast<std::int64_t>(size_.nodes) * kGpusPerNode * 1000 / kLeafQueues);
    spec.is_default = i == 0;
    specs.push_back(std::move(spec));
  }
  const auto handled = handle(state, Command{"root", command::Configure{std::move(specs), state.policy}}, state.now);
  for (const auto& event : handled.value().events) apply(state, event);
}

std::int32_t Cluster::random_size() {
  std::int64_t drawn = prng_.below(100);
  for (const auto& share : kSizes) {
    if (drawn < share.percent) return share.gpus;
    drawn -= share.percent;
  }
  return 1;
}

Duration Cluster::random_duration() {
  const double normal = std::sqrt(-2 * std::log(1 - unit(prng_))) * std::cos(2 * kPi * unit(prng_));
  const double whole = std::clamp(std::exp(8.7 + 1.5 * normal), 60.0, 7 * 86'400.0);
  return minutes(static_cast<std::int64_t>(std::ceil(whole / 60)));
}

std::shared_ptr<const JobSpec> Cluster::random_spec() {
  auto spec = std::make_shared<JobSpec>();
  const std::int32_t gpus = random_size();
  const std::int32_t per_task = std::min(gpus, kGpusPerNode);
  spec->name = "train";
  spec->user = "user" + std::to_string(prng_.below(200));
  const double u = unit(prng_);
  spec->queue = leaf_name(static_cast<std::int64_t>(kLeafQueues * u * u));
  spec->command = {"/usr/bin/true"};
  spec->workdir = "/tmp";
  spec->groups[0].count = gpus / per_task;
  spec->groups[0].gpus.count = per_task;
  spec->groups[0].cpus = MilliCpu(12'000 * per_task);
  spec->groups[0].memory = Mib(98'304 * per_task);
  if (prng_.chance(1, 10)) spec->gpu_types.push_back({"H100", 1000});
  spec->priority = static_cast<std::int32_t>(10 * prng_.below(4));
  spec->time_limit = random_duration();
  return spec;
}

// The fullest node that still has so many GPUs; -1 if none has.
std::int32_t Cluster::best_node(std::int32_t gpus) const {
  std::int32_t best = -1;
  for (std::int32_t n = 0; n < size_.nodes; ++n) {
    const std::int32_t used = used_gpus_[static_cast<std::size_t>(n)];
    if (used + gpus > kGpusPerNode) continue;
    if (best < 0 || used > used_gpus_[static_cast<std::size_t>(best)]) best = n;
  }
  return best;
}

// Empty if it does not fit now.
Placement Cluster::place(const JobSpec& spec) {
  const TaskGroup& group = spec.groups[0];
  const auto before = used_gpus_;
  Placement placement;
  for (std::int32_t rank = 0; rank < group.count; ++rank) {
    const std::int32_t n = best_node(group.gpus.count);
    if (n < 0) {
      used_gpus_ = before;
      return {};
    }
    std::int32_t& used = used_gpus_[static_cast<std::size_t>(n)];
    TaskPlacement task{rank, 0, NodeId(n), group.cpus, group.memory, {}};
    for (std::int32_t g = 0; g < group.gpus.count; ++g) task.gpus.push_back({used++, kWholeGpu, kGpuMemory});
    placement.push_back(std::move(task));
  }
  return placement;
}

void Cluster::add_jobs(ClusterState& state) {
  struct Arrival {
    Time at;
    std::shared_ptr<const JobSpec> spec;
    Placement placement;  // empty: pending
  };
  std::vector<Arrival> arrivals;
  const std::int64_t wanted = static_cast<std::int64_t>(size_.nodes) * kGpusPerNode * size_.filled_percent / 100;
  for (std::int64_t used = 0, misses = 0; used < wanted && misses < 1000;) {
    auto spec = random_spec();
    const std::int64_t gpus = spec->groups[0].count * spec->groups[0].gpus.count;
    Placement placement = used + gpus <= wanted ? place(*spec) : Placement{};
    if (placement.empty()) {
      ++misses;
      continue;
    }
    used += gpus;
    const Time start = now() - minutes(prng_.below(spec->time_limit->ms() / 60'000));
    arrivals.push_back({start, std::move(spec), std::move(placement)});
  }
  for (std::int32_t i = 0; i < size_.pending; ++i)
    arrivals.push_back({now() - seconds(prng_.below(86'400)), random_spec(), {}});
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) { return a.at < b.at; });

  for (auto& [at, spec, placement] : arrivals) {
    const JobId id = state.next_job;
    const auto handled = handle(state, Command{spec->user, command::Submit{spec}}, at);
    for (const auto& event : handled.value().events) apply(state, event);
    if (placement.empty()) continue;
    const std::int64_t rate = 1000LL * spec->groups[0].count * spec->groups[0].gpus.count;
    const AttemptKey key{id, 1};
    apply(state, Event{at, event::AttemptPlaced{key, std::move(placement), *spec->time_limit, rate, false}});
    apply(state, Event{at, event::AttemptStarted{key}});
  }
}

}  // namespace berth::bench
