// Store: where state survives. Law, tested on every store: folding the journal from the start gives the rows.
// load and append are the controller thread's; journal, find_job and ended_jobs may be called from any thread. Errors: exhausted (disk full), corrupt, unsupported (newer),
// conflict (in use by another daemon), io.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "model/event.h"
#include "model/state.h"

namespace berth {

struct JournalRecord {
  std::uint64_t sequence = 0;  // from 1, without gaps
  Event event;
};

class Store {
 public:
  virtual ~Store() = default;
  // The rows, as state whose indexes are not built yet (core/apply.h: rebuild_indexes). state.sequence is the last event's.
  virtual Result<ClusterState> load() = 0;
  // Writes events to the journal and updates the rows to `after`, in one transaction. When it returns, it is durable.
  // On an error nothing was written. The events' sequence numbers are after.sequence - events.size() + 1 ... after.sequence.
  virtual Result<void> append(const Events& events, const ClusterState& after) = 0;
  // Up to `limit` records with sequence > `after`, in order.
  virtual Result<std::vector<JournalRecord>> journal(std::uint64_t after, std::size_t limit) = 0;
  // A job that may have left memory.
  virtual Result<std::optional<Job>> find_job(JobId id) = 0;
  // Ended jobs, newest first, with id < before (none: from the newest); they may have left memory.
  virtual Result<std::vector<Job>> ended_jobs(std::optional<JobId> before, std::size_t limit) = 0;
};

}  // namespace berth
