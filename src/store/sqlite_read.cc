#include "store/sqlite_read.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "wire/event_json.h"
#include "wire/job_json.h"
#include "wire/json_document.h"
#include "wire/state_json.h"

namespace berth {
namespace {

using Specs = std::map<std::int64_t, std::shared_ptr<const JobSpec>>;

Error corrupt(const std::string& why) {
  return {ErrorCode::corrupt, "the database is damaged: " + why,
          "restore the data directory from a backup, or start with a new one (--data DIR)"};
}

std::string row_name(std::string_view table, std::int64_t id) { return std::string(table) + " " + std::to_string(id); }

// Runs `take(row)` for each row of the query; it answers with a Result<void>.
template <class Take>
Result<void> for_each_row(Database& database, std::string_view sql, Take take) {
  Result<Statement> statement = database.prepare(sql);
  if (!statement) return statement.error();
  for (;;) {
    const Result<bool> row = statement->step();
    if (!row) return row.error();
    if (!*row) return {};
    if (Result<void> taken = take(*statement); !taken) return taken;
  }
}

Result<void> read_meta(Database& database, ClusterState& state) {
  std::size_t rows = 0;
  constexpr std::string_view kQuery = "SELECT sequence, now_ms, next_job FROM meta";
  auto read = for_each_row(database, kQuery, [&](Statement& row) -> Result<void> {
    state.sequence = static_cast<std::uint64_t>(row.integer(0));
    state.now = Time(row.integer(1));
    state.next_job = JobId(row.integer(2));
    ++rows;
    return {};
  });
  if (!read) return read;
  return rows == 1 ? Result<void>() : corrupt("the table meta has " + std::to_string(rows) + " rows");
}

Result<void> read_specs(Database& database, Specs& specs) {
  return for_each_row(database, "SELECT id, body FROM spec WHERE id IN (SELECT spec FROM job WHERE in_memory = 1)",
                      [&](Statement& row) -> Result<void> {
                        auto spec = job_spec_from_json(row.text(1), row_name("spec", row.integer(0)));
                        if (!spec) return corrupt(spec.error().message);
                        specs[row.integer(0)] = std::make_shared<const JobSpec>(std::move(*spec));
                        return {};
                      });
}

Result<void> read_jobs(Database& database, ClusterState& state) {
  Specs specs;
  if (auto read = read_specs(database, specs); !read) return read;
  constexpr std::string_view kQuery = "SELECT id, spec, body FROM job WHERE in_memory = 1 ORDER BY id";
  return for_each_row(database, kQuery, [&](Statement& row) -> Result<void> {
    const std::string name = row_name("job", row.integer(0));
    auto job = job_from_json(row.text(2), name);
    if (!job) return corrupt(job.error().message);
    const auto spec = specs.find(row.integer(1));
    if (spec == specs.end()) return corrupt(name + " has no spec");
    if (job->id != JobId(row.integer(0))) return corrupt(name + " has another id");
    job->spec = spec->second;
    state.jobs.emplace_hint(state.jobs.end(), job->id, std::move(*job));
    return {};
  });
}

Result<void> read_allocations(Database& database, ClusterState& state) {
  return for_each_row(database, "SELECT job, body FROM allocation ORDER BY job", [&](Statement& row) -> Result<void> {
    auto allocation = allocation_from_json(row.text(1), row_name("allocation", row.integer(0)));
    if (!allocation) return corrupt(allocation.error().message);
    const JobId job{row.integer(0)};
    if (!state.jobs.contains(job)) return corrupt(row_name("allocation", row.integer(0)) + " has no job");
    state.allocations.emplace_hint(state.allocations.end(), job, std::move(*allocation));
    return {};
  });
}

Result<void> read_nodes(Database& database, ClusterState& state) {
  constexpr std::string_view kQuery = "SELECT id, body, launch_failures FROM node ORDER BY id";
  return for_each_row(database, kQuery, [&](Statement& row) -> Result<void> {
    const std::string name = row_name("node", row.integer(0));
    auto node = node_from_json(row.text(1), name);
    if (!node) return corrupt(node.error().message);
    auto failures = job_ids_from_json(row.text(2), name + " launch_failures");
    if (!failures) return corrupt(failures.error().message);
    if (row.integer(0) != static_cast<std::int64_t>(state.nodes.size())) return corrupt(name + " follows a gap");
    if (!failures->empty()) state.launch_failures[node->id] = std::move(*failures);
    state.nodes.push_back(std::move(*node));
    return {};
  });
}

Result<void> read_queues(Database& database, ClusterState& state) {
  return for_each_row(database, "SELECT id, body FROM queue ORDER BY id", [&](Statement& row) -> Result<void> {
    const std::string name = row_name("queue", row.integer(0));
    auto queue = queue_from_json(row.text(1), name);
    if (!queue) return corrupt(queue.error().message);
    if (row.integer(0) != static_cast<std::int64_t>(state.queues.size())) return corrupt(name + " follows a gap");
    state.queues.push_back(std::move(*queue));
    return {};
  });
}

Result<void> read_policy(Database& database, ClusterState& state) {
  return for_each_row(database, "SELECT body FROM policy", [&](Statement& row) -> Result<void> {
    auto policy = policy_from_json(row.text(0));
    if (!policy) return corrupt(policy.error().message);
    state.policy = std::move(*policy);
    return {};
  });
}

Result<Job> job_of_row(const Statement& row) {
  const std::string name = row_name("job", row.integer(0));
  auto job = job_from_json(row.text(1), name);
  if (!job) return corrupt(job.error().message);
  auto spec = job_spec_from_json(row.text(2), name + " spec");
  if (!spec) return corrupt(spec.error().message);
  job->spec = std::make_shared<const JobSpec>(std::move(*spec));
  return job;
}

std::int64_t sql_limit(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int32_t>::max()));
}

