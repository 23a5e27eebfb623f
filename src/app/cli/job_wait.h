// Waiting for a job's end, by the daemon's own waiting, never by polling.
#pragma once

#include <boost/json/fwd.hpp>

#include <chrono>
#include <optional>
#include <string>

#include "app/cli/client.h"
#include "base/result.h"

namespace berth {

// "Job 12 failed: exit code 3"
std::string end_line(const boost::json::object& job);
// {"ended": whether all have, "jobs": [rows]}: of the job, or of all that live of an array; once they have ended or the
// time is over. `name` as for job_path().
Result<boost::json::value> wait_until_ended(Client& client, const std::string& name,
                                            std::optional<std::chrono::steady_clock::time_point> until = std::nullopt);

}  // namespace berth
