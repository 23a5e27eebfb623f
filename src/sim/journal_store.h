// JournalStore: the simulator's Store. A journal and, beside it, rows; append touches only the rows that its events
// name, as a database would, so that "fold(journal) == rows" is a real check and not a copy compared with itself.
// One thread. Its content outlives the controller: a restart is a new controller on the same store.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ports/store.h"

namespace berth {

class JournalStore : public Store {
 public:
  Result<ClusterState> load() override;
  Result<void> append(const Events& events, const ClusterState& after) override;
  Result<std::vector<JournalRecord>> journal(std::uint64_t after, std::size_t limit) override;
  Result<std::optional<Job>> find_job(JobId id) override;
  Result<std::vector<Job>> ended_jobs(std::optional<JobId> before, std::size_t limit) override;

  // While it fails, append writes nothing and answers `exhausted`, as on a full disk.
  void set_failing(bool failing) { failing_ = failing; }
  const std::vector<JournalRecord>& records() const { return records_; }
  const ClusterState& rows() const { return rows_; }

 private:
  void take_job(JobId id, const ClusterState& after);
  void take(const Event& event, const ClusterState& after);

  std::vector<JournalRecord> records_;
  ClusterState rows_;
  std::map<JobId, Job> past_;  // jobs that left memory
  bool failing_ = false;
};

}  // namespace berth
