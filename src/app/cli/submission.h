// Submission: a parsed job on its way to the daemon. For `berth submit` and `sbatch`, which say the rest in their own words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/client.h"
#include "base/result.h"
#include "model/job.h"

namespace berth {

struct Submitted {
  std::vector<std::int64_t> jobs;  // in order; empty if it was a dry run
  std::vector<std::string> notes;  // of the daemon
};

// With dry_run nothing is submitted: errors and notes are what they would be.
Result<Submitted> submit_job(Client& client, const JobSpec& spec, bool dry_run);
// Says what was left out or may not be meant, on stderr.
void print_warnings(const std::vector<std::string>& left_out, const std::vector<std::string>& warnings);
// Until all have ended; the greatest exit code of a job that did not complete, 1 if it has none, 0 if all completed.
Result<int> wait_for_jobs(Client& client, const std::vector<std::int64_t>& jobs, bool quiet);

}  // namespace berth
