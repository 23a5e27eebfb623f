#include "core/configure.h"

#include <algorithm>
#include <map>
#include <set>

namespace berth {
namespace {

using Specs = std::vector<QueueSpec>;

const QueueSpec* find(const Specs& queues, const std::string& name) {
  const auto it = std::find_if(queues.begin(), queues.end(), [&](const QueueSpec& q) { return q.name == name; });
  return it == queues.end() ? nullptr : &*it;
}

bool in_cycle(const Specs& queues, const QueueSpec& queue) {
  const QueueSpec* up = find(queues, queue.parent);
  for (std::size_t steps = 0; up != nullptr && steps <= queues.size(); ++steps) {
    if (up->name == queue.name) return true;
    up = find(queues, up->parent);
  }
  return false;
}

bool has_children(const Specs& queues, const QueueSpec& queue) {
  return std::any_of(queues.begin(), queues.end(), [&](const QueueSpec& q) { return q.parent == queue.name; });
}

// Why this queue cannot be on; empty: nothing is wrong with it.
std::string fault(const Specs& queues, const QueueSpec& q) {
  if (!q.parent.empty() && find(queues, q.parent) == nullptr) return "its parent \"" + q.parent + "\" does not exist";
  if (in_cycle(queues, q)) return "it is its own ancestor";
  if (q.weight < 0) return "its weight is negative";
  if (q.quota && *q.quota < MilliGpu{}) return "its quota is negative";
  if (q.limit && *q.limit < MilliGpu{}) return "its limit is negative";
  if (q.quota && q.limit && *q.limit < *q.quota) return "its limit is less than its quota";
  if (q.is_default && has_children(queues, q)) return "the default queue must take jobs, but it has queues below it";
  for (const QueueSpec& other : queues) {
    if (&other == &q) break;
    if (q.is_default && other.is_default) return "\"" + other.name + "\" is the default already";
  }
  const QueueSpec* parent = find(queues, q.parent);
  if (parent == nullptr || !parent->quota) return {};
  MilliGpu sum;
  for (const QueueSpec& sibling : queues) {
    if (sibling.parent != q.parent) continue;
    sum += sibling.quota.value_or(MilliGpu{});
    if (&sibling == &q) break;
  }
  if (q.quota && sum > *parent->quota) return "the quotas below \"" + q.parent + "\" add up to more than its own";
  return {};
}

bool queue_has_jobs(const ClusterState& state, QueueId id) {
  return std::any_of(state.jobs.begin(), state.jobs.end(), [&](const auto& entry) { return entry.second.queue == id; });
}

Specs usable(const command::Configure& wanted, std::vector<std::string>& notes) {
  Specs queues;
  for (const QueueSpec& q : wanted.queues) {
    if (!q.name.empty() && find(queues, q.name) == nullptr)
      queues.push_back(q);
    else
      notes.push_back(q.name.empty() ? "a queue without a name was left out"
                                     : "queue \"" + q.name + "\" is there twice; the first counts");
  }
  if (queues.empty()) {
    QueueSpec only;
    only.name = "default";
    only.is_default = true;
    queues.push_back(only);
  }
  return queues;
}

}  // namespace

Result<Handled> configure(const ClusterState& state, const command::Configure& wanted, Time now) {
  Handled out;
  const Specs queues = usable(wanted, out.answer.notes);
  if (!(wanted.policy == state.policy)) out.events.push_back({now, event::PolicySet{wanted.policy}});
  std::map<std::string, const Queue*> present;
  for (const Queue& q : state.queues)
    if (!q.spec.name.empty()) present[q.spec.name] = &q;
  auto next = static_cast<std::int32_t>(state.queues.size());
  for (const QueueSpec& spec : queues) {
    const std::string off = fault(queues, spec);
    if (!off.empty()) out.answer.notes.push_back("queue \"" + spec.name + "\" is off: " + off);
    const auto it = present.find(spec.name);
    if (it == present.end()) {
      out.events.push_back({now, event::QueueSet{QueueId(next++), spec, off}});
    } else if (!(it->second->spec == spec) || it->second->off != off) {
      out.events.push_back({now, event::QueueSet{it->second->id, spec, off}});
    }
  }
  for (const auto& [name, queue] : present) {
    if (find(queues, name) != nullptr) continue;
    if (!queue_has_jobs(state, queue->id)) {
      out.events.push_back({now, event::QueueRemoved{queue->id}});
      continue;
    }
    const std::string off = "it is no longer in the configuration; its jobs stay";
    QueueSpec kept = queue->spec;
    kept.is_default = false;
    if (find(queues, kept.parent) == nullptr) kept.parent.clear();
    if (queue->off == off && kept == queue->spec) continue;
    out.events.push_back({now, event::QueueSet{queue->id, kept, off}});
    out.answer.notes.push_back("queue \"" + name + "\" is off: " + off);
  }
  return out;
}

}  // namespace berth