// Ends the statement's read transaction however the function is left.
struct ResetAtEnd {
  Statement& statement;
  ~ResetAtEnd() { statement.reset(); }
};

}  // namespace

Result<ClusterState> read_state(Database& database) {
  ClusterState state;
  for (const auto part : {read_meta, read_jobs, read_allocations, read_nodes, read_queues, read_policy}) {
    if (auto read = part(database, state); !read) return read.error();
  }
  return state;
}

Result<RowReader> RowReader::prepare(Database& database) {
  RowReader reader;
  const std::pair<Statement*, std::string_view> all[] = {
      {&reader.journal_, "SELECT sequence, body FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?"},
      {&reader.find_job_,
       "SELECT job.id, job.body, spec.body FROM job JOIN spec ON spec.id = job.spec WHERE job.id = ?"},
      {&reader.ended_jobs_,
       "SELECT job.id, job.body, spec.body FROM job JOIN spec ON spec.id = job.spec "
       "WHERE job.is_ended = 1 AND job.id < ? ORDER BY job.id DESC LIMIT ?"},
  };
  for (const auto& [statement, sql] : all) {
    Result<Statement> prepared = database.prepare(sql);
    if (!prepared) return prepared.error();
    *statement = std::move(*prepared);
  }
  return reader;
}

Result<std::vector<JournalRecord>> RowReader::journal(std::uint64_t after, std::size_t limit) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::int64_t>::max();
  const ResetAtEnd reset{journal_};
  journal_.bind(static_cast<std::int64_t>(std::min(after, kLast)), sql_limit(limit));
  std::vector<JournalRecord> records;
  for (;;) {
    const Result<bool> row = journal_.step();
    if (!row) return row.error();
    if (!*row) return records;
    auto event = event_from_json(journal_.text(1), row_name("event", journal_.integer(0)));
    if (!event) return corrupt(event.error().message);
    records.push_back({static_cast<std::uint64_t>(journal_.integer(0)), std::move(*event)});
  }
}

Result<std::optional<Job>> RowReader::find_job(JobId id) {
  const ResetAtEnd reset{find_job_};
  find_job_.bind(id.value());
  const Result<bool> row = find_job_.step();
  if (!row) return row.error();
  if (!*row) return std::optional<Job>();
  Result<Job> job = job_of_row(find_job_);
  if (!job) return job.error();
  return std::optional<Job>(std::move(*job));
}

Result<std::vector<Job>> RowReader::ended_jobs(std::optional<JobId> before, std::size_t limit) {
  const ResetAtEnd reset{ended_jobs_};
  ended_jobs_.bind(before ? before->value() : std::numeric_limits<std::int64_t>::max(), sql_limit(limit));
  std::vector<Job> jobs;
  for (;;) {
    const Result<bool> row = ended_jobs_.step();
    if (!row) return row.error();
    if (!*row) return jobs;
    Result<Job> job = job_of_row(ended_jobs_);
    if (!job) return job.error();
    jobs.push_back(std::move(*job));
  }
}

}  // namespace berth
