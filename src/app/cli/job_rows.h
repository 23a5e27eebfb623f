// Jobs fetched from the daemon, page by page, and the cells by which every listing shows them.
#pragma once

#include <boost/json/fwd.hpp>

#include <string>

#include "app/cli/client.h"
#include "app/cli/commands.h"
#include "base/result.h"

namespace berth {

// {"jobs": [rows of wire/view_json.h]}, all that match.
Result<boost::json::value> fetch_jobs(Client& client, const JobFilter& filter);
// The path of a job in the API, by the name that people use: "12", or "12_3" for an element of an array.
std::string job_path(const std::string& name);

std::string state_code(const boost::json::object& row);  // "PD", "R"
// Where it runs, or why it does not.
std::string where_or_why(const boost::json::object& row);

}  // namespace berth
