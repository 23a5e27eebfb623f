// What people and programs are shown: JSON made from one consistent (ClusterState, Plan). The HTTP API sends it, the
// CLI prints it as tables. Field names are stable: fields are added, never renamed. All fields are always there; what
// does not apply is null. Times are milliseconds since the epoch (UTC), spans *_ms, GPU amounts *_milli, memory *_mib.
//
// The results are Boost.JSON values: include <boost/json.hpp> in the .cc that handles them, or use only to_text() of
// wire/json_document.h. All functions are pure and expect the state's indexes to be built; call them under View::read
// or on a copy.
#pragma once

#include <boost/json/fwd.hpp>
#include <map>
#include <string>

#include "base/time.h"
#include "model/hold.h"
#include "model/plan.h"
#include "model/state.h"

namespace berth {

// Finds what a plan says about a job without searching: build once per listing. The plan must outlive it.
class PlanIndex {
 public:
  PlanIndex() = default;  // of an empty plan
  explicit PlanIndex(const Plan& plan);
  const Start* start(JobId job) const;
  const Reservation* reservation(JobId job) const;
  const Held* held(JobId job) const;
  const std::map<JobId, const Reservation*>& reservations() const { return reservations_; }

 private:
  std::map<JobId, const Start*> starts_;
  std::map<JobId, const Reservation*> reservations_;
  std::map<JobId, const Held*> holds_;
};

// "12", or "12_3" for element 3 of array 12.
std::string display_id(const Job& job);

// One line of `berth jobs`:
//   id (int), display_id (string), array_first, array_index (int or null), name, user, queue (names), class,
//   state, priority (the job's and its queue's together), held_by (or null),
//   submitted_ms, eligible_ms, started_ms, ended_ms (or null), elapsed_ms (of the newest attempt; 0 before),
//   time_limit_ms (that of the attempt, of the job, or the queue's default; null: none), ends_by_ms (or null),
//   tasks (int), gpus_milli (asked for; held, once placed), gpu_memory_mib (share asked by memory, per task; else 0),
//   cpus_milli, memory_mib (asked for, over all tasks), gpu_types [names in order of preference],
//   nodes [names, distinct, by rank], gpus ["node/index", distinct],
//   reason (stable name of the first hold reason, or null), reason_text (words for people; of an ended job: why it
//   ended),
//   expected_start_ms (or null), expected_exact (bool: a reservation on the timeline), backfilled (bool),
//   attempt, retries (int), exit_code, exit_signal (or null while none has ended)
// `now` is only for elapsed_ms.
boost::json::object job_row(const ClusterState& state, const PlanIndex& plan, const Job& job, Time now);

// job_row and: spec {JobSpec, every field, as in wire/job_json.h}, reason_detail (why it ended or was put back),
//   launch_failures, allocation (or null): {attempt, phase, placed_ms, started_ms, ends_by_ms, cause, stop_deadline_ms,
//   tasks [{rank, group, node, cpus_milli, memory_mib, gpus [{index, uuid, type, milli, memory_mib, is_virtual}]}]},
//   reservation (or null): {at_ms, nodes [names], gpus ["node/index"]}
boost::json::object job_detail(const ClusterState& state, const PlanIndex& plan, const Job& job, Time now);

// One line of `berth nodes`:
//   id, name, state (up, down, unknown), usable (bool), drains [{owner, reason}], features [strings],
//   gpus, gpus_ok (counts), gpus_milli, gpus_held_milli, cpus_milli, cpus_held_milli, memory_mib, memory_held_mib,
//   gpu_types [{type, count}], is_virtual (bool: it has virtual GPUs), jobs [ids that hold something here],
//   launch_failures (int: of so many different jobs since one worked)
boost::json::object node_row(const ClusterState& state, const Node& node);

// One line of `berth gpus`:
//   node, index, uuid, type, health, detail (or null), is_virtual, memory_mib, foreign_mib, held_milli,
//   held_memory_mib, free_milli, holders [{job, display_id, user, rank, milli, memory_mib}],
//   reserved [{job, at_ms}] (promised to, by time)
boost::json::object gpu_row(const ClusterState& state, const PlanIndex& plan, const Node& node, std::int32_t index);

// One line of `berth queues`:
//   id, name, parent (or null), depth (0: a root), is_default, off (why, or null), weight, priority,
//   quota_milli, limit_milli, cpu_limit_milli, memory_limit_mib, max_running_jobs, default_time_limit_ms,
//   max_time_limit_ms (each or null), held_gpus_milli, held_cpus_milli, held_memory_mib, running (active jobs, its
//   own and below), pending (of its own),
//   usage_gpu_hours_milli (weighted, with half-life, as of usage_as_of_ms), usage_as_of_ms
boost::json::object queue_row(const ClusterState& state, const Queue& queue);

// All of them: nodes and gpus by name, then index; queues as a tree, parents before children, brothers by name; removed
// queues are left out.
boost::json::array node_rows(const ClusterState& state);
boost::json::array gpu_rows(const ClusterState& state, const PlanIndex& plan);
boost::json::array queue_rows(const ClusterState& state);

// `berth plan`: at_ms, version, next_wake_ms (or null),
//   starts [{job, display_id, name, queue, user, nodes, gpus, backfilled}],
//   running [{job, ..., nodes, gpus, phase, started_ms (or null), ends_by_ms (or null)}] by their end,
//   reservations [{job, display_id, name, queue, user, at_ms, nodes, gpus, reason, reason_text}] by time,
//   holds [{job, display_id, name, queue, user, reason, reason_text, expected_start_ms (or null)}] in the plan's order,
//   at most `max_holds` of them, holds_total (int)
boost::json::object plan_view(const ClusterState& state, const Plan& plan, std::size_t max_holds);

// `berth why`: job, display_id, state, name, queue, user,
//   blockers [{reason, subject, unit, want, have, limit (or null), until_ms (or null), detail, text}],
//   expected_start_ms (or null), expected_exact, fixes [strings]
boost::json::object explanation_view(const ClusterState& state, const Explanation& explanation);

}  // namespace berth
