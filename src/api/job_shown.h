// Jobs as answers show them. Loop's thread.
#pragma once

#include <boost/json/fwd.hpp>
#include <vector>

#include "api/peer.h"
#include "api/services.h"
#include "model/job.h"

namespace berth::api {

// Lines of a listing, in the order of `jobs`.
boost::json::array shown_rows(Services& services, const std::vector<Job>& jobs);
// All about one. Variables and scripts hold passwords and tokens more often than they should: they are for the owner.
boost::json::object shown_job(Services& services, const Job& job, const Caller& caller);

}  // namespace berth::api
