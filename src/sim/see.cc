#include <algorithm>
#include <set>

#include "core/decide.h"
#include "sim/expect.h"
#include "sim/scn_values.h"
#include "wire/names.h"
#include "wire/text.h"

namespace berth {
namespace {

using namespace scn;

std::string since_start(Time t) {
  if (t == kForever) return "never";
  return show_span(t - kSimStart);
}

void see_placement(const ClusterState& state, const Placement& placement, Seen& seen) {
  std::set<std::string> nodes;
  std::map<std::string, std::set<std::int32_t>> gpus;
  std::int64_t memory = 0;
  for (const auto& task : placement) {
    const auto& name = state.nodes.at(static_cast<std::size_t>(task.node.value())).name;
    nodes.insert(name);
    for (const auto& slice : task.gpus) gpus[name].insert(slice.gpu);
    memory += task.memory.value();
  }
  auto& on = seen["on"];
  for (const auto& name : nodes) on += (on.empty() ? "" : ",") + name;
  auto& text = seen["gpus"];
  for (const auto& [name, indexes] : gpus) {
    text += (text.empty() ? "" : ";") + name + "/";
    for (const auto index : indexes) text += (index == *indexes.begin() ? "" : ",") + std::to_string(index);
  }
  seen["memory_held"] = show_memory(Mib(memory));
}

void see_allocation(const StoryView& view, const Allocation& allocation, Seen& seen) {
  see_placement(view.world.state(), allocation.placement, seen);
  seen["cause"] = name_of(allocation.cause);
  seen["ends_by"] = since_start(allocation.ends_by);
}

std::string amount_text(const std::string& unit, std::int64_t amount) {
  if (unit == "memory" || unit == "gpu_memory") return show_memory(Mib(amount));
  if (unit == "gpu" || unit == "cpu") return show_milli(amount);
  return std::to_string(amount);
}

// Ids in a subject as the names of the story: "afterok:3" is "afterok:first".
std::string subject_text(const StoryView& view, const std::string& subject) {
  const auto last = subject.find_last_not_of("0123456789");
  const auto start = last == std::string::npos ? 0 : last + 1;
  if (start == subject.size() || subject.size() - start > 9) return subject;
  const JobId id(std::stoll(subject.substr(start)));
  return view.submits.count(id) ? subject.substr(0, start) + story_name(view, id) : subject;
}

void see_blockers(const StoryView& view, const Explanation& why, Seen& seen) {
  seen["expected"] = since_start(why.expected);
  seen["exact"] = why.exact ? "yes" : "no";
  for (const auto& fix : why.fixes) seen["fix"] += fix + "\n";
  for (const auto& blocker : why.blockers)
    seen["also"] += (seen["also"].empty() ? "" : ",") + std::string(name_of(blocker.reason));
  for (const auto& blocker : why.blockers) seen["why in words"] += "\n        " + to_text(blocker);
  if (why.blockers.empty()) return;
  const auto& first = why.blockers.front();
  seen["subject"] = subject_text(view, first.subject);
  seen["unit"] = first.unit;
  seen["want"] = amount_text(first.unit, first.want);
  seen["have"] = amount_text(first.unit, first.have);
  seen["until"] = first.until == Time{} ? "never" : since_start(first.until);
  seen["detail"] = first.detail;
}

void see_plan(const StoryView& view, JobId id, Seen& seen) {
  const auto& plan = view.world.plan();
  for (const auto& reservation : plan.reservations)
    if (reservation.job == id) {
      seen["reason"] = name_of(reservation.reason);
      seen["reserved_at"] = since_start(reservation.at);
      see_placement(view.world.state(), reservation.placement, seen);
    }
  for (const auto& held : plan.holds)
    if (held.job == id) seen["reason"] = name_of(held.reason);
  see_blockers(view, explain(view.world.state(), plan, id, view.world.now()), seen);
}

std::string signals_text(const World& world, AttemptKey key) {
  std::string text;
  for (const auto number : world.engine().signals_of(key)) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

bool was_backfilled(const World& world, JobId id) {
  bool backfilled = false;
  for (const auto& record : world.store().records())
    if (const auto* placed = std::get_if<event::AttemptPlaced>(&record.event.body))
      if (placed->key.job == id) backfilled = placed->backfilled;
  return backfilled;
}

std::string drains_text(const Node& node) {
  std::string text;
  for (const auto& [owner, reason] : node.drains) text += (text.empty() ? "" : ",") + owner;
  return text.empty() ? "no" : text;
}

}  // namespace

std::string story_name(const StoryView& view, JobId id) {
  const auto submit = view.submits.find(id);
  if (submit == view.submits.end()) return "@" + std::to_string(id.value());
  const auto& ids = view.ids.at(submit->second->name);
  if (!submit->second->spec.array) return submit->second->name;
  const auto at = std::find(ids.begin(), ids.end(), id) - ids.begin();
  return submit->second->name + "[" +
         std::to_string(submit->second->spec.array->indexes.at(static_cast<std::size_t>(at))) + "]";
}

Seen see_job(const StoryView& view, JobId id) {
  Seen seen;
  const auto& state = view.world.state();
  const auto found = state.jobs.find(id);
  if (found == state.jobs.end()) return {{"state", "forgotten"}};
  const auto& job = found->second;
  const AttemptKey key{id, job.attempt};
  seen["state"] = name_of(job.state);
  seen["attempt"] = std::to_string(job.attempt);
  seen["retries"] = std::to_string(job.retries);
  seen["launch_failures"] = std::to_string(job.launch_failures);
  seen["exit"] = std::to_string(job.exit.code);
  seen["signal"] = std::to_string(job.exit.signal);
  seen["started"] = job.started == Time{} ? "never" : since_start(job.started);
  seen["ended"] = job.ended == Time{} ? "never" : since_start(job.ended);
  seen["eligible"] = job.eligible <= kSimStart ? "0s" : since_start(job.eligible);
  seen["held_by"] = job.held_by;
  seen["why"] = job.reason;
  seen["launches"] = std::to_string(view.world.engine().launches_of(id));
  seen["signals"] = signals_text(view.world, key);
  seen["backfilled"] = was_backfilled(view.world, id) ? "yes" : "no";
  const auto allocation = state.allocations.find(id);
  if (allocation != state.allocations.end()) see_allocation(view, allocation->second, seen);
  if (job.state == JobState::pending) see_plan(view, id, seen);
  return seen;
}

Seen see_node(const ClusterState& state, const Node& node) {
  Seen seen;
  const auto& use = state.indexes.node_use.at(static_cast<std::size_t>(node.id.value()));
  std::int64_t free = 0, held = 0, lost = 0, foreign = 0;
  for (std::size_t i = 0; i < node.gpus.size(); ++i) {
    free += node.gpus[i].health == GpuHealth::ok && use.gpus.at(i).milli == MilliGpu{};
    held += use.gpus.at(i).milli.value();
    lost += node.gpus[i].health == GpuHealth::lost;
    foreign += node.gpus[i].foreign.value();
  }
  seen["free"] = std::to_string(free);
  seen["held"] = show_milli(held);
  seen["lost"] = std::to_string(lost);
  seen["gpus"] = std::to_string(node.gpus.size());
  seen["foreign"] = show_memory(Mib(foreign));
  seen["state"] = name_of(node.state);
  seen["drained"] = drains_text(node);
  for (const auto& [owner, reason] : node.drains) seen["why"] += owner + ": " + reason + "\n";
  seen["cpus_held"] = show_milli(use.cpus.value());
  seen["memory_held"] = show_memory(use.memory);
  return seen;
}

Seen see_queue(const ClusterState& state, const Queue& queue) {
  const auto index = static_cast<std::size_t>(queue.id.value());
  const auto& use = state.indexes.queue_use.at(index);
  // Use in whole weighted GPU hours, cut to thousandths.
  const auto hours_milli = queue.usage.gpu / hours(1).ms();
  return {{"held", show_milli(use.held.gpu.value())},
          {"cpus", show_milli(use.held.cpu.value())},
          {"memory", show_memory(use.held.memory)},
          {"jobs", std::to_string(use.jobs)},
          {"off", queue.off},
          {"pending", std::to_string(state.indexes.pending.at(index).size())},
          {"use", show_milli(hours_milli)}};
}

}  // namespace berth
