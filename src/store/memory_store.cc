#include "store/memory_store.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "store/last_row.h"
#include "store/touched_rows.h"

namespace berth {
namespace {

class MemoryStore final : public Store {
 public:
  Result<ClusterState> load() override {
    const std::lock_guard lock(mutex_);
    return rows_;
  }

  Result<void> append(const Events& events, const ClusterState& after) override {
    if (events.empty()) return {};
    const TouchedRows touched = touched_rows(events, after);
    const std::lock_guard lock(mutex_);
    if (after.sequence != journal_.size() + events.size()) return out_of_step(after.sequence, events.size());
    journal_.insert(journal_.end(), events.begin(), events.end());
    for (const JobId id : touched.last_seen) rows_.jobs.insert_or_assign(id, last_row(stored(id), id, events));
    write_rows(touched, after);
    return {};
  }

  Result<std::vector<JournalRecord>> journal(std::uint64_t after, std::size_t limit) override {
    const std::lock_guard lock(mutex_);
    std::vector<JournalRecord> records;
    for (std::uint64_t i = after; i < journal_.size() && records.size() < limit; ++i) {
      records.push_back({i + 1, journal_[i]});
    }
    return records;
  }

  Result<std::optional<Job>> find_job(JobId id) override {
    const std::lock_guard lock(mutex_);
    for (const auto* jobs : {&rows_.jobs, &forgotten_}) {
      if (const auto found = jobs->find(id); found != jobs->end()) return std::optional<Job>(found->second);
    }
    return std::optional<Job>();
  }

  Result<std::vector<Job>> ended_jobs(std::optional<JobId> before, std::size_t limit) override {
    const std::lock_guard lock(mutex_);
    std::vector<Job> found;
    for (const auto* jobs : {&rows_.jobs, &forgotten_}) {
      std::size_t taken = 0;
      auto at = before ? jobs->lower_bound(*before) : jobs->end();
      while (at != jobs->begin() && taken < limit) {
        if (is_ended((--at)->second.state)) found.push_back(at->second), ++taken;
      }
    }
    std::sort(found.begin(), found.end(), [](const Job& a, const Job& b) { return a.id > b.id; });
    if (found.size() > limit) found.resize(limit);
    return found;
  }

 private:
  Error out_of_step(std::uint64_t sequence, std::size_t count) const {
    return {ErrorCode::conflict,
            "events up to " + std::to_string(sequence) + " (" + std::to_string(count) + " of them) do not follow on " +
                std::to_string(journal_.size()),
            "load the state again before appending"};
  }

  std::optional<Job> stored(JobId id) const {
    const auto found = rows_.jobs.find(id);
    return found == rows_.jobs.end() ? std::nullopt : std::optional<Job>(found->second);
  }

  void write_rows(const TouchedRows& touched, const ClusterState& after) {
    rows_.sequence = after.sequence;
    rows_.now = after.now;
    rows_.next_job = after.next_job;
    for (const JobId id : touched.jobs) rows_.jobs.insert_or_assign(id, after.jobs.at(id));
    for (const JobId id : touched.forgotten) {
      if (auto row = rows_.jobs.extract(id)) forgotten_.insert(std::move(row));
    }
    for (const JobId id : touched.allocations) {
      const auto found = after.allocations.find(id);
      if (found == after.allocations.end())
        rows_.allocations.erase(id);
      else
        rows_.allocations.insert_or_assign(id, found->second);
    }
    for (const NodeId id : touched.nodes) write_node(id, after);
    if (!touched.queues.empty()) rows_.queues.resize(after.queues.size());
    for (const QueueId id : touched.queues) {
      const auto i = static_cast<std::size_t>(id.value());
      rows_.queues[i] = after.queues[i];
    }
    if (touched.policy) rows_.policy = after.policy;
  }

  void write_node(NodeId id, const ClusterState& after) {
    const auto i = static_cast<std::size_t>(id.value());
    rows_.nodes.resize(after.nodes.size());
    rows_.nodes[i] = after.nodes[i];
    const auto failures = after.launch_failures.find(id);
    if (failures == after.launch_failures.end())
      rows_.launch_failures.erase(id);
    else
      rows_.launch_failures.insert_or_assign(id, failures->second);
  }

  std::mutex mutex_;
  std::vector<Event> journal_;
  ClusterState rows_;
  std::map<JobId, Job> forgotten_;
};

}  // namespace

std::unique_ptr<Store> make_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace berth
