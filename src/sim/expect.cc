#include "sim/expect.h"

#include <algorithm>

#include "core/decide.h"
#include "sim/scn_fields.h"
#include "wire/names.h"

namespace berth {
namespace {

using namespace scn;

std::string all_of(const Seen& seen) {
  std::string text;
  for (const auto& [name, value] : seen)
    if (!value.empty()) text += "\n      " + name + "=" + value;
  return text;
}

std::string mismatches(const FieldTable& table, const Fields& wanted, const Seen& seen) {
  std::string wrong;
  for (const auto& [name, value] : wanted) {
    const auto found = seen.find(name);
    const auto was = found == seen.end() ? std::string("-") : found->second;
    if (!field_matches(table.at(name), value, was)) wrong += name + " was " + was + ", not " + value + "; ";
  }
  return wrong;
}

std::string wrong_state(const std::string& must, JobState state) {
  const bool as_told = must == "job" || (must == "run" && is_active(state)) || (must == "ended" && is_ended(state)) ||
                       (must == "hold" && state == JobState::pending);
  return as_told ? "" : "it was " + std::string(name_of(state)) + "; ";
}

std::string wrong_nodes(const std::vector<std::string>& on, const Seen& seen) {
  std::string wanted;
  for (const auto& name : on) wanted += (wanted.empty() ? "" : ",") + name;
  const auto found = seen.find("on");
  const auto was = found == seen.end() ? std::string("no node") : found->second;
  return wanted.empty() || wanted == was ? "" : "it was on " + was + ", not " + wanted + "; ";
}

std::optional<JobId> find(const StoryView& view, const JobRef& ref) {
  if (ref.name.starts_with("@")) return JobId(ref.id);
  const auto ids = view.ids.find(ref.name);
  if (ids == view.ids.end()) return std::nullopt;
  if (!ref.element) return ids->second.front();
  for (const auto id : ids->second)
    if (story_name(view, id) == ref.name + "[" + std::to_string(*ref.element) + "]") return id;
  return std::nullopt;
}

std::string unmet_job(const StoryView& view, const ExpectJob& expect) {
  const auto id = find(view, expect.job);
  if (!id) return "no job of this name was taken";
  const auto seen = see_job(view, *id);
  const auto job = view.world.state().jobs.find(*id);
  if (job == view.world.state().jobs.end()) return "the job has left memory";
  auto wrong = wrong_state(expect.must, job->second.state) + wrong_nodes(expect.on, seen) +
               mismatches(job_fields(), expect.fields, seen);
  return wrong.empty() ? "" : wrong + "all of it:" + all_of(seen);
}

bool counts(const StoryView& view, const ExpectCount& expect, const Job& job) {
  const auto& state = view.world.state();
  if (expect.state == "active" ? !is_active(job.state) : name_of(job.state) != expect.state) return false;
  if (!expect.queue.empty() && state.queues.at(static_cast<std::size_t>(job.queue.value())).spec.name != expect.queue)
    return false;
  const auto submit = view.submits.find(job.id);
  return expect.of.empty() || (submit != view.submits.end() && submit->second->name == expect.of);
}

std::string unmet_count(const StoryView& view, const ExpectCount& expect) {
  std::string which;
  std::int64_t count = 0;
  for (const auto& [id, job] : view.world.state().jobs) {
    if (!counts(view, expect, job)) continue;
    ++count;
    which += " " + story_name(view, id);
  }
  return count == expect.count ? "" : std::to_string(count) + " were:" + which;
}

std::string unmet_queue(const StoryView& view, const ExpectQueue& expect) {
  const auto& state = view.world.state();
  for (const auto& queue : state.queues) {
    if (queue.spec.name != expect.queue) continue;
    const auto seen = see_queue(state, queue);
    auto wrong = mismatches(queue_fields(), expect.fields, seen);
    if (expect.off && queue.off.empty()) wrong += "it was on; ";
    return wrong.empty() ? "" : wrong + "all of it:" + all_of(seen);
  }
  return "there is no queue of this name";
}

std::string unmet_node(const StoryView& view, const ExpectNode& expect) {
  const auto& state = view.world.state();
  for (const auto& node : state.nodes) {
    if (node.name != expect.node) continue;
    const auto seen = see_node(state, node);
    const auto wrong = mismatches(node_fields(), expect.fields, seen);
    return wrong.empty() ? "" : wrong + "all of it:" + all_of(seen);
  }
  return "there is no node of this name";
}

}  // namespace

std::string unmet(const StoryView& view, const Expected& expected) {
  if (!view.world.is_up()) return "the daemon was down";
  if (const auto* job = std::get_if<ExpectJob>(&expected)) return unmet_job(view, *job);
  if (const auto* count = std::get_if<ExpectCount>(&expected)) return unmet_count(view, *count);
  if (const auto* queue = std::get_if<ExpectQueue>(&expected)) return unmet_queue(view, *queue);
  return unmet_node(view, std::get<ExpectNode>(expected));
}

}  // namespace berth
