#include "core/submit.h"

#include <algorithm>

#include "core/decide.h"
#include "core/feasible.h"
#include "core/gates.h"
#include "core/indexes.h"
#include "core/order.h"
#include "core/place.h"

namespace berth {
namespace {

constexpr std::int64_t kMostTasks = 100'000;

Error invalid(std::string message, std::string hint = {}) {
  return {ErrorCode::invalid, std::move(message), std::move(hint)};
}

std::size_t index(QueueId q) { return static_cast<std::size_t>(q.value()); }

std::string leaf_names(const ClusterState& state) {
  std::string names;
  for (const Queue& q : state.queues) {
    if (q.spec.name.empty() || !state.indexes.children[index(q.id)].empty()) continue;
    names += (names.empty() ? "" : ", ") + q.spec.name;
  }
  return names;
}

Result<QueueId> find_queue(const ClusterState& state, const std::string& name) {
  if (state.queues.empty())
    return Error{ErrorCode::conflict, "there are no queues yet", "configure one with [[queue]]"};
  QueueId found = kNoQueue;
  for (const Queue& q : state.queues)
    if (!q.spec.name.empty() && (name.empty() ? q.spec.is_default : q.spec.name == name)) found = q.id;
  if (found == kNoQueue && name.empty())
    return invalid("no queue is named and none is the default", "name one of: " + leaf_names(state));
  if (found == kNoQueue)
    return Error{ErrorCode::not_found, "there is no queue \"" + name + "\"", "queues are: " + leaf_names(state)};
  if (!state.indexes.children[index(found)].empty())
    return invalid(
        "queue \"" + state.queues[index(found)].spec.name + "\" has queues below it and takes no jobs itself",
        "submit to one of: " + leaf_names(state));
  if (const QueueId off = queue_off(state, found); off != kNoQueue)
    return Error{ErrorCode::conflict,
                 "queue \"" + state.queues[index(off)].spec.name + "\" is off: " + state.queues[index(off)].off,
                 "mend it in the configuration, or name another queue"};
  return found;
}

Result<void> check_group(const TaskGroup& g) {
  if (g.count < 1) return invalid("a task group has " + std::to_string(g.count) + " tasks", "ask for 1 or more");
  if (g.max_per_node < 0) return invalid("tasks per node is " + std::to_string(g.max_per_node), "ask for 1 or more");
  if (g.gpus.count < 0 || g.gpus.count > kMaxGpusPerNode)
    return invalid("a task asks for " + std::to_string(g.gpus.count) + " GPUs",
                   "a task runs on one node and takes 0 to " + std::to_string(kMaxGpusPerNode));
  if (g.gpus.milli < MilliGpu{} || g.gpus.milli >= kWholeGpu || (g.gpus.count > 0 && g.gpus.milli > MilliGpu{}))
    return invalid("a share of " + std::to_string(g.gpus.milli.value()) + " milli-GPU",
                   "a share is 1 to 999 of one GPU; whole GPUs are asked for by count");
  if (g.gpus.memory < Mib{} || g.cpus < MilliCpu{} || g.memory < Mib{})
    return invalid("a negative amount is asked for", "amounts are 0 or more");
  return {};
}

Result<void> check_spec(const ClusterState& state, const JobSpec& spec) {
  if (spec.command.empty() == spec.script.empty())
    return invalid(spec.command.empty() ? "there is nothing to run" : "both a command and a script are given",
                   "give one: a command after --, or a script");
  if (spec.groups.empty()) return invalid("the job has no tasks", "ask for at least one");
  std::int64_t tasks = 0;
  for (const TaskGroup& g : spec.groups) {
    if (auto ok = check_group(g); !ok) return ok;
    tasks += g.count;
  }
  if (tasks > kMostTasks)
    return Error{ErrorCode::too_large, "the job has " + std::to_string(tasks) + " tasks",
                 "at most " + std::to_string(kMostTasks)};
  if (std::abs(std::int64_t{spec.priority}) > kMaxPriority)
    return invalid("priority " + std::to_string(spec.priority), "it is between -1000000 and 1000000");
  if (spec.time_limit && *spec.time_limit <= Duration{})
    return invalid("the time limit is not positive", "give one, or none");
  if (spec.interrupt.grace < Duration{}) return invalid("the grace time is negative", "give 0s or more");
  if (spec.retry.attempts < 0) return invalid("a negative number of retries", "give 0 or more");
  if (!spec.array) return {};
  const auto& ix = spec.array->indexes;
  if (ix.empty() || !std::is_sorted(ix.begin(), ix.end()) || std::adjacent_find(ix.begin(), ix.end()) != ix.end())
    return invalid("the array's indexes are not ascending and distinct", "for example 0-9%2");
  if (static_cast<std::int64_t>(ix.size()) > state.policy.max_array_size)
    return Error{ErrorCode::too_large, "the array has " + std::to_string(ix.size()) + " elements",
                 "at most " + std::to_string(state.policy.max_array_size) + " (policy max_array_size)"};
  return {};
}

Result<void> check_dependencies(const ClusterState& state, const JobSpec& spec) {
  for (const Dependency& d : spec.depends) {
    if (state.jobs.contains(d.job) || state.indexes.arrays.contains(d.job)) continue;
    return Error{ErrorCode::not_found,
                 "dependency " + dependency_name(d) + ": there is no job " + std::to_string(d.job.value()),
                 "it never existed, or ended so long ago that it is no longer in memory"};
  }
  return {};
}

Result<void> check_limits(const ClusterState& state, const JobSpec& spec, QueueId leaf) {
  const Resources asked = total_request(state, spec);
  for (QueueId q = leaf; q != kNoQueue; q = state.queues[index(q)].parent) {
    const QueueSpec& s = state.queues[index(q)].spec;
    if (s.max_time_limit && spec.time_limit && *spec.time_limit > *s.max_time_limit)
      return Error{ErrorCode::infeasible, "the time limit is over the longest that queue \"" + s.name + "\" allows",
                   "at most " + std::to_string(s.max_time_limit->ms() / 1000) + "s"};
    if (s.limit && asked.gpu > *s.limit)
      return Error{ErrorCode::infeasible,
                   "the job asks for " + gpus_text(asked.gpu) + ", but queue \"" + s.name +
                       "\" may never hold more than " + gpus_text(*s.limit),
                   "ask for less, or submit to another queue"};
    if ((s.cpu_limit && asked.cpu > *s.cpu_limit) || (s.memory_limit && asked.memory > *s.memory_limit))
      return Error{ErrorCode::infeasible,
                   "the job asks for more CPU or memory than queue \"" + s.name + "\" may ever hold",
                   "ask for less, or submit to another queue"};
  }
  return {};
}

// The fleet with nothing running and everything usable: what does not fit there never will.
ClusterState empty_fleet(const ClusterState& state) {
  ClusterState empty;
  empty.policy = state.policy;
  empty.nodes = state.nodes;
  for (Node& node : empty.nodes) {
    node.state = NodeState::up;
    node.drains.clear();
    for (Gpu& gpu : node.gpus) {
      gpu.health = GpuHealth::ok;
      gpu.foreign = Mib{};
    }
  }
  rebuild_indexes(empty);
  return empty;
}

std::string types_there_are(const ClusterState& state) {
  std::vector<std::string> types;
  for (const NodeKind& kind : state.indexes.kinds)
    for (const std::string& t : kind.gpu_types)
      if (std::find(types.begin(), types.end(), t) == types.end()) types.push_back(t);
  std::string text;
  for (const std::string& t : types) text += (text.empty() ? "" : ", ") + t;
  return text.empty() ? "this fleet has no GPUs" : "GPU types here: " + text;
}

Error never_fits(const ClusterState& fleet, const JobSpec& spec, const Shape& shape, const Candidates& where,
                 Time now) {
  const bool nowhere =
      std::all_of(where.options.begin(), where.options.end(), [](const Option& o) { return o.nodes.empty(); });
  if (nowhere) {
    std::size_t most = 0;
    for (const NodeKind& kind : fleet.indexes.kinds) most = std::max(most, kind.gpu_types.size());
    return {ErrorCode::infeasible, "no node here has what one task asks for, even when it is empty",
            types_there_are(fleet) + "; the largest node has " + std::to_string(most) + " GPUs"};
  }
  const Timeline timeline(fleet, now);
  std::string hint;
  for (std::size_t g = 0; g < shape.groups.size(); ++g) {
    std::int64_t tasks = 0;
    for (const Option& o : where.options)
      tasks = std::max(tasks, room_for(timeline, shape, g, o, {now, kForever}).tasks);
    if (tasks >= shape.groups[g].count) continue;
    return {ErrorCode::infeasible,
            std::to_string(shape.groups[g].count) + " tasks of " + gpus_text(kWholeGpu * shape.groups[g].gpus.count) +
                " each do not fit, even when everything is empty",
            "at most " + std::to_string(tasks) + " such tasks fit here"};
  }
  return {
      ErrorCode::infeasible,
      "the " + std::to_string(spec.groups.size()) + " task groups do not fit together, even when everything is empty",
      "each fits alone; ask for less in one of them"};
}

Result<void> check_fits(const ClusterState& state, const JobSpec& spec, Time now, std::vector<std::string>& notes) {
  if (state.nodes.empty()) {
    notes.push_back("no nodes are known yet; whether the job can ever fit was not checked");
    return {};
  }
  const Shape shape = shape_of(spec);
  if (state.indexes.shapes.contains(shape)) return {};  // one like it was let in before
  const ClusterState fleet = empty_fleet(state);
  const Candidates where = candidates(fleet, shape);
  if (place(Timeline(fleet, now), shape, where, {now, kForever})) return {};
  return never_fits(fleet, spec, shape, where, now);
}

}  // namespace

std::string gpus_text(MilliGpu amount) {
  const std::int64_t whole = amount.value() / 1000, part = amount.value() % 1000;
  std::string text = std::to_string(whole);
  if (part != 0) {
    std::string digits = std::to_string(1000 + part).substr(1);
    while (digits.back() == '0') digits.pop_back();
    text += "." + digits;
  }
  return text + (amount == kWholeGpu || (whole == 0 && part > 0) ? " GPU" : " GPUs");
}

Result<Admission> admit(const ClusterState& state, const JobSpec& spec, Time now) {
  if (auto ok = check_spec(state, spec); !ok) return ok.error();
  auto queue = find_queue(state, spec.queue);
  if (!queue) return queue.error();
  if (auto ok = check_dependencies(state, spec); !ok) return ok.error();
  if (auto ok = check_limits(state, spec, *queue); !ok) return ok.error();
  const std::int64_t count = spec.array ? static_cast<std::int64_t>(spec.array->indexes.size()) : 1;
  if (state.indexes.pending_count + count > state.policy.max_jobs)
    return Error{
        ErrorCode::exhausted, "there are " + std::to_string(state.indexes.pending_count) + " pending jobs already",
        "at most " + std::to_string(state.policy.max_jobs) + " (policy max_jobs); try again when some have run"};
  Admission admission{*queue, {}};
  if (auto ok = check_fits(state, spec, now, admission.notes); !ok) return ok.error();
  const bool share =
      std::any_of(spec.groups.begin(), spec.groups.end(), [](const TaskGroup& g) { return g.gpus.is_share(); });
  if (share)
    admission.notes.push_back(
        "a share of a GPU is booked, not enforced: the program must keep to its part of the memory itself");
  return admission;
}

}  // namespace berth
