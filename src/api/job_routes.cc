// GET /v1/jobs, /v1/jobs/{id}, /v1/jobs/{id}/why.
#include <boost/json.hpp>

#include <algorithm>

#include "api/clock.h"
#include "api/job_filter.h"
#include "api/job_lookup.h"
#include "api/job_shown.h"
#include "api/json_answer.h"
#include "api/routes.h"
#include "wire/view_json.h"

namespace berth::api {

namespace json = boost::json;

namespace {

constexpr std::int64_t kDefaultLimit = 200;
constexpr std::int64_t kMaxLimit = 10'000;

struct Page {
  JobFilter filter;
  std::size_t limit = 0;
  std::optional<JobId> after;
};

// In memory, by id, upwards. Gives one more than the limit if there is more.
std::vector<Job> jobs_in_memory(const Snapshot& snapshot, const Page& page) {
  std::vector<Job> jobs;
  const auto& all = snapshot.state.jobs;
  for (auto it = page.after ? all.upper_bound(*page.after) : all.begin(); it != all.end() && jobs.size() <= page.limit;
       ++it)
    if (page.filter.takes(snapshot.state, it->second)) jobs.push_back(it->second);
  return jobs;
}

// Those that have not ended, newest first, with id < `before`.
std::vector<Job> live_jobs_down(const Snapshot& snapshot, const Page& page) {
  std::vector<Job> jobs;
  const auto& all = snapshot.state.jobs;
  auto it = page.after ? all.lower_bound(*page.after) : all.end();
  while (it != all.begin() && jobs.size() <= page.limit) {
    --it;
    if (!is_ended(it->second.state) && page.filter.takes(snapshot.state, it->second)) jobs.push_back(it->second);
  }
  return jobs;
}

struct Found {
  std::vector<Job> jobs;
  std::optional<JobId> seen_to;  // the search was cut off there, with more below
};

// Ended ones from the store, newest first. A filter that takes few reads many: so many at most, then the client asks again.
Result<Found> ended_jobs_down(Services& services, const Page& page) {
  constexpr std::size_t kBlock = 1000;
  constexpr int kMaxBlocks = 20;
  Found found;
  std::optional<JobId> before = page.after;
  for (int i = 0; i < kMaxBlocks; ++i) {
    Result<std::vector<Job>> block = services.store.ended_jobs(before, kBlock);
    if (!block) return block.error();
    services.view.read([&](const Snapshot& snapshot) {
      for (const Job& job : *block)
        if (page.filter.takes(snapshot.state, job)) found.jobs.push_back(job);
    });
    if (block->size() < kBlock || found.jobs.size() > page.limit) return found;
    before = block->back().id;
  }
  found.seen_to = before;
  return found;
}

// The live ones are read first: a job that ends in between shows twice, never not at all; the ended one counts.
Result<Found> jobs_down(Services& services, const Page& page) {
  std::vector<Job> live = services.view.read([&](const Snapshot& snapshot) { return live_jobs_down(snapshot, page); });
  Result<Found> ended = ended_jobs_down(services, page);
  if (!ended) return ended;
  Found found = std::move(ended).value();
  for (Job& job : live)
    if (!found.seen_to || job.id >= *found.seen_to) found.jobs.push_back(std::move(job));
  std::stable_sort(found.jobs.begin(), found.jobs.end(), [](const Job& a, const Job& b) { return a.id > b.id; });
  const auto same =
      std::unique(found.jobs.begin(), found.jobs.end(), [](const Job& a, const Job& b) { return a.id == b.id; });
  found.jobs.erase(same, found.jobs.end());
  return found;
}

}  // namespace

void get_jobs(Services& services, const ExchangePtr& exchange) {
  Query query(exchange->request());
  Page page;
  page.limit = static_cast<std::size_t>(query.integer("limit", kDefaultLimit, 1, kMaxLimit));
  if (query.given("after")) page.after = JobId(query.integer("after", 0, 0, INT64_MAX));
  Result<JobFilter> filter = read_job_filter(query);
  if (!filter) return exchange->respond(filter.error());
  page.filter = *std::move(filter);
  Result<Found> found =
      page.filter.from_store ? jobs_down(services, page) : services.view.read([&](const Snapshot& snapshot) {
        return Found{jobs_in_memory(snapshot, page), {}};
      });
  if (!found) return exchange->respond(found.error());
  json::value next(nullptr);
  if (found->seen_to) next = found->seen_to->value();
  if (found->jobs.size() > page.limit) {
    found->jobs.resize(page.limit);
    next = found->jobs.back().id.value();
  }
  exchange->respond(json_response({{"jobs", shown_rows(services, found->jobs)}, {"next_after", next}}));
}

void get_job(Services& services, const ExchangePtr& exchange) {
  const Result<Job> job = find_job(services, exchange->arguments[0]);
  if (!job) return exchange->respond(job.error());
  exchange->respond(json_response(shown_job(services, *job, exchange->caller())));
}

void get_why(Services& services, const ExchangePtr& exchange) {
  const Result<Job> job = find_job(services, exchange->arguments[0]);
  if (!job) return exchange->respond(job.error());
  Result<Explanation> why = services.view.why(job->id, wall_clock());
  if (!why) {
    // It left memory since it ended: nothing blocks it.
    if (why.error().code != ErrorCode::not_found) return exchange->respond(why.error());
    why = Explanation{job->id, {}, kForever, false, {}};
  }
  exchange->respond(
      json_response(services.view.read([&](const Snapshot& s) { return explanation_view(s.state, *why); })));
}

}  // namespace berth::api
