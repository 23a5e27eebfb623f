#include "api/job_lookup.h"

#include <algorithm>

#include "api/query.h"

namespace berth::api {
namespace {

Error no_such_job(const std::string& name) {
  return {ErrorCode::not_found, "there is no job " + name, "see: berth jobs, or GET /v1/jobs?state=all"};
}

Result<Job> find_by_id(Services& services, JobId id) {
  auto live = services.view.read([&](const Snapshot& snapshot) -> std::optional<Job> {
    const auto found = snapshot.state.jobs.find(id);
    if (found == snapshot.state.jobs.end()) return std::nullopt;
    return found->second;
  });
  if (live) return *std::move(live);
  Result<std::optional<Job>> stored = services.store.find_job(id);
  if (!stored) return stored.error();
  if (!stored.value()) return no_such_job(std::to_string(id.value()));
  return *std::move(stored).value();
}

// Elements have consecutive ids in the order of their indexes.
std::optional<JobId> element_id(const Job& first, std::int32_t index) {
  if (!first.array || first.array->first != first.id || !first.spec->array) return std::nullopt;
  const auto& indexes = first.spec->array->indexes;
  const auto at = std::lower_bound(indexes.begin(), indexes.end(), index);
  if (at == indexes.end() || *at != index) return std::nullopt;
  return JobId(first.id.value() + (at - indexes.begin()));
}

}  // namespace

Result<JobName> read_job_name(const std::string& text) {
  const std::size_t underscore = text.find('_');
  const auto id = whole_number(std::string_view(text).substr(0, underscore));
  JobName name{JobId(id.value_or(0)), {}};
  bool good = id.has_value();
  if (underscore != std::string::npos) {
    const auto index = whole_number(std::string_view(text).substr(underscore + 1));
    good = good && index && *index <= INT32_MAX;
    if (good) name.index = static_cast<std::int32_t>(*index);
  }
  if (good) return name;
  return Error{ErrorCode::invalid, "'" + text.substr(0, 100) + "' is no job id",
               "a number such as 12, or 12_3 for element 3 of array 12"};
}

Result<Job> find_job(Services& services, const JobName& name) {
  Result<Job> job = find_by_id(services, name.id);
  if (!job || !name.index) return job;
  const auto element = element_id(*job, *name.index);
  if (!element) return no_such_job(std::to_string(name.id.value()) + "_" + std::to_string(*name.index));
  return find_by_id(services, *element);
}

Result<Job> find_job(Services& services, const std::string& text) {
  const Result<JobName> name = read_job_name(text);
  if (!name) return name.error();
  return find_job(services, *name);
}

}  // namespace berth::api
