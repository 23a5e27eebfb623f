// GET /v1/jobs/{id}/wait.
#include "api/job_waiters.h"

#include <boost/json.hpp>

#include "api/job_lookup.h"
#include "api/job_shown.h"
#include "api/json_answer.h"
#include "api/query.h"
#include "api/routes.h"
#include "api/services.h"

namespace berth::api {

namespace json = boost::json;

namespace {

constexpr std::int64_t kDefaultWait_s = 60;
constexpr std::int64_t kMaxWait_s = 3600;

bool has_ended(const ClusterState& state, JobId id) {
  const auto job = state.jobs.find(id);
  return job == state.jobs.end() || is_ended(job->second.state);
}

std::vector<JobId> jobs_meant(const View& view, const JobName& name, const Job& job) {
  if (name.index || !job.array || job.array->first != job.id) return {job.id};
  return view.read([&](const Snapshot& snapshot) -> std::vector<JobId> {
    const auto found = snapshot.state.indexes.arrays.find(job.id);
    if (found == snapshot.state.indexes.arrays.end()) return {job.id};
    return {found->second.begin(), found->second.end()};
  });
}

}  // namespace

void JobWaiters::add(Services& services, const ExchangePtr& exchange, std::vector<JobId> jobs, SteadyTime until) {
  if (waiters_.empty()) news_ = services.news->subscribe([this, &services] { look(services); });
  const std::uint64_t number = next_++;
  Waiter& waiter = waiters_[number];
  waiter.exchange = exchange;
  waiter.left = {jobs.begin(), jobs.end()};
  waiter.jobs = std::move(jobs);
  waiter.timer = services.loop.timer();
  waiter.timer->arm(until, [this, &services, number] { answer(services, number); });
  exchange->on_gone([this, number] { drop(number); });
  look(services);
}

void JobWaiters::look(Services& services) {
  std::vector<std::uint64_t> done;
  services.view.read([&](const Snapshot& snapshot) {
    for (auto& [number, waiter] : waiters_) {
      while (!waiter.left.empty() && has_ended(snapshot.state, *waiter.left.begin()))
        waiter.left.erase(waiter.left.begin());
      if (waiter.left.empty()) done.push_back(number);
    }
  });
  for (const std::uint64_t number : done) answer(services, number);
}

void JobWaiters::answer(Services& services, std::uint64_t number) {
  auto node = waiters_.extract(number);
  if (waiters_.empty()) news_.end();
  if (!node) return;
  const Waiter& waiter = node.mapped();
  std::vector<Job> jobs;
  for (const JobId id : waiter.jobs) {
    Result<Job> job = find_job(services, {id, {}});
    if (!job) return waiter.exchange->respond(job.error());
    jobs.push_back(std::move(job).value());
  }
  waiter.exchange->respond(json_response({{"ended", waiter.left.empty()}, {"jobs", shown_rows(services, jobs)}}));
}

void JobWaiters::drop(std::uint64_t number) {
  waiters_.erase(number);
  if (waiters_.empty()) news_.end();
}

void get_wait(Services& services, const ExchangePtr& exchange) {
  Query query(exchange->request());
  const auto timeout = std::chrono::seconds(query.integer("timeout_s", kDefaultWait_s, 0, kMaxWait_s));
  if (query.error()) return exchange->respond(*query.error());
  const Result<JobName> name = read_job_name(exchange->arguments[0]);
  if (!name) return exchange->respond(name.error());
  const Result<Job> job = find_job(services, *name);
  if (!job) return exchange->respond(job.error());
  services.waiters.add(services, exchange, jobs_meant(services.view, *name, *job),
                       std::chrono::steady_clock::now() + timeout);
}

}  // namespace berth::api
