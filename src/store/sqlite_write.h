// Writes a batch of events and the rows that it touched, by statements that are prepared once.
// For sqlite_store.cc only; the caller opens and ends the transaction.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/event.h"
#include "model/state.h"
#include "store/sqlite.h"
#include "store/touched_rows.h"

namespace berth {

class RowWriter {
 public:
  RowWriter() = default;
  static Result<RowWriter> prepare(Database& database);
  // `last_rows` are those of touched.last_seen.
  Result<void> write(const Events& events, const ClusterState& after, const TouchedRows& touched,
                     const std::vector<Job>& last_rows);

 private:
  Result<void> write_journal(const Events& events, std::uint64_t first);
  Result<void> write_jobs(const TouchedRows& touched, const ClusterState& after, const std::vector<Job>& last_rows);
  Result<void> write_job(const Job& job);
  Result<void> write_allocations(const TouchedRows& touched, const ClusterState& after);
  Result<void> write_nodes(const TouchedRows& touched, const ClusterState& after);
  Result<void> write_queues(const TouchedRows& touched, const ClusterState& after);

  Statement journal_, meta_, spec_, job_, forget_job_, allocation_, free_, node_, queue_, policy_;
};

}  // namespace berth
