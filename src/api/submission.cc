#include "api/submission.h"

#include <boost/json.hpp>

#include "api/clock.h"
#include "api/parser.h"
#include "wire/job_json.h"
#include "wire/json_document.h"
#include "wire/sbatch.h"

namespace berth::api {

namespace json = boost::json;

namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kScript = "text/x-shellscript";

Result<ReadSpec> with_user(JobSpec spec, std::vector<std::string> notes, const Caller& caller) {
  if (spec.user.empty()) spec.user = caller.user;
  if (!caller.may_act_for(spec.user)) {
    return Error{ErrorCode::denied, caller.user + " may not submit for " + spec.user, "leave `user` out"};
  }
  return ReadSpec{std::make_shared<const JobSpec>(std::move(spec)), std::move(notes)};
}

Result<ReadSpec> read_spec(const json::value& value, const std::string& path, const Caller& caller) {
  Result<JobSpec> spec = job_spec_from_value(value, path);
  if (!spec) return spec.error();
  return with_user(std::move(spec).value(), {}, caller);
}

Error wrong_shape(const std::string& what) {
  return {ErrorCode::invalid, "the request " + what,
          R"({"spec": {...}} for one job, {"specs": [{...}, ...]} for many)"};
}

Result<void> read_many(const json::value& value, const Caller& caller, Submission& into) {
  const json::array* specs = value.if_array();
  if (!specs || specs->empty()) return wrong_shape("has a field `specs` that is no list, or an empty one");
  if (specs->size() > kMaxSpecs) {
    return Error{ErrorCode::too_large, "the request holds " + std::to_string(specs->size()) + " jobs",
                 "at most " + std::to_string(kMaxSpecs) + " at once; an array for equal ones"};
  }
  into.many = true;
  for (std::size_t i = 0; i < specs->size(); ++i)
    into.specs.push_back(read_spec((*specs)[i], "specs[" + std::to_string(i) + "]", caller));
  return {};
}

Result<Submission> read_json(const Request& request, const Caller& caller) {
  const Result<json::value> value = parse_json(request.body, "the request", kMaxBody);
  if (!value) return value.error();
  const json::object* object = value->if_object();
  if (!object || object->size() != 1) return wrong_shape("is not an object with exactly one field");
  Submission submission;
  const auto& [name, field] = *object->begin();
  if (name == "spec") {
    submission.specs.push_back(read_spec(field, "spec", caller));
  } else if (name == "specs") {
    if (auto read = read_many(field, caller, submission); !read) return read.error();
  } else {
    return wrong_shape("has the unknown field '" +
                       clean_text(std::string_view(name.data(), name.size())).substr(0, 100) + "'");
  }
  return submission;
}

Result<Submission> read_script(const Request& request, const Caller& caller, const Query& query) {
  SubmitContext context;
  context.user = caller.user;
  context.cwd = query.given("workdir") ? query.text("workdir") : home_of(caller.uid);
  if (!context.cwd.starts_with('/'))
    return Error{ErrorCode::invalid, "the working directory '" + context.cwd + "' is not absolute",
                 "?workdir=/home/ann/train"};
  context.now = wall_clock();
  context.zone = Zone::of_process();
  const std::string name = query.given("name") ? query.text("name") : "script";
  Result<ParsedJob> job = parse_sbatch(request.body, name, {}, context);
  if (!job) return job.error();
  Submission submission;
  submission.dry_run = job->flags.dry_run;
  submission.specs.push_back(with_user(std::move(job->spec), std::move(job->warnings), caller));
  return submission;
}

}  // namespace

Result<Submission> read_submission(const Request& request, const Caller& caller) {
  Query query(request);
  const bool dry_run = query.flag("dry_run");
  if (query.error()) return *query.error();
  Result<Submission> submission =
      request.content_type == kScript ? read_script(request, caller, query) : read_json(request, caller);
  if (submission && dry_run) submission->dry_run = true;
  return submission;
}

}  // namespace berth::api
