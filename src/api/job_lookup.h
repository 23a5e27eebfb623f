// Jobs by the names that people use: "12", or "12_3" for element 3 of the array that begins with job 12. First in memory, then
// in the store. Loop's thread.
#pragma once

#include <optional>
#include <string>

#include "api/services.h"
#include "base/result.h"
#include "model/job.h"

namespace berth::api {

struct JobName {
  JobId id;                           // that stands in the name
  std::optional<std::int32_t> index;  // behind the underscore
};

Result<JobName> read_job_name(const std::string& text);

// A copy of the job as it is now. not_found if there is none.
Result<Job> find_job(Services& services, const JobName& name);
// Both steps.
Result<Job> find_job(Services& services, const std::string& text);

}  // namespace berth::api
