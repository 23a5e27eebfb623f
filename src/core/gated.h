// Gated: jobs that a gate keeps back (core/gates.h), throttles of arrays inside the pass, and when the gate is expected to
// open: by the plans of those that they wait for.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/pass.h"

namespace berth {

class Gated {
 public:
  explicit Gated(Pass& pass) : pass_(pass) {}

  // True if a gate is closed: the job is held, its expected start is settled by settle().
  bool holds(const Waiting& job);
  // An element of a throttled array was started or promised.
  void taken(const Waiting& job);
  // After all promises: expected starts of those held at gates, which follow from the plan so far.
  void settle();

 private:
  struct Kept {
    Waiting job;
    Time until;  // when time opens the gate; 0: not known by the gate itself
  };
  bool throttled(const Job& job) const;
  void list_plans();
  const Time* planned_start(JobId id) const;
  Time expected_end(JobId id) const;
  Time expected_start(const Kept& kept);
  Time next_of_array(const Job& job, Duration limit);

  Pass& pass_;
  std::vector<Kept> kept_;
  std::map<JobId, std::int32_t> taken_;              // by array
  std::vector<std::pair<JobId, Time>> plans_;        // of all that is not kept here, by id: started, promised or held
  std::map<JobId, Time> settled_;                    // of those kept here, as far as settle() has come
  std::map<JobId, std::multiset<Time>> array_ends_;  // when places of a throttled array come free
};

}  // namespace berth
