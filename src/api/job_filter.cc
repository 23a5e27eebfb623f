#include "api/job_filter.h"

#include "wire/names.h"
#include "wire/text.h"

namespace berth::api {
namespace {

constexpr JobState kAll[] = {JobState::pending,   JobState::starting, JobState::running,   JobState::stopping,
                             JobState::completed, JobState::failed,   JobState::cancelled, JobState::timeout};

template <class F>
void add(JobFilter& filter, F&& wanted) {
  for (const JobState state : kAll)
    if (wanted(state)) filter.states.insert(state);
}

Result<void> add_states(JobFilter& filter, const std::string& word) {
  if (word == "all")
    add(filter, [](JobState) { return true; });
  else if (word == "ended")
    add(filter, [](JobState s) { return is_ended(s); });
  else if (word == "live")
    add(filter, [](JobState s) { return !is_ended(s); });
  else if (word == "active")
    add(filter, [](JobState s) { return is_active(s); });
  else if (const auto state = state_from_any_name(word))
    filter.states.insert(*state);
  else
    return Error{ErrorCode::invalid, "parameter 'state' has the value '" + word + "'",
                 all_names<JobState>() + ", live, active, ended or all"};
  return {};
}

std::optional<std::string> given(const Query& query, std::string_view name) {
  if (!query.given(name)) return std::nullopt;
  return query.text(name);
}

}  // namespace

Result<JobFilter> read_job_filter(Query& query) {
  JobFilter filter;
  for (const std::string& word : query.list("state"))
    if (auto added = add_states(filter, word); !added) return added.error();
  for (const JobState state : filter.states) filter.from_store = filter.from_store || is_ended(state);
  filter.queue = given(query, "queue");
  filter.user = given(query, "user");
  filter.name = given(query, "name");
  if (query.given("array")) filter.array = JobId(query.integer("array", 0, 1, INT64_MAX));
  if (query.error()) return *query.error();
  return filter;
}

bool JobFilter::takes(const ClusterState& state, const Job& job) const {
  if (!states.empty() && !states.contains(job.state)) return false;
  if (user && job.spec->user != *user) return false;
  if (name && job.spec->name != *name) return false;
  if (array && (!job.array || job.array->first != *array)) return false;
  if (!queue) return true;
  const auto index = static_cast<std::size_t>(job.queue.value());
  return index < state.queues.size() && state.queues[index].spec.name == *queue;
}

}  // namespace berth::api
