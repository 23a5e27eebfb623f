#include "core/indexes.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "core/decide.h"
#include "core/order.h"

namespace berth {
namespace {

template <class Map, class Key, class Value>
void erase_member(Map& map, const Key& key, const Value& value) {
  const auto it = map.find(key);
  if (it == map.end()) return;
  it->second.erase(value);
  if (it->second.empty()) map.erase(it);
}

std::int32_t intern_shape(Indexes& ix, Shape shape) {
  const auto [it, fresh] = ix.shapes.try_emplace(std::move(shape));
  if (fresh) {
    const auto gap = std::find(ix.shape_by_id.begin(), ix.shape_by_id.end(), nullptr);
    it->second.id = static_cast<std::int32_t>(gap - ix.shape_by_id.begin());
    if (gap == ix.shape_by_id.end()) ix.shape_by_id.emplace_back();
    ix.shape_by_id[static_cast<std::size_t>(it->second.id)] = std::make_shared<const Shape>(it->first);
  }
  ++it->second.jobs;
  return it->second.id;
}

void release_shape(Indexes& ix, std::int32_t id) {
  auto& slot = ix.shape_by_id[static_cast<std::size_t>(id)];
  const auto it = ix.shapes.find(*slot);
  if (--it->second.jobs > 0) return;
  ix.shapes.erase(it);
  slot.reset();
}

bool is_gated(const Job& job) {
  const JobSpec& spec = *job.spec;
  return !job.held_by.empty() || !spec.depends.empty() || spec.singleton || job.eligible > job.submitted ||
         (job.array && job.array->throttle > 0);
}

PendingKey key_of(const ClusterState& state, const Job& job) {
  return {pending_score(state.policy, state.queues[static_cast<std::size_t>(job.queue.value())], job), job.id};
}

PendingGroup group_of(const Job& job, const PendingInfo& info) {
  const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(info.limit.ms(), 1));
  return {info.shape, static_cast<std::int32_t>(std::bit_width(ms)) - 1, job.queue};
}

void book_task(ClusterState& state, const Allocation& a, const TaskPlacement& task, bool exclusive, Time to) {
  const auto n = static_cast<std::size_t>(task.node.value());
  NodeUse& use = state.indexes.node_use[n];
  Booking booking{a.key.job, task.rank, to, task.cpus, task.memory, exclusive, 0, task.gpus};
  use.cpus += task.cpus;
  use.memory += task.memory;
  ++use.tasks;
  use.exclusive_tasks += exclusive ? 1 : 0;
  for (const GpuSlice& slice : task.gpus) {
    GpuUse& gpu = use.gpus[static_cast<std::size_t>(slice.gpu)];
    gpu.milli += slice.milli;
    gpu.memory += slice.memory;
    booking.gpu_mask |= std::uint64_t{1} << slice.gpu;
  }
  auto& list = state.indexes.bookings[n];
  const auto after = [](const Booking& b, const Booking& x) {
    return std::tie(b.job, b.rank) < std::tie(x.job, x.rank);
  };
  list.insert(std::lower_bound(list.begin(), list.end(), booking, after), std::move(booking));
}

void unbook_task(ClusterState& state, const Allocation& a, const TaskPlacement& task, bool exclusive) {
  const auto n = static_cast<std::size_t>(task.node.value());
  NodeUse& use = state.indexes.node_use[n];
  use.cpus -= task.cpus;
  use.memory -= task.memory;
  --use.tasks;
  use.exclusive_tasks -= exclusive ? 1 : 0;
  for (const GpuSlice& slice : task.gpus) {
    GpuUse& gpu = use.gpus[static_cast<std::size_t>(slice.gpu)];
    gpu.milli -= slice.milli;
    gpu.memory -= slice.memory;
  }
  std::erase_if(state.indexes.bookings[n], [&](const Booking& b) { return b.job == a.key.job && b.rank == task.rank; });
}

// A dependency names a job, or an array by its first id.
bool any_ended(const ClusterState& state, JobId named) {
  const auto ended = [&](JobId id) {
    const auto it = state.jobs.find(id);
    return it != state.jobs.end() && is_ended(it->second.state);
  };
  const auto array = state.indexes.arrays.find(named);
  if (array == state.indexes.arrays.end()) return ended(named);
  return std::any_of(array->second.begin(), array->second.end(), ended);
}

Resources held_by(const Placement& placement) {
  Resources sum;
  for (const TaskPlacement& task : placement) {
    sum.cpu += task.cpus;
    sum.memory += task.memory;
    for (const GpuSlice& slice : task.gpus) sum.gpu += slice.milli;
  }
  return sum;
}

void charge_queues(ClusterState& state, QueueId leaf, const Allocation& a, bool add) {
  const Resources held = held_by(a.placement);
  for (QueueId q = leaf; q != kNoQueue; q = state.queues[static_cast<std::size_t>(q.value())].parent) {
    QueueUse& use = state.indexes.queue_use[static_cast<std::size_t>(q.value())];
    if (add)
      use.held += held;
    else
      use.held -= held;
    use.jobs += add ? 1 : -1;
    use.weighted_milli_gpu += add ? a.weighted_milli_gpu : -a.weighted_milli_gpu;
  }
}

void set_timers(Indexes& ix, const Job& job, const Allocation& a, bool add) {
  const auto change = [add](std::set<std::pair<Time, JobId>>& set, Time at, JobId id) {
    if (add)
      set.emplace(at, id);
    else
      set.erase({at, id});
  };
  if (a.phase == AllocationPhase::stopping) change(ix.stop_deadlines, a.stop_deadline, a.key.job);
  if (a.phase != AllocationPhase::running || a.ends_by == kForever) return;
  change(ix.limits, a.ends_by, a.key.job);
  if (job.spec->warning.signal != 0) change(ix.warnings, a.ends_by - job.spec->warning.before, a.key.job);
}

bool exclusive_group(const Job& job, const TaskPlacement& task) {
  return job.spec->groups[static_cast<std::size_t>(task.group)].exclusive;
}

NodeKind kind_of(const Node& node) {
  NodeKind kind{node.cpus, node.memory, node.features, {}, {}};
  for (const Gpu& gpu : node.gpus) {
    kind.gpu_types.push_back(gpu.type);
    kind.gpu_memory.push_back(gpu.memory);
  }
  return kind;
}

}  // namespace

