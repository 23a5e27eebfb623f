// POST /v1/jobs: one job, many, or a dry run.
#include <boost/json.hpp>

#include "api/clock.h"
#include "api/json_answer.h"
#include "api/pending.h"
#include "api/routes.h"
#include "api/submission.h"
#include "wire/errors.h"
#include "wire/job_json.h"
#include "wire/json_document.h"
#include "wire/lint.h"
#include "wire/understood.h"

namespace berth::api {

namespace json = boost::json;

namespace {

json::array texts(const std::vector<std::string>& lines) {
  json::array array;
  for (const std::string& line : lines) array.push_back(json::string(clean_text(line)));
  return array;
}

json::array ids(const std::vector<JobId>& jobs) {
  json::array array;
  for (const JobId id : jobs) array.push_back(id.value());
  return array;
}

// What stands in the answer beside the ids: notes of the reader, of the lint, and of the loop, each once.
std::vector<std::string> all_notes(Services& services, const ReadSpec& read, const std::vector<std::string>& answered) {
  std::vector<std::string> notes = read.notes;
  const auto findings = services.view.read([&](const Snapshot& s) { return lint(*read.spec, s.state.nodes); });
  for (const LintFinding& finding : findings) notes.push_back(to_text(finding));
  for (const std::string& note : answered)
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  return notes;
}

void dry_run(Services& services, const ExchangePtr& exchange, const ReadSpec& read) {
  const Command command{exchange->caller().user, command::Submit{read.spec}};
  const Result<Answer> answer = services.view.preview(command, wall_clock());
  if (!answer) return exchange->respond(answer.error());
  exchange->respond(json_response({{"dry_run", true},
                                   {"job", nullptr},
                                   {"jobs", json::array{}},
                                   {"notes", texts(all_notes(services, read, answer->notes))},
                                   {"understood", texts(understood(*read.spec, Zone::of_process()))},
                                   {"spec", job_spec_shown(*read.spec)}}));
}

Response submitted(Services& services, const ReadSpec& read, const Answer& answer) {
  Response response =
      json_response({{"dry_run", false},
                     {"job", answer.jobs.empty() ? json::value(nullptr) : json::value(answer.jobs.front().value())},
                     {"jobs", ids(answer.jobs)},
                     {"notes", texts(all_notes(services, read, answer.notes))},
                     {"understood", texts(understood(*read.spec, Zone::of_process()))}},
                    201);
  if (!answer.jobs.empty())
    response.headers.emplace_back("Location", "/v1/jobs/" + std::to_string(answer.jobs.front().value()));
  return response;
}

void submit_one(Services& services, const ExchangePtr& exchange, const ReadSpec& read) {
  Command command{exchange->caller().user, command::Submit{read.spec}};
  services.pending.post(services, std::move(command), [&services, exchange, read](Result<Answer> answer) {
    if (!answer) return exchange->respond(answer.error());
    exchange->respond(submitted(services, read, *answer));
  });
}

// The replies to one request with many jobs, until all have come.
class Many {
 public:
  Many(ExchangePtr exchange, std::size_t n) : exchange_(std::move(exchange)), results_(n), left_(n) {}

  void settle(std::size_t i, Result<Answer> result) {
    results_[i] = std::move(result);
    if (--left_ == 0) respond();
  }

 private:
  void respond() {
    json::array jobs;
    json::array refused;
    const Error* first = nullptr;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const Result<Answer>& result = *results_[i];
      const bool made = result.ok() && !result->jobs.empty();
      jobs.push_back(made ? json::value(result->jobs.front().value()) : json::value(nullptr));
      if (result.ok()) continue;
      if (!first) first = &result.error();
      json::object line{{"index", i}};
      const json::value shown = json::parse(error_to_json(result.error()));
      for (const auto& field : shown.as_object()) line[field.key()] = field.value();
      refused.push_back(std::move(line));
    }
    const bool none = first && refused.size() == results_.size();
    exchange_->respond(json_response({{"jobs", std::move(jobs)}, {"refused", std::move(refused)}},
                                     none ? http_status(first->code) : 201));
  }

  ExchangePtr exchange_;
  std::vector<std::optional<Result<Answer>>> results_;
  std::size_t left_;
};

void submit_many(Services& services, const ExchangePtr& exchange, const std::vector<Result<ReadSpec>>& specs) {
  const auto many = std::make_shared<Many>(exchange, specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!specs[i]) {
      many->settle(i, specs[i].error());
      continue;
    }
    services.pending.post(services, {exchange->caller().user, command::Submit{specs[i]->spec}},
                          [many, i](Result<Answer> answer) { many->settle(i, std::move(answer)); });
  }
}

}  // namespace

void post_jobs(Services& services, const ExchangePtr& exchange) {
  const Request& request = exchange->request();
  if (request.content_type != "application/json" && request.content_type != "text/x-shellscript") {
    return exchange->respond(
        error_response(415, {ErrorCode::unsupported, "a job cannot be sent as '" + request.content_type + "'",
                             "application/json for a spec, text/x-shellscript for a batch script"}));
  }
  const Result<Submission> submission = read_submission(request, exchange->caller());
  if (!submission) return exchange->respond(submission.error());
  if (submission->many) {
    if (!submission->dry_run) return submit_many(services, exchange, submission->specs);
    return exchange->respond(Error{ErrorCode::unsupported, "a dry run takes one job", "send {\"spec\": ...}"});
  }
  const Result<ReadSpec>& one = submission->specs.front();
  if (!one) return exchange->respond(one.error());
  if (submission->dry_run) return dry_run(services, exchange, *one);
  submit_one(services, exchange, *one);
}

}  // namespace berth::api
