#include "oracle.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/indexes.h"

namespace berth {
namespace {

constexpr Duration kOverrun = seconds(1);  // work past its limit is taken to be gone so soon

// What is free on one node all through a window.
struct Free {
  const Node* node = nullptr;
  std::int64_t cpus = 0;
  std::int64_t memory = 0;
  bool taken = false;      // by anybody
  bool exclusive = false;  // by somebody who shares it with nobody
  std::vector<std::int64_t> milli;
  std::vector<std::int64_t> gpu_memory;
  std::vector<bool> whole;  // nobody has a part of it, no stranger either
};

struct Use {
  std::int64_t cpus = 0;
  std::int64_t memory = 0;
  bool taken = false;
  bool exclusive = false;
  std::vector<std::int64_t> milli;
  std::vector<std::int64_t> gpu_memory;
};

Use use_at(const Node& node, const std::vector<Occupied>& held, Time t) {
  Use use;
  use.milli.resize(node.gpus.size());
  use.gpu_memory.resize(node.gpus.size());
  for (const auto& h : held) {
    if (h.from > t || h.to <= t) continue;
    for (const auto& task : h.placement) {
      if (task.node != node.id) continue;
      use.taken = true;
      use.exclusive |= h.spec->groups[static_cast<std::size_t>(task.group)].exclusive;
      use.cpus += task.cpus.value();
      use.memory += task.memory.value();
      for (const auto& slice : task.gpus) {
        use.milli[static_cast<std::size_t>(slice.gpu)] += slice.milli.value();
        use.gpu_memory[static_cast<std::size_t>(slice.gpu)] += slice.memory.value();
      }
    }
  }
  return use;
}

Free empty_node(const Node& node) {
  Free free{&node, node.cpus.value(), node.memory.value(), false, false, {}, {}, {}};
  for (const auto& gpu : node.gpus) {
    const bool ok = gpu.health == GpuHealth::ok;
    const auto size = std::max<std::int64_t>(gpu.memory.value(), 1);
    const auto foreign = std::min(gpu.foreign.value(), size);
    free.milli.push_back(ok ? 1000 - (foreign * 1000 + size - 1) / size : 0);
    free.gpu_memory.push_back(ok ? gpu.memory.value() - foreign : 0);
    free.whole.push_back(ok && foreign == 0);
  }
  return free;
}

Free free_through(const Node& node, const std::vector<Occupied>& held, Time from, Time to) {
  Free free = empty_node(node);
  std::set<Time> moments{from};
  for (const auto& h : held)
    if (h.from > from && h.from < to) moments.insert(h.from);
  const Free all = free;
  for (const Time t : moments) {
    const Use use = use_at(node, held, t);
    free.cpus = std::min(free.cpus, all.cpus - use.cpus);
    free.memory = std::min(free.memory, all.memory - use.memory);
    free.taken |= use.taken;
    free.exclusive |= use.exclusive;
    for (std::size_t g = 0; g < node.gpus.size(); ++g) {
      free.milli[g] = std::min(free.milli[g], all.milli[g] - use.milli[g]);
      free.gpu_memory[g] = std::min(free.gpu_memory[g], all.gpu_memory[g] - use.gpu_memory[g]);
      if (use.milli[g] > 0 || use.gpu_memory[g] > 0) free.whole[g] = false;
    }
  }
  return free;
}

bool in(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool allowed(const Node& node, const NodeConstraints& wanted) {
  if (!node.usable() || in(wanted.exclude, node.name)) return false;
  if (!wanted.include.empty() && !in(wanted.include, node.name)) return false;
  for (const auto& any_of : wanted.features) {
    const bool hit =
        std::any_of(any_of.begin(), any_of.end(), [&](const std::string& f) { return in(node.features, f); });
    if (!hit) return false;
  }
  return true;
}

// What a share takes of a GPU of this size; the way not given follows in proportion.
std::pair<std::int64_t, std::int64_t> share(const GpuRequest& wanted, std::int64_t size) {
  auto milli = wanted.milli.value();
  auto memory = wanted.memory.value();
  if (milli == 0) milli = std::max<std::int64_t>(memory * 1000 / std::max<std::int64_t>(size, 1), 1);
  if (memory == 0) memory = size * wanted.milli.value() / 1000;
  return {milli, memory};
}

struct TaskOf {
  const TaskGroup* group;
  std::size_t group_index;
};

// Tries every way to place the tasks one after another.
class Search {
 public:
  Search(const JobSpec& spec, std::string type, std::vector<Free> nodes)
      : spec_(spec), type_(std::move(type)), nodes_(std::move(nodes)) {
    for (std::size_t g = 0; g < spec.groups.size(); ++g)
      for (std::int32_t i = 0; i < spec.groups[g].count; ++i) tasks_.push_back({&spec.groups[g], g});
    per_group_.assign(spec.groups.size(), std::vector<std::int32_t>(nodes_.size(), 0));
  }

  bool run() { return task(0, 0); }

 private:
  bool task(std::size_t t, std::size_t first_node) {
    if (t == tasks_.size()) return true;
    const bool same = t > 0 && tasks_[t].group_index == tasks_[t - 1].group_index;
    for (std::size_t n = same ? first_node : 0; n < nodes_.size(); ++n)
      if (on_node(t, n)) return true;
    return false;
  }

  bool on_node(std::size_t t, std::size_t n) {
    const TaskGroup& group = *tasks_[t].group;
    Free& node = nodes_[n];
    auto& here = per_group_[tasks_[t].group_index][n];
    if (!allowed(*node.node, spec_.nodes) || node.exclusive || (group.exclusive && node.taken)) return false;
    if (group.max_per_node > 0 && here >= group.max_per_node) return false;
    if (node.cpus < group.cpus.value() || node.memory < group.memory.value()) return false;
    node.cpus -= group.cpus.value();
    node.memory -= group.memory.value();
    ++here;
    const bool found = group.gpus.count > 0    ? whole_gpus(t, n, 0, group.gpus.count)
                       : group.gpus.is_share() ? one_share(t, n)
                                               : task(t + 1, n);
    --here;
    node.cpus += group.cpus.value();
    node.memory += group.memory.value();
    return found;
  }

  bool serves(const Gpu& gpu, const GpuRequest& wanted) const {
    return (type_.empty() || gpu_type_matches(type_, gpu.type)) && gpu.memory >= wanted.memory;
  }

  bool whole_gpus(std::size_t t, std::size_t n, std::size_t first, std::int32_t left) {
    if (left == 0) return task(t + 1, n);
    Free& node = nodes_[n];
    for (std::size_t g = first; g < node.whole.size(); ++g) {
      if (!node.whole[g] || !serves(node.node->gpus[g], tasks_[t].group->gpus)) continue;
      const auto milli = node.milli[g], memory = node.gpu_memory[g];
      node.whole[g] = false;
      node.milli[g] = node.gpu_memory[g] = 0;
      const bool found = whole_gpus(t, n, g + 1, left - 1);
      node.whole[g] = true;
      node.milli[g] = milli;
      node.gpu_memory[g] = memory;
      if (found) return true;
    }
    return false;
  }

  bool one_share(std::size_t t, std::size_t n) {
    Free& node = nodes_[n];
    for (std::size_t g = 0; g < node.whole.size(); ++g) {
      if (!serves(node.node->gpus[g], tasks_[t].group->gpus)) continue;
      const auto [milli, memory] = share(tasks_[t].group->gpus, node.node->gpus[g].memory.value());
      if (node.milli[g] < milli || node.gpu_memory[g] < memory) continue;
      const bool whole = node.whole[g];
      node.whole[g] = false;
      node.milli[g] -= milli;
      node.gpu_memory[g] -= memory;
      const bool found = task(t + 1, n);
      node.whole[g] = whole;
      node.milli[g] += milli;
      node.gpu_memory[g] += memory;
      if (found) return true;
    }
    return false;
  }

  const JobSpec& spec_;
  std::string type_;
  std::vector<Free> nodes_;
  std::vector<TaskOf> tasks_;
  std::vector<std::vector<std::int32_t>> per_group_;
};

std::vector<std::string> types_of(const JobSpec& spec) {
  std::vector<std::string> types;
  for (const auto& preference : spec.gpu_types) types.push_back(preference.type);
  if (types.empty()) types.emplace_back();
  return types;
}

}  // namespace

Oracle::Oracle(const ClusterState& state, Time now) : state_(state) {
  for (const auto& [id, a] : state.allocations) {
    const auto end = std::max(known_end(a, effective_limit(state, state.jobs.at(id))), now + kOverrun);
    held_.push_back({now, end, state.jobs.at(id).spec.get(), a.placement});
  }
}

void Oracle::add(const JobSpec& spec, const Placement& placement, Time from, Time to) {
  held_.push_back({from, to, &spec, placement});
}

bool Oracle::fits(const JobSpec& spec, Time from, Time to) const {
  std::vector<Free> nodes;
  for (const auto& node : state_.nodes) nodes.push_back(free_through(node, held_, from, to));
  for (const auto& type : types_of(spec))
    if (Search(spec, type, nodes).run()) return true;
  return false;
}

std::string Oracle::wrong(const JobSpec& spec, const Placement& placement, Time from, Time to) const {
  std::vector<std::int32_t> counts(spec.groups.size(), 0);
  for (const auto& task : placement) ++counts.at(static_cast<std::size_t>(task.group));
  for (std::size_t g = 0; g < counts.size(); ++g)
    if (counts[g] != spec.groups[g].count) return "the gang is not whole";
  for (const auto& task : placement) {
    const auto& node = state_.nodes.at(static_cast<std::size_t>(task.node.value()));
    const auto& group = spec.groups[static_cast<std::size_t>(task.group)];
    if (!allowed(node, spec.nodes)) return "it may not use " + node.name;
    if (task.cpus != group.cpus || task.memory != group.memory) return "a task gets other than it asked for";
    if (static_cast<std::int32_t>(task.gpus.size()) != (group.gpus.is_share() ? 1 : group.gpus.count))
      return "a task gets another number of GPUs";
    for (const auto& slice : task.gpus) {
      const auto& gpu = node.gpus.at(static_cast<std::size_t>(slice.gpu));
      if (gpu.health != GpuHealth::ok) return "it gets a GPU that is not healthy";
      const bool typed =
          spec.gpu_types.empty() || std::any_of(spec.gpu_types.begin(), spec.gpu_types.end(),
                                                [&](const auto& p) { return gpu_type_matches(p.type, gpu.type); });
      if (!typed || gpu.memory < group.gpus.memory) return "it gets a GPU of another kind";
    }
  }
  auto held = held_;
  held.push_back({from, to, &spec, placement});
  for (const auto& node : state_.nodes) {
    const Free all = empty_node(node);
    std::set<Time> moments{from};
    for (const auto& h : held)
      if (h.from > from && h.from < to) moments.insert(h.from);
    for (const Time t : moments) {
      const Use use = use_at(node, held, t);
      const Use mine = use_at(node, {held.back()}, t);
      if (!mine.taken) continue;
      if (use.cpus > all.cpus || use.memory > all.memory) return "more of " + node.name + " is given than it has";
      for (std::size_t g = 0; g < node.gpus.size(); ++g)
        if (mine.milli[g] > 0 && (use.milli[g] > all.milli[g] || use.gpu_memory[g] > all.gpu_memory[g]))
          return "GPU " + std::to_string(g) + " of " + node.name + " is given twice";
      const Use others = use_at(node, held_, t);
      if ((mine.exclusive && others.taken) || others.exclusive) return node.name + " is shared though it is exclusive";
    }
  }
  return "";
}

std::vector<Time> Oracle::ends(Time from) const {
  std::set<Time> times;
  for (const auto& h : held_)
    if (h.to >= from && h.to != kForever) times.insert(h.to);
  return {times.begin(), times.end()};
}

}  // namespace berth
