// Rows back into the model. A row that cannot be read makes the whole database corrupt: nothing is skipped.
// For sqlite_store.cc only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "model/state.h"
#include "ports/store.h"
#include "store/sqlite.h"

namespace berth {

Result<ClusterState> read_state(Database& database);

// Queries beside the controller, by statements that are prepared once.
class RowReader {
 public:
  RowReader() = default;
  static Result<RowReader> prepare(Database& database);
  Result<std::vector<JournalRecord>> journal(std::uint64_t after, std::size_t limit);
  Result<std::optional<Job>> find_job(JobId id);
  Result<std::vector<Job>> ended_jobs(std::optional<JobId> before, std::size_t limit);

 private:
  Statement journal_, find_job_, ended_jobs_;
};

}  // namespace berth
