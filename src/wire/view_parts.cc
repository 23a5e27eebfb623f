#include "wire/view_parts.h"

#include <algorithm>
#include <vector>

#include "wire/json_document.h"
#include "wire/names.h"
#include "wire/text.h"
#include "wire/utf8.h"
#include "wire/view_json.h"

namespace berth {
namespace {

namespace json = boost::json;

template <class T>
void add_distinct(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

// "afterok:12, after:13": all that it names; the plan does not say which is the one that is still open.
std::string dependencies_of(const JobSpec& spec) {
  std::string names;
  for (const Dependency& d : spec.depends) {
    names += (names.empty() ? "" : ", ") + std::string(name_of(d.kind)) + ":" + std::to_string(d.job.value());
  }
  return names;
}

Blocker blocker_of(const ClusterState& state, JobId id, HoldReason reason, JobId subject, QueueId queue) {
  Blocker blocker;
  blocker.reason = reason;
  if (subject != JobId{}) blocker.subject = job_name(state, subject);
  const bool about_queue = reason == HoldReason::queue_off || reason == HoldReason::queue_limit;
  if (about_queue && queue != kNoQueue) blocker.subject = queue_name(state, queue);
  const auto job = state.jobs.find(id);
  if (job == state.jobs.end()) return blocker;
  if (reason == HoldReason::user_hold) blocker.subject = job->second.held_by;
  if (reason == HoldReason::begin_time || reason == HoldReason::backoff) blocker.until = job->second.eligible;
  if (reason == HoldReason::backoff) blocker.subject = job->second.reason;
  if (reason == HoldReason::dependency || reason == HoldReason::dependency_never)
    blocker.subject = dependencies_of(*job->second.spec);
  return blocker;
}

// to_text() less the sentences that need numbers.
std::string short_text(const ClusterState& state, JobId id, const Blocker& blocker) {
  switch (blocker.reason) {
    case HoldReason::queue_limit:
      return "queue " + blocker.subject + " is at its limit";
    case HoldReason::never_fits:
      return "it can never fit";
    case HoldReason::no_usable_node:
      return "nodes that would do cannot be used now";
    case HoldReason::array_throttle: {
      const auto job = state.jobs.find(id);
      const bool known = job != state.jobs.end() && job->second.array;
      return "its array runs " + (known ? std::to_string(job->second.array->throttle) : "no more") + " at once";
    }
    default:
      return to_text(blocker);
  }
}

WaitingView waits(const ClusterState& state, JobId id, const Blocker& blocker, Time expected, bool exact) {
  return {blocker.reason, clean_text(short_text(state, id, blocker)), expected, exact};
}

}  // namespace

json::value time_or_null(Time at) {
  if (at == kForever || at == Time{}) return nullptr;
  return at.ms();
}

json::value duration_or_null(Duration span) {
  if (span == kUnlimited) return nullptr;
  return span.ms();
}

json::value text_or_null(std::string_view text) {
  if (text.empty()) return nullptr;
  return shown_text(text);
}

json::string shown_text(std::string_view text) {
  if (is_utf8_without_nul(text)) return json::string(text);
  return json::string(clean_text(text));
}

std::string node_name(const ClusterState& state, NodeId id) {
  const auto i = static_cast<std::size_t>(id.value());
  return id.value() >= 0 && i < state.nodes.size() ? clean_text(state.nodes[i].name) : "?";
}

std::string queue_name(const ClusterState& state, QueueId id) {
  const auto i = static_cast<std::size_t>(id.value());
  return id.value() >= 0 && i < state.queues.size() ? clean_text(state.queues[i].spec.name) : "";
}

std::string job_name(const ClusterState& state, JobId id) {
  const auto job = state.jobs.find(id);
  return job == state.jobs.end() ? std::to_string(id.value()) : display_id(job->second);
}

json::array nodes_of(const ClusterState& state, const Placement& placement) {
  std::vector<NodeId> nodes;
  for (const TaskPlacement& task : placement) {
    if (nodes.empty() || nodes.back() != task.node) add_distinct(nodes, task.node);
  }
  json::array names;
  for (const NodeId node : nodes) names.emplace_back(node_name(state, node));
  return names;
}

json::array gpus_of(const ClusterState& state, const Placement& placement) {
  std::vector<std::pair<NodeId, std::int32_t>> gpus;
  for (const TaskPlacement& task : placement) {
    for (const GpuSlice& slice : task.gpus) add_distinct(gpus, {task.node, slice.gpu});
  }
  json::array names;
  for (const auto& [node, gpu] : gpus) names.emplace_back(node_name(state, node) + "/" + std::to_string(gpu));
  return names;
}

WaitingView waiting(const ClusterState& state, const Reservation& r) {
  return waits(state, r.job, blocker_of(state, r.job, r.reason, r.subject, kNoQueue), r.at, true);
}

WaitingView waiting(const ClusterState& state, const Held& h) {
  return waits(state, h.job, blocker_of(state, h.job, h.reason, h.subject, h.queue), h.expected, false);
}

json::object job_head(const ClusterState& state, JobId id) {
  const auto found = state.jobs.find(id);
  if (found == state.jobs.end()) {
    return {{"job", id.value()},
            {"display_id", std::to_string(id.value())},
            {"name", nullptr},
            {"queue", nullptr},
            {"user", nullptr}};
  }
  const Job& job = found->second;
  return {{"job", id.value()},
          {"display_id", display_id(job)},
          {"name", shown_text(job.spec->name)},
          {"queue", text_or_null(queue_name(state, job.queue))},
          {"user", shown_text(job.spec->user)}};
}

}  // namespace berth
