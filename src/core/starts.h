// Starts: whether a job can start now, and if not, why. Remembers what failed: capacity only shrinks within a pass, so a
// shape that found no room once finds none later, and is not tried again (rule 8).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/pass.h"

namespace berth {

class Starts {
 public:
  explicit Starts(Pass& pass) : pass_(pass), memos_(pass.where.size()) {}

  // The placement with which it starts now; none: job.reason, subject and limit say why not.
  std::optional<Placement> try_now(Waiting& job);
  // The job waits for room: under Backfill::none nobody passes it on the nodes that it could use.
  void waits(const Waiting& job);
  // True if it is known by now that no job of the shape with this limit or a longer one starts.
  bool none_starts(std::int32_t shape, Duration limit) const {
    const Memo& memo = memos_[static_cast<std::size_t>(shape)];
    return memo.no_room || (memo.too_long && limit >= *memo.too_long);
  }

 private:
  struct Memo {
    bool no_room = false;              // it does not fit on what is free now, promises aside
    std::optional<Duration> too_long;  // so long or longer and it would delay a promise
    JobId delayed;                     // whose
  };
  bool over_limit(Waiting& job);
  bool behind(Waiting& job);
  std::optional<Placement> find_room(Waiting& job);

  Pass& pass_;
  std::vector<Memo> memos_;           // by shape id
  std::vector<JobId> first_waiting_;  // by NodeId; only under Backfill::none
};

}  // namespace berth
