// PlanIndex, and the views of a job: its line and its details.
#include "wire/view_json.h"

#include <algorithm>
#include <boost/json.hpp>

#include "wire/job_json.h"
#include "wire/json_document.h"
#include "wire/names.h"
#include "wire/view_parts.h"

namespace berth {
namespace {

namespace json = boost::json;

template <class T>
const T* find(const std::map<JobId, const T*>& map, JobId job) {
  const auto found = map.find(job);
  return found == map.end() ? nullptr : found->second;
}

const Allocation* allocation_of(const ClusterState& state, const Job& job) {
  const auto found = state.allocations.find(job.id);
  return found == state.allocations.end() ? nullptr : &found->second;
}

const Queue* queue_of(const ClusterState& state, QueueId id) {
  const auto i = static_cast<std::size_t>(id.value());
  return id.value() >= 0 && i < state.queues.size() ? &state.queues[i] : nullptr;
}

// The job's own limit, or the nearest default in its queues.
Duration limit_of(const ClusterState& state, const Job& job) {
  if (job.spec->time_limit) return *job.spec->time_limit;
  for (const Queue* q = queue_of(state, job.queue); q; q = queue_of(state, q->parent)) {
    if (q->spec.default_time_limit) return *q->spec.default_time_limit;
  }
  return kUnlimited;
}

Duration elapsed_of(const Job& job, Time now) {
  if (job.started == Time{}) return Duration{};
  const Time until = is_ended(job.state) ? job.ended : is_active(job.state) ? now : job.started;
  return std::max(Duration{}, until - job.started);
}

struct Asked {
  std::int64_t tasks = 0;
  Resources total;
  Mib share;  // of GPU memory, of the first group that asks by it
};

Asked asked(const JobSpec& spec) {
  Asked sum;
  for (const TaskGroup& group : spec.groups) {
    sum.tasks += group.count;
    const MilliGpu each = group.gpus.count > 0 ? kWholeGpu * group.gpus.count : group.gpus.milli;
    sum.total.gpu += each * group.count;
    sum.total.cpu += group.cpus * group.count;
    sum.total.memory += group.memory * group.count;
    if (group.gpus.count == 0 && sum.share == Mib{}) sum.share = group.gpus.memory;
  }
  return sum;
}

MilliGpu held_gpus(const Placement& placement) {
  MilliGpu sum;
  for (const TaskPlacement& task : placement) {
    for (const GpuSlice& slice : task.gpus) sum += slice.milli;
  }
  return sum;
}

std::string end_text(const Job& job) {
  if (!job.reason.empty()) return clean_text(job.reason);
  if (job.state == JobState::failed) return "exit code " + std::to_string(job.exit.code);
  return "";
}

void add_identity(const ClusterState& state, const Job& job, json::object& row) {
  const Queue* queue = queue_of(state, job.queue);
  row["id"] = job.id.value();
  row["display_id"] = display_id(job);
  row["array_first"] = job.array ? json::value(job.array->first.value()) : nullptr;
  row["array_index"] = job.array ? json::value(job.array->index) : nullptr;
  row["name"] = shown_text(job.spec->name);
  row["user"] = shown_text(job.spec->user);
  row["queue"] = text_or_null(queue_name(state, job.queue));
  row["class"] = name_of(job.spec->job_class);
  row["state"] = name_of(job.state);
  row["priority"] = std::int64_t{job.spec->priority} + (queue ? queue->spec.priority : 0);
  row["held_by"] = text_or_null(job.held_by);
}

void add_times(const ClusterState& state, const Job& job, Time now, json::object& row) {
  const Allocation* allocation = allocation_of(state, job);
  row["submitted_ms"] = job.submitted.ms();
  row["eligible_ms"] = time_or_null(job.eligible);
  row["started_ms"] = time_or_null(job.started);
  row["ended_ms"] = time_or_null(job.ended);
  row["elapsed_ms"] = elapsed_of(job, now).ms();
  row["time_limit_ms"] = duration_or_null(limit_of(state, job));
  row["ends_by_ms"] = allocation ? time_or_null(allocation->ends_by) : nullptr;
}

void add_resources(const ClusterState& state, const Job& job, json::object& row) {
  const Allocation* allocation = allocation_of(state, job);
  const Asked sum = asked(*job.spec);
  json::array types;
  for (const GpuTypePreference& type : job.spec->gpu_types) types.emplace_back(shown_text(type.type));
  row["tasks"] = sum.tasks;
  row["gpus_milli"] = allocation ? held_gpus(allocation->placement).value() : sum.total.gpu.value();
  row["gpu_memory_mib"] = sum.share.value();
  row["cpus_milli"] = sum.total.cpu.value();
  row["memory_mib"] = sum.total.memory.value();
  row["gpu_types"] = std::move(types);
  row["nodes"] = allocation ? nodes_of(state, allocation->placement) : json::array();
  row["gpus"] = allocation ? gpus_of(state, allocation->placement) : json::array();
}

void add_reason(const ClusterState& state, const PlanIndex& plan, const Job& job, json::object& row) {
  const bool pending = job.state == JobState::pending;
  const Reservation* reservation = pending ? plan.reservation(job.id) : nullptr;
  const Held* held = pending ? plan.held(job.id) : nullptr;
  const Start* start = plan.start(job.id);
  row["reason"] = nullptr;
  row["reason_text"] = pending ? "" : end_text(job);
  row["expected_start_ms"] = nullptr;
  row["expected_exact"] = false;
  row["backfilled"] = start && start->backfilled;
  if (!reservation && !held) return;
  const WaitingView why = reservation ? waiting(state, *reservation) : waiting(state, *held);
  row["reason"] = name_of(why.reason);
  row["reason_text"] = why.text;
  row["expected_start_ms"] = time_or_null(why.expected);
  row["expected_exact"] = why.exact;
}

void add_outcome(const Job& job, json::object& row) {
  const bool known = is_ended(job.state) && job.attempt > 0;
  row["attempt"] = job.attempt;
  row["retries"] = job.retries;
  row["exit_code"] = known ? json::value(job.exit.code) : nullptr;
  row["exit_signal"] = known && job.exit.signal != 0 ? json::value(job.exit.signal) : nullptr;
}

json::value task_view(const ClusterState& state, const TaskPlacement& task) {
  json::array gpus;
  for (const GpuSlice& slice : task.gpus) {
    const auto node = static_cast<std::size_t>(task.node.value());
    const auto index = static_cast<std::size_t>(slice.gpu);
    const bool known = node < state.nodes.size() && index < state.nodes[node].gpus.size();
    const Gpu gpu = known ? state.nodes[node].gpus[index] : Gpu{};
    gpus.push_back({{"index", slice.gpu},
                    {"uuid", shown_text(gpu.uuid)},
                    {"type", shown_text(gpu.type)},
                    {"milli", slice.milli.value()},
                    {"memory_mib", slice.memory.value()},
                    {"is_virtual", gpu.is_virtual}});
  }
  return {{"rank", task.rank},
          {"group", task.group},
          {"node", node_name(state, task.node)},
          {"cpus_milli", task.cpus.value()},
          {"memory_mib", task.memory.value()},
          {"gpus", std::move(gpus)}};
}

json::value allocation_view(const ClusterState& state, const Allocation* allocation) {
  if (!allocation) return nullptr;
  json::array tasks;
  for (const TaskPlacement& task : allocation->placement) tasks.push_back(task_view(state, task));
  return {{"attempt", allocation->key.attempt},
          {"phase", name_of(allocation->phase)},
          {"placed_ms", allocation->placed.ms()},
          {"started_ms", time_or_null(allocation->started)},
          {"ends_by_ms", time_or_null(allocation->ends_by)},
          {"cause", name_of(allocation->cause)},
          {"stop_deadline_ms", time_or_null(allocation->stop_deadline)},
          {"tasks", std::move(tasks)}};
}

}  // namespace

PlanIndex::PlanIndex(const Plan& plan) {
  for (const Start& start : plan.starts) starts_.emplace(start.job, &start);
  for (const Reservation& reservation : plan.reservations) reservations_.emplace(reservation.job, &reservation);
  for (const Held& held : plan.holds) holds_.emplace(held.job, &held);
}

const Start* PlanIndex::start(JobId job) const { return find(starts_, job); }
const Reservation* PlanIndex::reservation(JobId job) const { return find(reservations_, job); }
const Held* PlanIndex::held(JobId job) const { return find(holds_, job); }

std::string display_id(const Job& job) {
  if (!job.array) return std::to_string(job.id.value());
  return std::to_string(job.array->first.value()) + "_" + std::to_string(job.array->index);
}

json::object job_row(const ClusterState& state, const PlanIndex& plan, const Job& job, Time now) {
  json::object row;
  row.reserve(40);
  add_identity(state, job, row);
  add_times(state, job, now, row);
  add_resources(state, job, row);
  add_reason(state, plan, job, row);
  add_outcome(job, row);
  return row;
}

json::object job_detail(const ClusterState& state, const PlanIndex& plan, const Job& job, Time now) {
  json::object row = job_row(state, plan, job, now);
  const Reservation* reservation = plan.reservation(job.id);
  row["spec"] = job_spec_shown(*job.spec);
  row["reason_detail"] = shown_text(job.reason);
  row["launch_failures"] = job.launch_failures;
  row["allocation"] = allocation_view(state, allocation_of(state, job));
  row["reservation"] = nullptr;
  if (reservation && job.state == JobState::pending) {
    row["reservation"] = {{"at_ms", reservation->at.ms()},
                          {"nodes", nodes_of(state, reservation->placement)},
                          {"gpus", gpus_of(state, reservation->placement)}};
  }
  return row;
}

}  // namespace berth
