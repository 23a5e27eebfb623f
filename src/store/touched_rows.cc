#include "store/touched_rows.h"

#include <algorithm>
#include <iterator>

namespace berth {
namespace {

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

class Collector {
 public:
  explicit Collector(const ClusterState& after) : after_(after) {}

  void operator()(const event::JobSubmitted& e) {
    rows_.specs.emplace_back(e.first, e.spec);
    const std::size_t count = e.spec->array ? e.spec->array->indexes.size() : 1;
    for (std::size_t i = 0; i < count; ++i) rows_.jobs.emplace_back(e.first.value() + static_cast<std::int64_t>(i));
  }
  void operator()(const event::JobHeld& e) { rows_.jobs.push_back(e.job); }
  void operator()(const event::JobReleased& e) { rows_.jobs.push_back(e.job); }
  void operator()(const event::JobEnded& e) { rows_.jobs.push_back(e.job); }
  void operator()(const event::JobRequeued& e) { rows_.jobs.push_back(e.job); }
  void operator()(const event::JobForgotten& e) { rows_.forgotten.push_back(e.job); }
  void operator()(const event::AttemptPlaced& e) { attempt(e.key); }
  void operator()(const event::AttemptStarted& e) { attempt(e.key); }
  void operator()(const event::AttemptStopping& e) { attempt(e.key); }
  void operator()(const event::AttemptEnded& e) { attempt(e.key); }
  void operator()(const event::NodeSeen& e) { rows_.nodes.push_back(e.node); }
  void operator()(const event::NodeDrained& e) { rows_.nodes.push_back(e.node); }
  void operator()(const event::NodeUndrained& e) { rows_.nodes.push_back(e.node); }
  void operator()(const event::NodeLaunchFailed& e) { rows_.nodes.push_back(e.node); }
  void operator()(const event::NodeLaunchWorked& e) { rows_.nodes.push_back(e.node); }
  void operator()(const event::QueueSet&) { all_queues_ = true; }
  void operator()(const event::QueueRemoved&) { all_queues_ = true; }
  void operator()(const event::PolicySet&) { rows_.policy = all_queues_ = true; }

  TouchedRows finish() {
    sort_unique(rows_.jobs);
    sort_unique(rows_.forgotten);
    part_last_seen();
    sort_unique(rows_.allocations);
    sort_unique(rows_.nodes);
    for (const JobId job : rows_.allocations) add_queues_of(job);
    if (all_queues_) add_all_queues();
    sort_unique(rows_.queues);
    return std::move(rows_);
  }

 private:
  // Beside the job and what it holds, the use of its queue and of all above is brought up to date.
  void attempt(const AttemptKey& key) {
    rows_.jobs.push_back(key.job);
    rows_.allocations.push_back(key.job);
  }

  void part_last_seen() {
    const auto stays = [&](JobId id) {
      return !std::binary_search(rows_.forgotten.begin(), rows_.forgotten.end(), id);
    };
    const auto parted = std::stable_partition(rows_.jobs.begin(), rows_.jobs.end(), stays);
    rows_.last_seen.assign(parted, rows_.jobs.end());
    rows_.jobs.erase(parted, rows_.jobs.end());
  }

  void add_queues_of(JobId id) {
    const auto job = after_.jobs.find(id);
    if (job == after_.jobs.end()) {
      all_queues_ = true;
      return;
    }
    QueueId queue = job->second.queue;
    while (queue != kNoQueue) {
      rows_.queues.push_back(queue);
      queue = after_.queues[static_cast<std::size_t>(queue.value())].parent;
    }
  }

  void add_all_queues() {
    for (std::size_t i = 0; i < after_.queues.size(); ++i) rows_.queues.emplace_back(static_cast<std::int32_t>(i));
  }

  const ClusterState& after_;
  TouchedRows rows_;
  bool all_queues_ = false;  // their use is settled, and links between them may change
};

}  // namespace

TouchedRows touched_rows(const Events& events, const ClusterState& after) {
  Collector collector(after);
  for (const Event& event : events) std::visit(collector, event.body);
  return collector.finish();
}

}  // namespace berth