void add_pending(ClusterState& state, const Job& job) {
  if (job.state != JobState::pending) return;
  Indexes& ix = state.indexes;
  const PendingInfo info{intern_shape(ix, shape_of(*job.spec)), is_gated(job), effective_limit(state, job),
                         total_request(state, *job.spec)};
  const PendingKey key = key_of(state, job);
  ix.pending[static_cast<std::size_t>(job.queue.value())].emplace(key, info);
  if (!info.gated) ix.pending_groups[group_of(job, info)].insert(key);
  ++ix.pending_count;
  for (const Dependency& d : job.spec->depends) {
    ix.dependents[d.job].insert(job.id);
    if (any_ended(state, d.job)) ix.settled.insert(d.job);
  }
}

void remove_pending(ClusterState& state, const Job& job) {
  if (job.state != JobState::pending) return;
  Indexes& ix = state.indexes;
  auto& queue = ix.pending[static_cast<std::size_t>(job.queue.value())];
  const auto it = queue.find(key_of(state, job));
  BERTH_CHECK(it != queue.end(), "a pending job is not in its queue");
  if (!it->second.gated) erase_member(ix.pending_groups, group_of(job, it->second), it->first);
  release_shape(ix, it->second.shape);
  queue.erase(it);
  --ix.pending_count;
  for (const Dependency& d : job.spec->depends) {
    erase_member(ix.dependents, d.job, job.id);
    if (!ix.dependents.contains(d.job)) ix.settled.erase(d.job);
  }
}

