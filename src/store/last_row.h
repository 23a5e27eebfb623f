// The row of a job that changed and left memory in one append: the state after it no longer has the job, so its row is
// made from the row before and the events. Rare (only if ended jobs are kept for no time at all, or a failed append is
// made again much later), but no job may be lost to history. For the stores only.
#pragma once

#include <optional>

#include "model/event.h"
#include "model/job.h"

namespace berth {

// `before` is none if the job was submitted in this append. What results is as apply() would have left it.
Job last_row(std::optional<Job> before, JobId id, const Events& events);

}  // namespace berth
