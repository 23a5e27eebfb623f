#include "core/place.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

namespace berth {
namespace {

constexpr std::int64_t kMany = std::numeric_limits<std::int32_t>::max();

// A node within the window, less what this gang has taken of it so far.
struct Slot {
  NodeId node;
  std::size_t kind = 0;
  NodeFree free;
  std::vector<GpuRoom> rooms;  // only if the shape has shares
};

std::int64_t whole_shares(const Slot& slot, const NodeKind& kind, const ShapeGroup& group, std::uint64_t gpus) {
  std::int64_t sum = 0;
  for (std::size_t g = 0; g < slot.rooms.size(); ++g)
    if (gpus >> g & 1) sum += shares_in(slot.rooms[g], share_of(group.gpus, kind.gpu_memory[g]));
  return sum;
}

// How many more tasks of the group the slot takes.
std::int64_t capacity(const Slot& slot, const NodeKind& kind, const ShapeGroup& group, std::uint64_t gpus) {
  const NodeFree& f = slot.free;
  if (!f.usable || f.exclusive_tasks > 0 || (group.exclusive && f.tasks > 0)) return 0;
  std::int64_t most = group.max_per_node > 0 ? group.max_per_node : kMany;
  if (group.cpus > MilliCpu{}) most = std::min(most, f.cpus.value() / group.cpus.value());
  if (group.memory > Mib{}) most = std::min(most, f.memory.value() / group.memory.value());
  if (group.gpus.count > 0)
    most = std::min<std::int64_t>(most, std::popcount(f.gpus & gpus) / group.gpus.count);
  else if (group.gpus.is_share())
    most = std::min(most, whole_shares(slot, kind, group, gpus));
  return std::max<std::int64_t>(most, 0);
}

// The GPU whose room is smallest among those that fit, so that shares fill holes before they open whole GPUs.
std::size_t best_share_gpu(const Slot& slot, const NodeKind& kind, const ShapeGroup& group, std::uint64_t gpus) {
  std::size_t best = slot.rooms.size();
  for (std::size_t g = 0; g < slot.rooms.size(); ++g) {
    if ((gpus >> g & 1) == 0 || shares_in(slot.rooms[g], share_of(group.gpus, kind.gpu_memory[g])) == 0) continue;
    if (best == slot.rooms.size() || slot.rooms[g].milli < slot.rooms[best].milli) best = g;
  }
  return best;
}

// Of unlike cards that all will do, the smallest: the larger ones may be wanted by another group.
std::size_t smallest_gpu(const NodeKind& kind, std::uint64_t gpus) {
  auto best = static_cast<std::size_t>(std::countr_zero(gpus));
  for (std::size_t g = best + 1; g < kind.gpu_memory.size(); ++g)
    if ((gpus >> g & 1) != 0 && kind.gpu_memory[g] < kind.gpu_memory[best]) best = g;
  return best;
}

TaskPlacement take_task(Slot& slot, const NodeKind& kind, const ShapeGroup& group, std::uint64_t gpus) {
  TaskPlacement task;
  task.node = slot.node;
  task.cpus = group.cpus;
  task.memory = group.memory;
  slot.free.cpus -= group.cpus;
  slot.free.memory -= group.memory;
  const auto grab = [&](std::size_t g, GpuRoom amount) {
    task.gpus.push_back({static_cast<std::int32_t>(g), amount.milli, amount.memory});
    slot.free.gpus &= ~(std::uint64_t{1} << g);
    if (slot.rooms.empty()) return;
    slot.rooms[g].milli -= amount.milli;
    slot.rooms[g].memory -= amount.memory;
  };
  for (std::int32_t i = 0; i < group.gpus.count; ++i) {
    const std::size_t g = smallest_gpu(kind, slot.free.gpus & gpus);
    grab(g, {kWholeGpu, kind.gpu_memory[g]});
  }
  if (group.gpus.is_share()) {
    const std::size_t g = best_share_gpu(slot, kind, group, gpus);
    grab(g, share_of(group.gpus, kind.gpu_memory[g]));
  }
  return task;
}

class Placer {
 public:
  Placer(const Timeline& timeline, const Shape& shape, const Option& option, const std::vector<NodeId>& nodes,
         Window window)
      : shape_(shape), option_(option), kinds_(timeline.state().indexes.kinds) {
    const bool shares =
        std::any_of(shape.groups.begin(), shape.groups.end(), [](const ShapeGroup& g) { return g.gpus.is_share(); });
    for (const ShapeGroup& g : shape.groups) least_gpus_ = std::min(least_gpus_, g.gpus.count);
    if (window.from != timeline.now()) least_gpus_ = 0;
    for (const NodeId node : nodes) {
      if (full_now(timeline.state(), node)) continue;
      NodeFree free = timeline.free(node, window);
      if (!free.usable || free.exclusive_tasks > 0) continue;
      const auto kind =
          static_cast<std::size_t>(timeline.state().indexes.node_kind[static_cast<std::size_t>(node.value())]);
      slots_.push_back({node, kind, free, {}});
      if (shares) timeline.gpu_rooms(node, window, slots_.back().rooms);
    }
    order_.resize(shape.groups.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return hardness(a) > hardness(b); });
  }

