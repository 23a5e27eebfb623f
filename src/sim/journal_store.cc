#include "sim/journal_store.h"

#include <algorithm>

namespace berth {

Result<ClusterState> JournalStore::load() { return rows_; }

Result<void> JournalStore::append(const Events& events, const ClusterState& after) {
  if (failing_)
    return Error{ErrorCode::exhausted, "the simulated disk is full", "let it have room: at T store_fails off"};
  if (rows_.sequence + events.size() != after.sequence)
    return Error{
        ErrorCode::corrupt,
        "events " + std::to_string(rows_.sequence + 1) + "... do not lead to " + std::to_string(after.sequence),
        "append every event once, in order"};
  for (const auto& event : events) {
    records_.push_back({rows_.sequence + 1 + static_cast<std::uint64_t>(&event - events.data()), event});
    take(event, after);
  }
  rows_.sequence = after.sequence;
  rows_.now = after.now;
  rows_.next_job = after.next_job;
  rows_.queues = after.queues;
  rows_.launch_failures = after.launch_failures;
  return {};
}

void JournalStore::take_job(JobId id, const ClusterState& after) {
  const auto job = after.jobs.find(id);
  if (job != after.jobs.end()) rows_.jobs[id] = job->second;
  const auto allocation = after.allocations.find(id);
  if (allocation != after.allocations.end())
    rows_.allocations[id] = allocation->second;
  else
    rows_.allocations.erase(id);
}

void JournalStore::take(const Event& event, const ClusterState& after) {
  const auto take_node = [&](NodeId id) {
    const auto index = static_cast<std::size_t>(id.value());
    rows_.nodes.resize(std::max(rows_.nodes.size(), index + 1));
    rows_.nodes[index] = after.nodes.at(index);
  };
  std::visit(
      [&](const auto& body) {
        using T = std::decay_t<decltype(body)>;
        if constexpr (std::is_same_v<T, event::JobSubmitted>) {
          const auto count = body.spec->array ? static_cast<std::int64_t>(body.spec->array->indexes.size()) : 1;
          for (std::int64_t i = 0; i < count; ++i) take_job(JobId(body.first.value() + i), after);
        } else if constexpr (std::is_same_v<T, event::JobForgotten>) {
          if (auto gone = rows_.jobs.extract(body.job)) past_.insert(std::move(gone));
        } else if constexpr (requires {
                               body.job;
                               body.node;
                             }) {
          // Launch failures are kept whole, above.
        } else if constexpr (requires { body.job; }) {
          take_job(body.job, after);
        } else if constexpr (requires { body.key; }) {
          take_job(body.key.job, after);
        } else if constexpr (std::is_same_v<T, event::NodeLaunchWorked>) {
          // As above.
        } else if constexpr (requires { body.node; }) {
          take_node(body.node);
        } else if constexpr (std::is_same_v<T, event::PolicySet>) {
          rows_.policy = body.policy;
        }
      },
      event.body);
}

Result<std::vector<JournalRecord>> JournalStore::journal(std::uint64_t after, std::size_t limit) {
  const auto first = std::min<std::size_t>(after, records_.size());
  const auto count = std::min(limit, records_.size() - first);
  const auto begin = records_.begin() + static_cast<std::ptrdiff_t>(first);
  return std::vector<JournalRecord>(begin, begin + static_cast<std::ptrdiff_t>(count));
}

Result<std::optional<Job>> JournalStore::find_job(JobId id) {
  for (const auto* jobs : {&rows_.jobs, &past_})
    if (const auto it = jobs->find(id); it != jobs->end()) return std::optional<Job>(it->second);
  return std::optional<Job>();
}

Result<std::vector<Job>> JournalStore::ended_jobs(std::optional<JobId> before, std::size_t limit) {
  std::map<JobId, Job> all = past_;
  for (const auto& [id, job] : rows_.jobs)
    if (is_ended(job.state)) all.emplace(id, job);
  std::vector<Job> newest;
  for (auto it = all.rbegin(); it != all.rend() && newest.size() < limit; ++it)
    if (!before || it->first < *before) newest.push_back(it->second);
  return newest;
}

}  // namespace berth
