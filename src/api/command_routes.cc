// POST /v1/jobs/{id}/cancel, hold, release, requeue; DELETE /v1/jobs/{id}; POST /v1/nodes/{name}/drain, undrain.
#include <boost/json.hpp>

#include "api/job_lookup.h"
#include "api/json_answer.h"
#include "api/parser.h"
#include "api/pending.h"
#include "api/routes.h"
#include "wire/json_document.h"

namespace berth::api {

namespace json = boost::json;

namespace {

void respond_with(const ExchangePtr& exchange, const Result<Answer>& answer) {
  if (!answer) return exchange->respond(answer.error());
  json::array jobs;
  for (const JobId id : answer->jobs) jobs.push_back(id.value());
  json::array notes;
  for (const std::string& note : answer->notes) notes.push_back(json::string(clean_text(note)));
  exchange->respond(json_response({{"jobs", std::move(jobs)}, {"notes", std::move(notes)}}));
}

void carry_out(Services& services, const ExchangePtr& exchange, command::Body body) {
  services.pending.post(services, {exchange->caller().user, std::move(body)},
                        [exchange](Result<Answer> answer) { respond_with(exchange, answer); });
}

// What the path names: one job, or all elements of an array if its first id stands without an index.
struct Target {
  Job job;
  bool all_elements = false;
};

Result<Target> read_target_job(Services& services, const Exchange& exchange) {
  const Result<JobName> name = read_job_name(exchange.arguments[0]);
  if (!name) return name.error();
  Result<Job> job = find_job(services, *name);
  if (!job) return job.error();
  if (!exchange.caller().may_act_for(job->spec->user)) {
    return Error{ErrorCode::denied, "job " + exchange.arguments[0] + " belongs to " + job->spec->user,
                 "its owner, root and the user of the daemon may change it"};
  }
  const bool all = !name->index && job->array && job->array->first == job->id;
  return Target{std::move(job).value(), all};
}

template <class Make>
void act_on_job(Services& services, const ExchangePtr& exchange, Make&& make) {
  const Result<Target> target = read_target_job(services, *exchange);
  if (!target) return exchange->respond(target.error());
  carry_out(services, exchange, make(target->job.id, target->all_elements));
}

// One command each, one answer: what was refused is a note unless all were.
class Elements {
 public:
  Elements(ExchangePtr exchange, std::size_t n) : exchange_(std::move(exchange)), left_(n) {}

  void settle(JobId job, const Result<Answer>& result) {
    if (result) {
      all_.jobs.insert(all_.jobs.end(), result->jobs.begin(), result->jobs.end());
      all_.notes.insert(all_.notes.end(), result->notes.begin(), result->notes.end());
      any_ = true;
    } else {
      all_.notes.push_back("job " + std::to_string(job.value()) + ": " + result.error().message);
      if (!error_) error_ = result.error();
    }
    if (--left_ == 0) respond_with(exchange_, any_ ? Result<Answer>(all_) : Result<Answer>(*error_));
  }

 private:
  ExchangePtr exchange_;
  std::size_t left_;
  Answer all_;
  bool any_ = false;
  std::optional<Error> error_;
};

std::vector<JobId> elements_of(const View& view, JobId first) {
  return view.read([&](const Snapshot& snapshot) -> std::vector<JobId> {
    const auto found = snapshot.state.indexes.arrays.find(first);
    if (found == snapshot.state.indexes.arrays.end()) return {first};
    return {found->second.begin(), found->second.end()};
  });
}

bool may_change_nodes(const ExchangePtr& exchange) {
  if (exchange->caller().admin) return true;
  exchange->respond(Error{ErrorCode::denied, exchange->caller().user + " may not drain or undrain nodes",
                          "root and the user of the daemon may"});
  return false;
}

Result<std::string> read_reason(const Request& request) {
  const Error wrong{ErrorCode::invalid, "the request holds no reason", R"({"reason": "fan replaced on Monday"})"};
  const Result<json::value> value = parse_json(request.body, "the request", kMaxBody);
  if (!value) return Error{value.error().code, value.error().message, wrong.hint};
  const json::object* object = value->if_object();
  const json::value* reason = object && object->size() == 1 ? object->if_contains("reason") : nullptr;
  if (!reason || !reason->is_string() || reason->get_string().empty()) return wrong;
  return std::string(reason->get_string());
}

}  // namespace

void post_cancel(Services& services, const ExchangePtr& exchange) {
  act_on_job(services, exchange, [](JobId job, bool all) { return command::Cancel{job, all}; });
}

void post_hold(Services& services, const ExchangePtr& exchange) {
  act_on_job(services, exchange, [](JobId job, bool all) { return command::Hold{job, all}; });
}

// What an administrator holds, the owner does not release. What berth itself holds (after failed launches) he does.
void post_release(Services& services, const ExchangePtr& exchange) {
  const Result<Target> target = read_target_job(services, *exchange);
  if (!target) return exchange->respond(target.error());
  const Job& job = target->job;
  const bool his_own = job.held_by.empty() || job.held_by == job.spec->user || job.held_by == "berth";
  if (!his_own && !exchange->caller().admin)
    return exchange->respond(Error{ErrorCode::denied, "job " + exchange->arguments[0] + " is held by " + job.held_by,
                                   "ask them to release it"});
  carry_out(services, exchange, command::Release{job.id, target->all_elements});
}

void post_requeue(Services& services, const ExchangePtr& exchange) {
  const Result<Target> target = read_target_job(services, *exchange);
  if (!target) return exchange->respond(target.error());
  if (!target->all_elements) return carry_out(services, exchange, command::Requeue{target->job.id});
  const std::vector<JobId> jobs = elements_of(services.view, target->job.id);
  const auto elements = std::make_shared<Elements>(exchange, jobs.size());
  for (const JobId job : jobs) {
    services.pending.post(services, {exchange->caller().user, command::Requeue{job}},
                          [elements, job](const Result<Answer>& answer) { elements->settle(job, answer); });
  }
}

void post_drain(Services& services, const ExchangePtr& exchange) {
  if (!may_change_nodes(exchange)) return;
  const Result<std::string> reason = read_reason(exchange->request());
  if (!reason) return exchange->respond(reason.error());
  carry_out(services, exchange, command::Drain{exchange->arguments[0], *reason});
}

void post_undrain(Services& services, const ExchangePtr& exchange) {
  if (!may_change_nodes(exchange)) return;
  carry_out(services, exchange, command::Undrain{exchange->arguments[0]});
}

}  // namespace berth::api
