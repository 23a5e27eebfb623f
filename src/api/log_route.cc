// GET /v1/jobs/{id}/logs.
#include "api/job_lookup.h"
#include "api/log_stream.h"
#include "api/query.h"
#include "api/routes.h"
#include "wire/log_path.h"

namespace berth::api {
namespace {

std::int32_t tasks_of(const JobSpec& spec) {
  if (spec.launch == LaunchMode::first) return 1;
  std::int32_t tasks = 0;
  for (const TaskGroup& group : spec.groups) tasks += group.count;
  return tasks;
}

// Where the task runs, for %N and %n. Of a job that holds nothing any more only a machine that stands alone is known.
void name_node(const ClusterState& state, LogNames& names) {
  const auto allocation = state.allocations.find(names.job);
  if (allocation == state.allocations.end()) {
    if (state.nodes.size() == 1) names.node = state.nodes.front().name;
    return;
  }
  std::vector<NodeId> seen;
  for (const TaskPlacement& task : allocation->second.placement) {
    auto at = std::find(seen.begin(), seen.end(), task.node);
    if (at == seen.end()) at = seen.insert(seen.end(), task.node);
    if (task.rank != names.task_rank) continue;
    names.node_rank = static_cast<std::int32_t>(at - seen.begin());
    const auto index = static_cast<std::size_t>(task.node.value());
    if (index < state.nodes.size()) names.node = state.nodes[index].name;
    return;
  }
}

LogPaths paths_of(const View& view, const Job& job, std::int32_t task) {
  LogNames names;
  names.job = job.id;
  names.array = job.array;
  names.user = job.spec->user;
  names.job_name = job.spec->name;
  names.task_rank = task;
  view.read([&](const Snapshot& snapshot) { name_node(snapshot.state, names); });
  return log_paths(*job.spec, names);
}

Result<LogRequest> read_log_request(Services& services, const Exchange& exchange) {
  Query query(exchange.request());
  const std::string stream = query.given("stream") ? query.text("stream") : "stdout";
  const auto task = static_cast<std::int32_t>(query.integer("task", 0, 0, INT32_MAX));
  LogRequest request;
  request.offset = static_cast<std::uint64_t>(query.integer("offset", 0, 0, INT64_MAX));
  request.follow = query.flag("follow");
  if (query.error()) return *query.error();
  if (stream != "stdout" && stream != "stderr")
    return Error{ErrorCode::invalid, "parameter 'stream' has the value '" + stream + "'", "stdout or stderr"};
  const Result<Job> job = find_job(services, exchange.arguments[0]);
  if (!job) return job.error();
  const std::string& user = job->spec->user;
  if (!exchange.caller().may_act_for(user))
    return Error{ErrorCode::denied, "the logs of job " + exchange.arguments[0] + " belong to " + user, ""};
  if (task >= tasks_of(*job->spec)) {
    return Error{ErrorCode::not_found,
                 "job " + exchange.arguments[0] + " has no task " + std::to_string(task) + " with a log of its own",
                 "it has tasks 0 to " + std::to_string(tasks_of(*job->spec) - 1)};
  }
  const LogPaths paths = paths_of(services.view, *job, task);
  request.job = job->id;
  request.path = stream == "stdout" ? paths.out : paths.err;
  request.owner = user_id(user);
  request.for_admin = exchange.caller().admin;
  return request;
}

}  // namespace

void get_logs(Services& services, const ExchangePtr& exchange) {
  Result<LogRequest> request = read_log_request(services, *exchange);
  if (!request) return exchange->respond(request.error());
  std::make_shared<LogStream>(services, exchange, std::move(request).value())->start();
}

}  // namespace berth::api