  std::optional<Placement> run() {
    if (slots_.empty()) return std::nullopt;
    const std::vector<Slot> fresh = shape_.groups.size() > 1 ? slots_ : std::vector<Slot>{};
    counts_.assign(shape_.groups.size(), std::vector<std::int64_t>(slots_.size(), 0));
    if (greedy()) return finished();
    if (shape_.groups.size() == 1) return std::nullopt;
    slots_ = fresh;
    for (auto& c : counts_) c.assign(slots_.size(), 0);
    tasks_.clear();
    if (search(0, 0, 0, shape_.groups[order_[0]].count)) return finished();
    return std::nullopt;
  }

  Room room(std::size_t group) const {
    const ShapeGroup& g = shape_.groups[group];
    ShapeGroup gpu = g, cpu = g, memory = g;
    gpu.cpus = MilliCpu{}, gpu.memory = Mib{};
    cpu.gpus = {}, cpu.memory = Mib{};
    memory.gpus = {}, memory.cpus = MilliCpu{};
    Room out;
    for (const Slot& slot : slots_) {
      const auto each = [&](const ShapeGroup& x) { return capacity(slot, kinds_[slot.kind], x, mask(group, slot)); };
      out.tasks += each(g);
      out.by_gpu += each(gpu);
      out.by_cpu += each(cpu);
      out.by_memory += each(memory);
      MilliGpu gpus = kWholeGpu * std::popcount(slot.free.gpus & mask(group, slot));
      for (std::size_t i = 0; g.gpus.is_share() && i < slot.rooms.size(); ++i)
        gpus = std::max(gpus, slot.rooms[i].milli);
      out.most_gpu = std::max(out.most_gpu, gpus);
      out.most_cpu = std::max(out.most_cpu, slot.free.cpus);
      out.most_memory = std::max(out.most_memory, slot.free.memory);
    }
    return out;
  }

 private:
  // At present no task gets its whole GPUs here: no need to look at promises.
  bool full_now(const ClusterState& state, NodeId node) const {
    const NodeFree& present = state.indexes.node_free[static_cast<std::size_t>(node.value())];
    return least_gpus_ > 0 && (present.gpus == 0 || std::popcount(present.gpus) < least_gpus_);
  }

  std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t> hardness(std::size_t i) const {
    const ShapeGroup& g = shape_.groups[i];
    const std::int64_t gpus =
        g.gpus.count > 0 ? g.gpus.count * 1000 : std::max<std::int64_t>(g.gpus.milli.value(), g.gpus.is_share());
    return {g.exclusive ? 1 : 0, gpus, g.cpus.value(), g.memory.value()};
  }
  std::uint64_t mask(std::size_t group, const Slot& slot) const { return option_.gpus[group][slot.kind]; }
  std::int64_t capacity_of(std::size_t group, const Slot& slot) const {
    return capacity(slot, kinds_[slot.kind], shape_.groups[group], mask(group, slot));
  }
  void take(std::size_t group, std::size_t slot, std::int64_t count) {
    take(group, slot, count, mask(group, slots_[slot]));
  }
  void take(std::size_t group, std::size_t slot, std::int64_t count, std::uint64_t gpus) {
    counts_[group][slot] += count;
    for (std::int64_t i = 0; i < count; ++i) {
      TaskPlacement task = take_task(slots_[slot], kinds_[slots_[slot].kind], shape_.groups[group], gpus);
      task.group = static_cast<std::int32_t>(group);
      tasks_.push_back(std::move(task));
    }
  }

  // Less is better: whole GPUs that stay free on the node, whether a whole GPU must be opened, cores that stay free.
  std::tuple<std::int64_t, std::int64_t, std::int64_t, std::size_t> leftover(std::size_t group, std::size_t s,
                                                                             std::int64_t count) const {
    const Slot& slot = slots_[s];
    const ShapeGroup& g = shape_.groups[group];
    std::int64_t whole = std::popcount(slot.free.gpus) - g.gpus.count * count;
    std::int64_t opened = 0;
    if (g.gpus.is_share()) {
      const std::size_t gpu = best_share_gpu(slot, kinds_[slot.kind], g, mask(group, slot));
      opened = gpu < slot.rooms.size() && (slot.free.gpus >> gpu & 1) ? 1 : 0;
      whole -= opened;
      return {opened, whole, (slot.free.cpus - g.cpus * count).value(), s};
    }
    return {whole, 0, (slot.free.cpus - g.cpus * count).value(), s};
  }

  bool greedy() {
    for (const std::size_t group : order_)
      if (!greedy_group(group)) return false;
    return true;
  }

  bool greedy_group(std::size_t group) {
    const std::int64_t count = shape_.groups[group].count;
    std::vector<std::pair<std::int64_t, std::size_t>> able;  // capacity, slot
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      const std::int64_t c = capacity_of(group, slots_[s]);
      if (c == 0) continue;
      able.emplace_back(std::min(c, count), s);
      sum += std::min(c, count);
    }
    if (sum < count) return false;
    std::int64_t left = count;
    if (!take_best(group, able, left)) take_widest(group, able, left);
    return true;
  }