void add_job(ClusterState& state, const Job& job) {
  Indexes& ix = state.indexes;
  if (job.array) ix.arrays[job.array->first].insert(job.id);
  if (is_ended(job.state))
    ix.ended.emplace(job.ended, job.id);
  else
    ix.namesakes[{job.spec->user, job.spec->name}].insert(job.id);
}

void remove_job(ClusterState& state, const Job& job) {
  Indexes& ix = state.indexes;
  if (job.array) erase_member(ix.arrays, job.array->first, job.id);
  if (is_ended(job.state))
    ix.ended.erase({job.ended, job.id});
  else
    erase_member(ix.namesakes, std::pair{job.spec->user, job.spec->name}, job.id);
}

void note_ended(ClusterState& state, const Job& job) {
  Indexes& ix = state.indexes;
  if (ix.dependents.contains(job.id)) ix.settled.insert(job.id);
  if (job.array && ix.dependents.contains(job.array->first)) ix.settled.insert(job.array->first);
}

void add_allocation(ClusterState& state, const Allocation& a) {
  const Job& job = state.jobs.at(a.key.job);
  const Time to = known_end(a, effective_limit(state, job));
  for (const TaskPlacement& task : a.placement) {
    book_task(state, a, task, exclusive_group(job, task), to);
    refresh_node(state, task.node);
  }
  charge_queues(state, job.queue, a, true);
  set_timers(state.indexes, job, a, true);
  if (job.array) state.indexes.array_active[job.array->first].insert(job.id);
}

void remove_allocation(ClusterState& state, const Allocation& a) {
  const Job& job = state.jobs.at(a.key.job);
  for (const TaskPlacement& task : a.placement) {
    unbook_task(state, a, task, exclusive_group(job, task));
    refresh_node(state, task.node);
  }
  charge_queues(state, job.queue, a, false);
  set_timers(state.indexes, job, a, false);
  if (job.array) erase_member(state.indexes.array_active, job.array->first, job.id);
}

void refresh_node(ClusterState& state, NodeId id) {
  Indexes& ix = state.indexes;
  const auto n = static_cast<std::size_t>(id.value());
  const Node& node = state.nodes[n];
  if (ix.node_use.size() <= n) ix.node_use.resize(n + 1);
  if (ix.node_free.size() <= n) ix.node_free.resize(n + 1);
  if (ix.bookings.size() <= n) ix.bookings.resize(n + 1);
  if (ix.node_kind.size() <= n) ix.node_kind.resize(n + 1);
  NodeUse& use = ix.node_use[n];
  if (use.gpus.size() < node.gpus.size()) use.gpus.resize(node.gpus.size());
  NodeFree free{node.cpus - use.cpus, node.memory - use.memory, 0, use.tasks, use.exclusive_tasks, node.usable()};
  for (std::size_t g = 0; g < node.gpus.size(); ++g) {
    const Gpu& gpu = node.gpus[g];
    const bool whole = gpu.health == GpuHealth::ok && gpu.foreign == Mib{} && use.gpus[g] == GpuUse{};
    if (whole) free.gpus |= std::uint64_t{1} << g;
  }
  ix.node_free[n] = free;
}

void relink_queues(ClusterState& state) {
  Indexes& ix = state.indexes;
  ix.queue_use.assign(state.queues.size(), {});
  ix.children.assign(state.queues.size(), {});
  ix.roots.clear();
  for (Queue& queue : state.queues) {
    queue.parent = kNoQueue;
    for (const Queue& other : state.queues)
      if (!queue.spec.parent.empty() && queue.spec.parent == other.spec.name && other.id != queue.id)
        queue.parent = other.id;
  }
  // A cycle has no root above it: its queues are off (core/handle.cc) and each becomes a root of its own.
  for (Queue& queue : state.queues) {
    QueueId up = queue.parent;
    for (std::size_t steps = 0; up != kNoQueue && steps <= state.queues.size(); ++steps)
      up = state.queues[static_cast<std::size_t>(up.value())].parent;
    if (up != kNoQueue) queue.parent = kNoQueue;
  }
  for (const Queue& queue : state.queues) {
    if (queue.spec.name.empty()) continue;
    if (queue.parent == kNoQueue)
      ix.roots.push_back(queue.id);
    else
      ix.children[static_cast<std::size_t>(queue.parent.value())].push_back(queue.id);
  }
  for (const auto& [id, a] : state.allocations) charge_queues(state, state.jobs.at(id).queue, a, true);
  ix.pending.assign(state.queues.size(), {});
  ix.pending_count = 0;
  ix.pending_groups.clear();
  ix.shapes.clear();
  ix.shape_by_id.clear();
  ix.dependents.clear();
  ix.settled.clear();
  for (const auto& [id, job] : state.jobs) add_pending(state, job);
}

