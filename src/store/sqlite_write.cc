#include "store/sqlite_write.h"

#include <utility>

#include "wire/event_json.h"
#include "wire/job_json.h"
#include "wire/names.h"
#include "wire/state_json.h"

namespace berth {
Result<RowWriter> RowWriter::prepare(Database& database) {
  RowWriter writer;
  const std::pair<Statement*, std::string_view> all[] = {
      {&writer.journal_, "INSERT INTO journal VALUES (?, ?, ?)"},
      {&writer.meta_, "UPDATE meta SET sequence = ?, now_ms = ?, next_job = ?"},
      {&writer.spec_, "INSERT INTO spec VALUES (?, ?)"},
      {&writer.job_,
       "INSERT INTO job VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10) ON CONFLICT (id) DO UPDATE SET "
       "state = ?3, queue = ?4, ended_ms = ?8, is_ended = ?9, body = ?10"},
      {&writer.forget_job_, "UPDATE job SET in_memory = 0 WHERE id = ?"},
      {&writer.allocation_,
       "INSERT INTO allocation VALUES (?1, ?2, ?3) ON CONFLICT (job) DO UPDATE SET attempt = ?2, body = ?3"},
      {&writer.free_, "DELETE FROM allocation WHERE job = ?"},
      {&writer.node_,
       "INSERT INTO node VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET name = ?2, body = ?3, "
       "launch_failures = ?4"},
      {&writer.queue_, "INSERT INTO queue VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET name = ?2, body = ?3"},
      {&writer.policy_, "INSERT INTO policy VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET body = ?1"},
  };
  for (const auto& [statement, sql] : all) {
    Result<Statement> prepared = database.prepare(sql);
    if (!prepared) return prepared.error();
    *statement = std::move(*prepared);
  }
  return writer;
}

Result<void> RowWriter::write(const Events& events, const ClusterState& after, const TouchedRows& touched,
                              const std::vector<Job>& last_rows) {
  if (auto r = write_journal(events, after.sequence - events.size() + 1); !r) return r;
  if (auto r = write_jobs(touched, after, last_rows); !r) return r;
  if (auto r = write_allocations(touched, after); !r) return r;
  if (auto r = write_nodes(touched, after); !r) return r;
  if (auto r = write_queues(touched, after); !r) return r;
  return meta_.run(static_cast<std::int64_t>(after.sequence), after.now.ms(), after.next_job.value());
}

Result<void> RowWriter::write_journal(const Events& events, std::uint64_t first) {
  for (const Event& event : events) {
    const std::string body = event_to_json(event);
    if (auto r = journal_.run(static_cast<std::int64_t>(first++), event.at.ms(), body); !r) return r;
  }
  return {};
}

Result<void> RowWriter::write_jobs(const TouchedRows& touched, const ClusterState& after,
                                   const std::vector<Job>& last_rows) {
  for (const auto& [id, spec] : touched.specs) {
    const std::string body = job_spec_to_json(*spec);
    if (auto r = spec_.run(id.value(), body); !r) return r;
  }
  for (const JobId id : touched.jobs) {
    if (auto r = write_job(after.jobs.at(id)); !r) return r;
  }
  for (const Job& job : last_rows) {
    if (auto r = write_job(job); !r) return r;
  }
  for (const JobId id : touched.forgotten) {
    if (auto r = forget_job_.run(id.value()); !r) return r;
  }
  return {};
}

Result<void> RowWriter::write_job(const Job& job) {
  const std::string body = job_to_json(job);
  return job_.run(job.id.value(), spec_id(job).value(), name_of(job.state), std::int64_t{job.queue.value()},
                  job.spec->user, job.spec->name, job.submitted.ms(), job.ended.ms(), std::int64_t{is_ended(job.state)},
                  body);
}

Result<void> RowWriter::write_allocations(const TouchedRows& touched, const ClusterState& after) {
  for (const JobId id : touched.allocations) {
    const auto found = after.allocations.find(id);
    if (found == after.allocations.end()) {
      if (auto r = free_.run(id.value()); !r) return r;
      continue;
    }
    const std::string body = allocation_to_json(found->second);
    if (auto r = allocation_.run(id.value(), std::int64_t{found->second.key.attempt}, body); !r) return r;
  }
  return {};
}

Result<void> RowWriter::write_nodes(const TouchedRows& touched, const ClusterState& after) {
  for (const NodeId id : touched.nodes) {
    const Node& node = after.nodes[static_cast<std::size_t>(id.value())];
    const auto failures = after.launch_failures.find(id);
    const std::string list = failures == after.launch_failures.end() ? "[]" : job_ids_to_json(failures->second);
    const std::string body = node_to_json(node);
    if (auto r = node_.run(std::int64_t{id.value()}, node.name, body, list); !r) return r;
  }
  return {};
}

Result<void> RowWriter::write_queues(const TouchedRows& touched, const ClusterState& after) {
  for (const QueueId id : touched.queues) {
    const Queue& queue = after.queues[static_cast<std::size_t>(id.value())];
    const std::string body = queue_to_json(queue);
    if (auto r = queue_.run(std::int64_t{id.value()}, queue.spec.name, body); !r) return r;
  }
  return touched.policy ? policy_.run(policy_to_json(after.policy)) : Result<void>();
}

}  // namespace berth
