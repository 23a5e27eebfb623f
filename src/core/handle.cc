// Commands as facts, or why not. Nothing here changes state.
#include <algorithm>

#include "core/configure.h"
#include "core/decide.h"
#include "core/submit.h"

namespace berth {
namespace {

constexpr const char* kAdmin = "admin";  // owner of drains by hand
constexpr const char* kBlame = "berth";  // owner of drains after failed launches

Result<const Job*> find_job(const ClusterState& state, JobId id) {
  const auto it = state.jobs.find(id);
  if (it != state.jobs.end()) return &it->second;
  const std::string name = std::to_string(id.value());
  if (id.value() > 0 && id < state.next_job)
    return Error{ErrorCode::conflict, "job " + name + " ended some time ago", "see: berth show " + name};
  return Error{ErrorCode::not_found, "there is no job " + name, "see: berth queue"};
}

// The job itself, or all elements of the array that it is the first of.
Result<std::vector<const Job*>> named(const ClusterState& state, JobId id, bool all_elements) {
  std::vector<const Job*> jobs;
  const auto array = state.indexes.arrays.find(id);
  if (all_elements && array != state.indexes.arrays.end()) {
    for (const JobId element : array->second) jobs.push_back(&state.jobs.at(element));
    return jobs;
  }
  auto job = find_job(state, id);
  if (!job) return job.error();
  jobs.push_back(*job);
  return jobs;
}

std::string state_word(JobState s) {
  static constexpr const char* kWords[] = {"pending",   "starting", "running",   "stopping",
                                           "completed", "failed",   "cancelled", "timeout"};
  return kWords[static_cast<int>(s)];
}

Error wrong_state(const Job& job, const std::string& what, std::string hint) {
  return {ErrorCode::conflict,
          "job " + std::to_string(job.id.value()) + " is " + state_word(job.state) + " and cannot be " + what,
          std::move(hint)};
}

Result<Handled> on(const ClusterState& state, const std::string&, const command::Submit& c, Time now) {
  auto admitted = admit(state, *c.spec, now);
  if (!admitted) return admitted.error();
  Handled out;
  out.events.push_back({now, event::JobSubmitted{state.next_job, admitted->queue, c.spec}});
  const std::size_t count = c.spec->array ? c.spec->array->indexes.size() : 1;
  for (std::size_t i = 0; i < count; ++i)
    out.answer.jobs.push_back(JobId(state.next_job.value() + static_cast<std::int64_t>(i)));
  out.answer.notes = std::move(admitted->notes);
  return out;
}

Result<Handled> on(const ClusterState& state, const std::string& user, const command::Cancel& c, Time now) {
  auto jobs = named(state, c.job, c.all_elements);
  if (!jobs) return jobs.error();
  Handled out;
  for (const Job* job : *jobs) {
    if (is_ended(job->state)) continue;
    out.answer.jobs.push_back(job->id);
    const std::string why = "cancelled by " + user;
    if (job->state == JobState::pending) {
      out.events.push_back({now, event::JobEnded{job->id, JobState::cancelled, why}});
      continue;
    }
    const Allocation& a = state.allocations.at(job->id);
    const Time deadline = now + job->spec->interrupt.grace;
    const bool sooner = a.phase != AllocationPhase::stopping || a.cause != StopCause::user;
    if (sooner) out.events.push_back({now, event::AttemptStopping{a.key, StopCause::user, deadline, why}});
  }
  if (out.answer.jobs.empty()) return wrong_state(*jobs->front(), "cancelled", "it has ended already");
  return out;
}

Result<Handled> on(const ClusterState& state, const std::string& user, const command::Hold& c, Time now) {
  auto jobs = named(state, c.job, c.all_elements);
  if (!jobs) return jobs.error();
  Handled out;
  for (const Job* job : *jobs) {
    if (job->state != JobState::pending) continue;
    out.answer.jobs.push_back(job->id);
    if (job->held_by.empty()) out.events.push_back({now, event::JobHeld{job->id, user}});
  }
  if (out.answer.jobs.empty())
    return wrong_state(*jobs->front(), "held",
                       is_ended(jobs->front()->state) ? "it has ended already" : "cancel or requeue it instead");
  return out;
}

Result<Handled> on(const ClusterState& state, const std::string&, const command::Release& c, Time now) {
  auto jobs = named(state, c.job, c.all_elements);
  if (!jobs) return jobs.error();
  Handled out;
  for (const Job* job : *jobs) {
    if (job->state != JobState::pending) continue;
    out.answer.jobs.push_back(job->id);
    if (!job->held_by.empty()) out.events.push_back({now, event::JobReleased{job->id}});
  }
  if (out.answer.jobs.empty()) return wrong_state(*jobs->front(), "released", "only a pending job is ever held");
  return out;
}

Result<Handled> on(const ClusterState& state, const std::string& user, const command::Requeue& c, Time now) {
  auto job = find_job(state, c.job);
  if (!job) return job.error();
  if (!is_active((*job)->state))
    return wrong_state(**job, "requeued", is_ended((*job)->state) ? "submit it again" : "it waits already");
  const Allocation& a = state.allocations.at(c.job);
  Handled out;
  out.answer.jobs.push_back(c.job);
  if (a.phase != AllocationPhase::stopping)
    out.events.push_back({now, event::AttemptStopping{a.key, StopCause::requeue, now + (*job)->spec->interrupt.grace,
                                                      "requeued by " + user}});
  return out;
}

Result<const Node*> find_node(const ClusterState& state, const std::string& name) {
  for (const Node& node : state.nodes)
    if (node.name == name) return &node;
  return Error{ErrorCode::not_found, "there is no node \"" + name + "\"", "see: berth nodes"};
}

Result<Handled> on(const ClusterState& state, const std::string& user, const command::Drain& c, Time now) {
  auto node = find_node(state, c.node);
  if (!node) return node.error();
  Handled out;
  const std::string reason = (c.reason.empty() ? "no reason given" : c.reason) + " (" + user + ")";
  out.events.push_back({now, event::NodeDrained{(*node)->id, kAdmin, reason}});
  out.answer.notes.push_back("running jobs stay; nothing new starts on " + c.node);
  return out;
}

// A person may lift what a person set and what berth blamed on the node; other owners lift their own.
Result<Handled> on(const ClusterState& state, const std::string&, const command::Undrain& c, Time now) {
  auto node = find_node(state, c.node);
  if (!node) return node.error();
  Handled out;
  for (const auto& [owner, reason] : (*node)->drains) {
    if (owner == kAdmin || owner == kBlame)
      out.events.push_back({now, event::NodeUndrained{(*node)->id, owner}});
    else
      out.answer.notes.push_back("still drained by " + owner + ": " + reason);
  }
  if (out.events.empty() && out.answer.notes.empty())
    return Error{ErrorCode::conflict, "node \"" + c.node + "\" is not drained", "see: berth nodes"};
  return out;
}

Result<Handled> on(const ClusterState& state, const std::string&, const command::Configure& c, Time now) {
  return configure(state, c, now);
}

}  // namespace

Result<Handled> handle(const ClusterState& state, const Command& command, Time now) {
  return std::visit([&](const auto& body) { return on(state, command.user, body, now); }, command.body);
}

}  // namespace berth
