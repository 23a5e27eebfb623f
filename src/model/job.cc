#include "model/job.h"

#include <tuple>

namespace berth {

bool operator==(const Job& a, const Job& b) {
  const auto rest = [](const Job& j) {
    return std::tie(j.id, j.queue, j.array, j.state, j.held_by, j.submitted, j.eligible, j.attempt, j.retries,
                    j.launch_failures, j.started, j.ended, j.exit, j.reason);
  };
  const bool same_spec = a.spec == b.spec || (a.spec && b.spec && *a.spec == *b.spec);
  return same_spec && rest(a) == rest(b);
}

}  // namespace berth
