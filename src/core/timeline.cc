#include "core/timeline.h"

#include <algorithm>

namespace berth {
namespace {

// Work that has outlived its limit is on its way out: it is taken to be gone after this.
constexpr Duration kOverrun = seconds(1);

bool overlap(const Window& a, const Window& b) { return a.from < b.to && b.from < a.to; }

std::size_t index(NodeId n) { return static_cast<std::size_t>(n.value()); }

struct Load {
  MilliCpu cpus;
  Mib memory;
  std::int32_t tasks = 0;
  std::int32_t exclusive = 0;

  void add(const Booking& b) {
    cpus += b.cpus;
    memory += b.memory;
    ++tasks;
    exclusive += b.exclusive ? 1 : 0;
  }
};

std::uint64_t healthy_gpus(const Node& node) {
  std::uint64_t mask = 0;
  for (std::size_t g = 0; g < node.gpus.size(); ++g)
    if (node.gpus[g].health == GpuHealth::ok && node.gpus[g].foreign == Mib{}) mask |= std::uint64_t{1} << g;
  return mask;
}

}  // namespace

Timeline::Timeline(const ClusterState& state, Time now, Extras kept)
    : state_(state), now_(now), extras_(std::move(kept)), profiles_(state.nodes.size()) {
  if (!extras_.empty()) promises_ = 1;
  extras_.resize(state.nodes.size());
}

Time Timeline::end_of(const Booking& b) const { return std::max(b.to, now_ + kOverrun); }

// The steps of running work on one node: each booking that ends opens a new one.
const Timeline::Profile& Timeline::profile(NodeId id) const {
  Profile& steps = profiles_[index(id)];
  if (!steps.empty()) return steps;
  const Node& node = state_.nodes[index(id)];
  std::vector<const Booking*> ends;
  for (const Booking& b : state_.indexes.bookings[index(id)])
    if (end_of(b) < kForever) ends.push_back(&b);
  std::sort(ends.begin(), ends.end(), [](const Booking* a, const Booking* b) { return a->to > b->to; });

  // From the last end backwards, what is held grows.
  NodeFree left{node.cpus, node.memory, healthy_gpus(node), 0, 0, true};
  const auto hold = [&](const Booking& b) {
    left.cpus -= b.cpus;
    left.memory -= b.memory;
    left.gpus &= ~b.gpu_mask;
    ++left.tasks;
    left.exclusive_tasks += b.exclusive ? 1 : 0;
  };
  for (const Booking& b : state_.indexes.bookings[index(id)])
    if (end_of(b) == kForever) hold(b);
  for (const Booking* b : ends) {
    const Time end = end_of(*b);
    if (steps.empty() || steps.back().from != end) steps.push_back({end, left});
    hold(*b);
  }
  steps.push_back({now_, left});
  std::reverse(steps.begin(), steps.end());
  return steps;
}

namespace {

template <class Profile>
const NodeFree& free_at(const Profile& steps, Time t) {
  std::size_t i = 0;
  while (i + 1 < steps.size() && steps[i + 1].from <= t) ++i;
  return steps[i].free;
}

}  // namespace

// The least that is left at the start of the window and whenever a promise begins within it.
void Timeline::add_extras(const std::vector<Extra>& extras, const Profile& steps, Window window, NodeFree& out) const {
  const auto worst_at = [&](Time t) {
    Load load;
    for (const Extra& e : extras)
      if (e.window.from <= t && e.window.to > t) load.add(e.booking);
    const NodeFree& base = free_at(steps, t);
    out.cpus = std::min(out.cpus, base.cpus - load.cpus);
    out.memory = std::min(out.memory, base.memory - load.memory);
    out.tasks = std::max(out.tasks, base.tasks + load.tasks);
    out.exclusive_tasks = std::max(out.exclusive_tasks, base.exclusive_tasks + load.exclusive);
  };
  worst_at(window.from);
  for (const Extra& e : extras) {
    if (!overlap(e.window, window)) continue;
    out.gpus &= ~e.booking.gpu_mask;
    if (e.window.from > window.from) worst_at(e.window.from);
  }
}

NodeFree Timeline::free(NodeId id, Window window) const {
  const auto& extras = extras_[index(id)];
  const NodeFree& present = state_.indexes.node_free[index(id)];
  if (!present.usable) return NodeFree{};
  if (window.from == now_ && extras.empty()) return present;
  const Profile& steps = profile(id);
  NodeFree out = free_at(steps, window.from);
  if (!extras.empty()) add_extras(extras, steps, window, out);
  return out;
}

void Timeline::gpu_rooms(NodeId id, Window window, std::vector<GpuRoom>& rooms) const {
  const Node& node = state_.nodes[index(id)];
  const auto& extras = extras_[index(id)];
  rooms.assign(node.gpus.size(), {});
  if (!state_.indexes.node_free[index(id)].usable) return;
  std::vector<Time> moments{window.from};
  for (const Extra& e : extras)
    if (e.window.from > window.from && e.window.from < window.to) moments.push_back(e.window.from);
  for (std::size_t g = 0; g < node.gpus.size(); ++g) {
    const Gpu& gpu = node.gpus[g];
    if (gpu.health != GpuHealth::ok || gpu.memory <= Mib{}) continue;
    const std::int64_t taken = (gpu.foreign.value() * 1000 + gpu.memory.value() - 1) / gpu.memory.value();
    rooms[g] = {MilliGpu(std::max<std::int64_t>(1000 - taken, 0)), gpu.memory - std::min(gpu.foreign, gpu.memory)};
  }
  std::vector<GpuRoom> most(node.gpus.size());
  for (const Time t : moments) {
    std::vector<GpuRoom> used(node.gpus.size());
    const auto add = [&](const Booking& b) {
      for (const GpuSlice& s : b.gpus) {
        used[static_cast<std::size_t>(s.gpu)].milli += s.milli;
        used[static_cast<std::size_t>(s.gpu)].memory += s.memory;
      }
    };
    for (const Booking& b : state_.indexes.bookings[index(id)])
      if (end_of(b) > t) add(b);
    for (const Extra& e : extras)
      if (e.window.from <= t && e.window.to > t) add(e.booking);
    for (std::size_t g = 0; g < most.size(); ++g) {
      most[g].milli = std::max(most[g].milli, used[g].milli);
      most[g].memory = std::max(most[g].memory, used[g].memory);
    }
  }
  for (std::size_t g = 0; g < rooms.size(); ++g) {
    rooms[g].milli = std::max(rooms[g].milli - most[g].milli, MilliGpu{});
    rooms[g].memory = std::max(rooms[g].memory - most[g].memory, Mib{});
  }
}

Time Timeline::next_release(NodeId id, Time after) const {
  Time next = kForever;
  for (const Booking& b : state_.indexes.bookings[index(id)])
    if (const Time end = end_of(b); end > after) next = std::min(next, end);
  for (const Extra& e : extras_[index(id)])
    if (e.window.to > after) next = std::min(next, e.window.to);
  return next;
}

void Timeline::book(JobId job, const Job& what, const Placement& placement, Window window) {
  if (window.from > now_) ++promises_;
  for (const TaskPlacement& task : placement) {
    Booking b{job,       task.rank,   window.to,
              task.cpus, task.memory, what.spec->groups[static_cast<std::size_t>(task.group)].exclusive,
              0,         task.gpus};
    for (const GpuSlice& s : task.gpus) b.gpu_mask |= std::uint64_t{1} << s.gpu;
    extras_[index(task.node)].push_back({window, std::move(b)});
  }
}

void Timeline::unbook(JobId job, const Placement& placement) {
  for (const TaskPlacement& task : placement)
    std::erase_if(extras_[index(task.node)], [&](const Extra& e) { return e.booking.job == job; });
}

Timeline::Extras Timeline::take_promises(const std::vector<Start>& started) {
  for (const Start& start : started) unbook(start.job, start.placement);
  return std::move(extras_);
}

JobId Timeline::promised(const Placement& placement, Window window) const {
  for (const TaskPlacement& task : placement)
    for (const Extra& e : extras_[index(task.node)])
      if (e.window.from > now_ && overlap(e.window, window)) return e.booking.job;
  return JobId{};
}

Time Timeline::first_promise(NodeId id) const {
  Time first = kForever;
  for (const Extra& e : extras_[index(id)])
    if (e.window.from > now_) first = std::min(first, e.window.from);
  return first;
}

}  // namespace berth
