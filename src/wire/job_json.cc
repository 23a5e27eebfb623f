#include "wire/job_json.h"

#include "wire/json_text.h"

namespace berth {

std::string job_spec_to_json(const JobSpec& spec) { return stored_text(spec); }
Result<JobSpec> job_spec_from_json(std::string_view text, std::string_view what) {
  return from_text<JobSpec>(text, what);
}

boost::json::object job_spec_shown(const JobSpec& spec) {
  boost::json::object object;
  JsonWriter(DefaultValues::write).write_fields(spec, object);
  return object;
}

Result<JobSpec> job_spec_from_value(const boost::json::value& value, std::string_view path) {
  return from_value<JobSpec>(value, path);
}

std::string job_to_json(const Job& job) { return stored_text(job); }
Result<Job> job_from_json(std::string_view text, std::string_view what) { return from_text<Job>(text, what); }

}  // namespace berth
