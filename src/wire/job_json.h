// JobSpec and Job as JSON. Any layer above wire may use it; field names are in wire/json_model.h.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/job.h"

namespace berth {

// As stored: fields with default values are left out.
std::string job_spec_to_json(const JobSpec& spec);
Result<JobSpec> job_spec_from_json(std::string_view text, std::string_view what = "spec");
// As shown: every field.
boost::json::object job_spec_shown(const JobSpec& spec);
// A value inside of a larger document; `path` says where it stands there.
Result<JobSpec> job_spec_from_value(const boost::json::value& value, std::string_view path);

// Everything but the spec, which is null in what is read.
std::string job_to_json(const Job& job);
Result<Job> job_from_json(std::string_view text, std::string_view what = "job");

}  // namespace berth