  // Puts all that is left on the one node where least is left over, if one can hold it.
  bool take_best(std::size_t group, const std::vector<std::pair<std::int64_t, std::size_t>>& able, std::int64_t left) {
    std::size_t best = slots_.size();
    for (const auto& [c, s] : able)
      if (c >= left && counts_[group][s] == 0 &&
          (best == slots_.size() || leftover(group, s, left) < leftover(group, best, left)))
        best = s;
    if (best == slots_.size()) return false;
    take(group, best, left);
    return true;
  }

  void take_widest(std::size_t group, std::vector<std::pair<std::int64_t, std::size_t>>& able, std::int64_t left) {
    std::stable_sort(able.begin(), able.end(), [&](const auto& a, const auto& b) {
      if (a.first != b.first) return a.first > b.first;
      return leftover(group, a.second, a.first) < leftover(group, b.second, b.first);
    });
    for (const auto& [c, s] : able) {
      if (left <= c && take_best(group, able, left)) return;
      take(group, s, c);
      left -= c;
    }
  }

  // Depth first over groups in order of hardness and slots in order, most tasks first; bounded. Shares are tried card by card,
  // as shares of several sizes fill cards in more than one way.
  bool search(std::size_t depth, std::size_t slot, std::size_t gpu, std::int64_t left) {
    if (left == 0) {
      if (depth + 1 == order_.size()) return true;
      return search(depth + 1, 0, 0, shape_.groups[order_[depth + 1]].count);
    }
    if (slot == slots_.size() || ++steps_ > kSearchSteps) return false;
    const std::size_t group = order_[depth];
    const ShapeGroup& wanted = shape_.groups[group];
    const bool by_card = wanted.gpus.is_share();
    if (by_card && gpu >= slots_[slot].rooms.size()) return search(depth, slot + 1, 0, left);
    const std::uint64_t gpus = mask(group, slots_[slot]) & (by_card ? std::uint64_t{1} << gpu : ~std::uint64_t{0});
    std::int64_t most = std::min(capacity(slots_[slot], kinds_[slots_[slot].kind], wanted, gpus), left);
    if (wanted.max_per_node > 0) most = std::min(most, wanted.max_per_node - counts_[group][slot]);
    for (std::int64_t c = most; c >= 0; --c) {
      const Slot before = slots_[slot];
      const std::size_t size = tasks_.size();
      take(group, slot, c, gpus);
      if (search(depth, by_card ? slot : slot + 1, by_card ? gpu + 1 : 0, left - c)) return true;
      slots_[slot] = before;
      counts_[group][slot] -= c;
      tasks_.resize(size);
      if (steps_ > kSearchSteps) return false;
    }
    return false;
  }

  Placement finished() {
    std::stable_sort(tasks_.begin(), tasks_.end(), [](const TaskPlacement& a, const TaskPlacement& b) {
      return std::tie(a.group, a.node) < std::tie(b.group, b.node);
    });
    for (std::size_t i = 0; i < tasks_.size(); ++i) tasks_[i].rank = static_cast<std::int32_t>(i);
    return std::move(tasks_);
  }

  const Shape& shape_;
  const Option& option_;
  const std::vector<NodeKind>& kinds_;
  std::vector<Slot> slots_;
  std::int32_t least_gpus_ = std::numeric_limits<std::int32_t>::max();  // of any task, if the window begins now
  std::vector<std::size_t> order_;                                      // groups, hardest first
  std::vector<std::vector<std::int64_t>> counts_;                       // [group][slot]: tasks taken
  Placement tasks_;
  std::int64_t steps_ = 0;
};

}  // namespace

std::optional<Placement> place_on(const Timeline& timeline, const Shape& shape, const Option& option,
                                  const std::vector<NodeId>& nodes, Window window) {
  return Placer(timeline, shape, option, nodes, window).run();
}

std::optional<Placement> place(const Timeline& timeline, const Shape& shape, const Candidates& candidates,
                               Window window) {
  for (const Option& option : candidates.options)
    if (auto placement = place_on(timeline, shape, option, option.nodes, window)) return placement;
  return std::nullopt;
}

bool fits_one(const Timeline& timeline, const Shape& shape, std::size_t group, const Option& option, NodeId node,
              Window window) {
  const Indexes& indexes = timeline.state().indexes;
  const auto kind = static_cast<std::size_t>(indexes.node_kind[static_cast<std::size_t>(node.value())]);
  Slot slot{node, kind, timeline.free(node, window), {}};
  if (shape.groups[group].gpus.is_share()) timeline.gpu_rooms(node, window, slot.rooms);
  return capacity(slot, indexes.kinds[kind], shape.groups[group], option.gpus[group][kind]) > 0;
}

Room room_for(const Timeline& timeline, const Shape& shape, std::size_t group, const Option& option, Window window) {
  return Placer(timeline, shape, option, option.nodes, window).room(group);
}

}  // namespace berth
