#include "core/reserve.h"

#include <algorithm>
#include <queue>

#include "core/place.h"

namespace berth {
namespace {

// A search that tried so many times is given up; the job is then held with an estimate.
constexpr int kMostTries = 2'000;

std::size_t kind_of(const ClusterState& state, NodeId node) {
  return static_cast<std::size_t>(state.indexes.node_kind[static_cast<std::size_t>(node.value())]);
}

}  // namespace

// The first time from `from` on at which one task of the group fits on the node for wanted.length.
Time Reserver::first_fit(const Wanted& wanted, const Option& option, std::size_t group, NodeId node, Time from) const {
  for (Time t = from; t != kForever; t = timeline_.next_release(node, t))
    if (fits_one(timeline_, wanted.shape, group, option, node, {t, t + wanted.length})) return t;
  return kForever;
}

Reserver::Bounds& Reserver::bounds(const Wanted& wanted, std::size_t option_index, std::size_t group) {
  const auto [it, fresh] = bounds_.try_emplace({wanted.shape_id, option_index, group});
  if (!fresh) return it->second;
  const Option& option = wanted.candidates.options[option_index];
  Wanted instant = wanted;
  instant.length = milliseconds(1);
  for (const NodeId node : option.nodes)
    it->second.push_back({first_fit(instant, option, group, node, timeline_.now()), node, timeline_.extras(node)});
  std::stable_sort(it->second.begin(), it->second.end(), [](const Bound& a, const Bound& b) { return a.at < b.at; });
  return it->second;
}

// A node that got promises since may take a task only later.
void Reserver::refresh(const Wanted& wanted, const Option& option, std::size_t group, Bound& bound) const {
  Wanted instant = wanted;
  instant.length = milliseconds(1);
  bound.at = first_fit(instant, option, group, bound.node, bound.at);
  bound.extras = timeline_.extras(bound.node);
}

// Few have moved, and only to later places.
void Reserver::sort_moved(Bounds& list) {
  const auto later = [](const Bound& a, const Bound& b) { return a.at < b.at; };
  for (auto i = list.end() - 1; i != list.begin(); --i) {
    const auto before = i - 1;
    if (i->at >= before->at) continue;
    const Bound moved = *before;
    const auto place = std::lower_bound(i, list.end(), moved, later);
    *std::move(i, place, before) = moved;
  }
}

// The smallest T >= from by which nodes that may hold all tasks of the group have a first fit.
Time Reserver::jump(const Wanted& wanted, std::size_t option_index, std::size_t group, Time from) {
  const Option& option = wanted.candidates.options[option_index];
  const ClusterState& state = timeline_.state();
  struct Fit {
    Time at;
    std::int64_t most;
    bool operator<(const Fit& o) const { return at < o.at; }
  };
  std::priority_queue<Fit> fits;
  std::int64_t sum = 0;
  const std::int64_t count = wanted.shape.groups[group].count;
  Bounds& list = bounds(wanted, option_index, group);
  bool moved = false;
  for (Bound& b : list) {
    if (b.at == kForever || (sum >= count && b.at >= fits.top().at)) break;
    if (b.extras != timeline_.extras(b.node)) {
      const Time before = b.at;
      refresh(wanted, option, group, b);
      moved = moved || b.at != before;
      if (b.at == kForever || (sum >= count && b.at >= fits.top().at)) continue;
    }
    const std::size_t kind = kind_of(state, b.node);
    const Time at = first_fit(wanted, option, group, b.node, std::max(b.at, from));
    if (at == kForever) continue;
    const std::int64_t most =
        tasks_on_empty(state.indexes.kinds[kind], wanted.shape.groups[group], option.gpus[group][kind]);
    fits.push({at, most});
    sum += most;
    while (sum - fits.top().most >= count) {
      sum -= fits.top().most;
      fits.pop();
    }
  }
  if (moved) sort_moved(list);
  return sum >= count ? fits.top().at : kForever;
}

// The nodes that may take a task of some group at that time, in order of id.
std::vector<NodeId> Reserver::ready(const Wanted& wanted, std::size_t option, Time at) {
  std::vector<NodeId> nodes;
  for (std::size_t group = 0; group < wanted.shape.groups.size(); ++group)
    for (const Bound& b : bounds(wanted, option, group)) {
      if (b.at > at) break;
      nodes.push_back(b.node);
    }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Time Reserver::next_release(const Option& option, Time after) const {
  Time next = kForever;
  for (const NodeId node : option.nodes) next = std::min(next, timeline_.next_release(node, after));
  return next;
}

std::optional<Promise> Reserver::earliest_with(const Wanted& wanted, std::size_t option_index, Time give_up) {
  const Option& option = wanted.candidates.options[option_index];
  Time t = std::max(wanted.not_before, timeline_.now() + milliseconds(1));
  Time tried{};
  for (int tries = 0; tries < kMostTries && t < give_up; ++tries) {
    Time next = t;
    for (std::size_t group = 0; group < wanted.shape.groups.size(); ++group)
      next = std::max(next, jump(wanted, option_index, group, t));
    if (next >= give_up) return std::nullopt;
    const Time allowed = limits_.earliest(wanted.queue, wanted.total, {next, next + wanted.length});
    if (allowed != next) {
      t = allowed;
      continue;
    }
    if (next != tried) {
      const std::vector<NodeId> nodes = ready(wanted, option_index, next);
      if (auto placement = place_on(timeline_, wanted.shape, option, nodes, {next, next + wanted.length}))
        return Promise{next, std::move(*placement)};
      tried = next;
    }
    t = next > t ? next : next_release(option, next);
  }
  return std::nullopt;
}

std::optional<Promise> Reserver::earliest(const Wanted& wanted) {
  std::optional<Promise> best;
  for (std::size_t i = 0; i < wanted.candidates.options.size(); ++i) {
    auto found = earliest_with(wanted, i, best ? best->at : kForever);
    if (found) best = std::move(found);
  }
  return best;
}

}  // namespace berth