void note_node_kind(ClusterState& state, NodeId id) {
  Indexes& ix = state.indexes;
  const auto n = static_cast<std::size_t>(id.value());
  const NodeKind kind = kind_of(state.nodes[n]);
  const auto it = std::find(ix.kinds.begin(), ix.kinds.end(), kind);
  if (ix.node_kind.size() <= n) ix.node_kind.resize(n + 1);
  ix.node_kind[n] = static_cast<std::int32_t>(it - ix.kinds.begin());
  if (it == ix.kinds.end()) ix.kinds.push_back(kind);
}

bool is_known_kind(const ClusterState& state, const Node& node) {
  const auto& kinds = state.indexes.kinds;
  return std::find(kinds.begin(), kinds.end(), kind_of(node)) != kinds.end();
}

Duration effective_limit(const ClusterState& state, const Job& job) {
  if (job.spec->time_limit) return *job.spec->time_limit;
  for (QueueId q = job.queue; q != kNoQueue; q = state.queues[static_cast<std::size_t>(q.value())].parent) {
    const auto& limit = state.queues[static_cast<std::size_t>(q.value())].spec.default_time_limit;
    if (limit) return *limit;
  }
  return kUnlimited;
}

Time known_end(const Allocation& a, Duration limit) {
  if (a.phase == AllocationPhase::stopping) return a.stop_deadline;
  if (a.phase == AllocationPhase::running) return a.ends_by;
  return a.placed + limit;
}

Shape shape_of(const JobSpec& spec) {
  Shape shape;
  shape.nodes = spec.nodes;
  for (const TaskGroup& g : spec.groups)
    shape.groups.push_back({g.count, g.max_per_node, g.exclusive, g.gpus, g.cpus, g.memory});
  for (const GpuTypePreference& p : spec.gpu_types) shape.gpu_types.push_back(p.type);
  return shape;
}

Resources total_request(const ClusterState& state, const JobSpec& spec) {
  Resources sum;
  for (const TaskGroup& g : spec.groups) {
    MilliGpu each = kWholeGpu * g.gpus.count;
    if (g.gpus.is_share()) {
      each = g.gpus.milli;
      if (each == MilliGpu{}) {
        // Of the smallest GPU that is large enough, as that books the largest part.
        Mib smallest{};
        for (const NodeKind& kind : state.indexes.kinds)
          for (const Mib m : kind.gpu_memory)
            if (m >= g.gpus.memory && (smallest == Mib{} || m < smallest)) smallest = m;
        const std::int64_t whole = std::max<std::int64_t>(smallest.value(), 1);
        each =
            smallest == Mib{} ? kWholeGpu : MilliGpu(std::max<std::int64_t>(g.gpus.memory.value() * 1000 / whole, 1));
      }
    }
    sum.gpu += each * g.count;
    sum.cpu += g.cpus * g.count;
    sum.memory += g.memory * g.count;
  }
  return sum;
}

void rebuild_indexes(ClusterState& state) {
  state.indexes = {};
  for (const Node& node : state.nodes) {
    note_node_kind(state, node.id);
    refresh_node(state, node.id);
  }
  for (const auto& [id, job] : state.jobs) add_job(state, job);
  relink_queues(state);
  state.indexes.queue_use.assign(state.queues.size(), {});  // add_allocation charges them with all the rest
  for (const auto& [id, a] : state.allocations) add_allocation(state, a);
}

}  // namespace berth
