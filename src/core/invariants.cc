// The rules of the design, section 5, as far as they can be seen in one state; and that indexes follow from the rows.
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/decide.h"

namespace berth {
namespace {

using Faults = std::vector<std::string>;

std::string name(JobId id) { return "job " + std::to_string(id.value()); }

void check_jobs(const ClusterState& state, Faults& out) {
  for (const auto& [id, job] : state.jobs) {
    const bool holds = state.allocations.contains(id);
    if (id != job.id || id >= state.next_job) out.push_back(name(id) + " has a wrong id");
    if (!job.spec) out.push_back(name(id) + " has no spec");
    if (is_active(job.state) != holds)
      out.push_back(name(id) + " is active without an allocation, or the other way round");
    if (job.queue.value() < 0 || static_cast<std::size_t>(job.queue.value()) >= state.queues.size())
      out.push_back(name(id) + " is in no queue");
    if (is_ended(job.state) != (job.ended > Time{}))
      out.push_back(name(id) + " ended without a time, or the other way round");
  }
}

void check_allocations(const ClusterState& state, Faults& out) {
  for (const auto& [id, a] : state.allocations) {
    const auto job = state.jobs.find(id);
    if (job == state.jobs.end()) {
      out.push_back("an allocation of " + name(id) + ", which is not there");
      continue;
    }
    if (a.key.attempt != job->second.attempt) out.push_back(name(id) + " holds for an attempt that is not its newest");
    std::size_t tasks = 0;
    for (const TaskGroup& g : job->second.spec->groups) tasks += static_cast<std::size_t>(g.count);
    if (tasks != a.placement.size()) out.push_back(name(id) + " is a gang that is not whole");
  }
}

void check_nodes(const ClusterState& state, Faults& out) {
  for (const Node& node : state.nodes) {
    const NodeUse& use = state.indexes.node_use[static_cast<std::size_t>(node.id.value())];
    if (use.cpus > node.cpus) out.push_back(node.name + " gives out more cores than it has");
    if (use.memory > node.memory) out.push_back(node.name + " gives out more memory than it has");
    if (use.exclusive_tasks > 0) {
      const auto& bookings = state.indexes.bookings[static_cast<std::size_t>(node.id.value())];
      for (const Booking& b : bookings)
        if (b.job != bookings.front().job) out.push_back(node.name + " is shared though a job has it for itself");
    }
    for (std::size_t g = 0; g < node.gpus.size(); ++g)
      if (use.gpus[g].milli > kWholeGpu || use.gpus[g].memory > node.gpus[g].memory)
        out.push_back(node.name + " gives GPU " + std::to_string(g) + " out twice");
  }
}

// Ids of shapes differ with the order in which shapes came.
auto groups_by_shape(const Indexes& ix) {
  std::map<std::tuple<Shape, std::int32_t, QueueId>, std::set<PendingKey>> out;
  for (const auto& [group, keys] : ix.pending_groups)
    out[{*ix.shape_by_id[static_cast<std::size_t>(group.shape)], group.octave, group.queue}] = keys;
  return out;
}

void compare_indexes(const ClusterState& state, Faults& out) {
  ClusterState again = state;
  rebuild_indexes(again);
  const Indexes& a = state.indexes;
  const Indexes& b = again.indexes;
  const auto check = [&](bool same, const char* what) {
    if (!same) out.push_back(std::string("the index of ") + what + " does not follow from the rows");
  };
  check(a.node_use == b.node_use, "what nodes give out");
  check(a.node_free == b.node_free, "what is free on nodes");
  check(a.bookings == b.bookings, "bookings");
  check(a.queue_use == b.queue_use, "what queues hold");
  check(a.children == b.children && a.roots == b.roots, "the queue tree");
  check(a.pending_count == b.pending_count, "the number of pending jobs");
  bool same = a.pending.size() == b.pending.size();
  for (std::size_t q = 0; same && q < a.pending.size(); ++q) {
    same = a.pending[q].size() == b.pending[q].size();
    for (auto i = a.pending[q].begin(), j = b.pending[q].begin(); same && i != a.pending[q].end(); ++i, ++j) {
      const PendingInfo &x = i->second, &y = j->second;
      same = i->first == j->first && x.gated == y.gated && x.limit == y.limit && x.total == y.total &&
             *a.shape_by_id[static_cast<std::size_t>(x.shape)] == *b.shape_by_id[static_cast<std::size_t>(y.shape)];
    }
  }
  check(same, "pending jobs");
  check(groups_by_shape(a) == groups_by_shape(b), "groups of pending jobs");
  check(a.limits == b.limits && a.warnings == b.warnings && a.stop_deadlines == b.stop_deadlines, "timers");
  check(a.ended == b.ended, "ended jobs");
  check(a.dependents == b.dependents && a.settled == b.settled, "dependents");
  check(a.namesakes == b.namesakes, "names");
  check(a.arrays == b.arrays && a.array_active == b.array_active, "arrays");
}

void check_limits(const ClusterState& state, Faults& out) {
  for (const Queue& queue : state.queues) {
    const QueueUse& use = state.indexes.queue_use[static_cast<std::size_t>(queue.id.value())];
    if (use.jobs < 0 || use.held.gpu < MilliGpu{} || use.held.cpu < MilliCpu{} || use.held.memory < Mib{})
      out.push_back("queue " + queue.spec.name + " holds less than nothing");
  }
}

}  // namespace

std::vector<std::string> broken_invariants(const ClusterState& state) {
  Faults out;
  check_jobs(state, out);
  if (!out.empty()) return out;
  check_allocations(state, out);
  check_nodes(state, out);
  check_limits(state, out);
  compare_indexes(state, out);
  return out;
}

}  // namespace berth
