// Which jobs a listing shows: the parameters of GET /v1/jobs. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/query.h"
#include "model/job.h"
#include "model/state.h"

namespace berth::api {

struct JobFilter {
  std::set<JobState> states;  // empty: all
  bool from_store = false;    // ended jobs that left memory too: `ended`, `all`, or an ended state is asked for
  std::optional<std::string> queue, user, name;
  std::optional<JobId> array;

  bool takes(const ClusterState& state, const Job& job) const;
};

// States by name or group (live, active, ended, all), in any mix.
Result<JobFilter> read_job_filter(Query& query);

}  // namespace berth::api
