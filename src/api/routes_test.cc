// Every route gives what docs/openapi.json says, and commands do what they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "api/live_server_test.h"
#include "api/openapi_text.h"
#include "api/router.h"

namespace berth::api {
namespace {

namespace json = boost::json;

const json::object& document() {
  static const json::value value = json::parse(json::string_view(openapi_text().data(), openapi_text().size()));
  return value.as_object();
}

const json::value& resolved(const json::value& schema) {
  const json::object& object = schema.as_object();
  if (const auto* ref = object.if_contains("$ref")) {
    const std::string name(ref->as_string());
    return resolved(document().at("components").at("schemas").at(name.substr(name.rfind('/') + 1)));
  }
  if (const auto* all = object.if_contains("allOf")) return resolved(all->as_array().at(0));
  return schema;
}

bool nullable(const json::value& schema) { return schema.as_object().contains("nullable"); }

// What in `value` is not as the schema has it; empty if all is.
void compare(const json::value& schema_or_ref, const json::value& value, const std::string& path,
             std::vector<std::string>& wrong);

void compare_object(const json::object& schema, const json::value& value, const std::string& path,
                    std::vector<std::string>& wrong) {
  if (!value.is_object()) return wrong.push_back(path + " is no object");
  const json::object& object = value.as_object();
  const auto* properties = schema.if_contains("properties");
  if (!properties) return;
  for (const auto& name : schema.at("required").as_array())
    if (!object.contains(name.as_string())) wrong.push_back(path + "." + std::string(name.as_string()) + " is missing");
  for (const auto& field : object) {
    const std::string name(field.key());
    if (const auto* of = properties->as_object().if_contains(field.key()))
      compare(*of, field.value(), path + "." + name, wrong);
    else
      wrong.push_back(path + "." + name + " is not documented");
  }
}

void compare(const json::value& schema_or_ref, const json::value& value, const std::string& path,
             std::vector<std::string>& wrong) {
  if (value.is_null()) {
    if (!nullable(schema_or_ref)) wrong.push_back(path + " is null");
    return;
  }
  const json::object& schema = resolved(schema_or_ref).as_object();
  const auto* type = schema.if_contains("type");
  if (!type) return;
  const json::string& name = type->as_string();
  if (name == "object") return compare_object(schema, value, path, wrong);
  const bool fits = (name == "array" && value.is_array()) || (name == "string" && value.is_string()) ||
                    (name == "boolean" && value.is_bool()) ||
                    (name == "integer" && (value.is_int64() || value.is_uint64()));
  if (!fits) return wrong.push_back(path + " is no " + std::string(name) + ": " + json::serialize(value));
  if (const auto* names = schema.if_contains("enum");
      names && std::find(names->as_array().begin(), names->as_array().end(), value) == names->as_array().end())
    wrong.push_back(path + " is not in the list: " + json::serialize(value));
  if (name != "array") return;
  for (std::size_t i = 0; i < value.as_array().size(); ++i)
    compare(schema.at("items"), value.as_array()[i], path + "[" + std::to_string(i) + "]", wrong);
}

const json::object& operation(const std::string& path, const std::string& method) {
  return document().at("paths").at(path).at(method).as_object();
}

void expect_documented(const std::string& path, const std::string& method, const HttpAnswer& answer,
                       const char* alternative = nullptr) {
  const json::object& responses = operation(path, method).at("responses").as_object();
  const auto* response = responses.if_contains(std::to_string(answer.status));
  ASSERT_TRUE(response) << path << " " << answer.status << " " << answer.body;
  const json::value schema =
      alternative ? json::value{{"$ref", alternative}} : response->at("content").at("application/json").at("schema");
  std::vector<std::string> wrong;
  compare(schema, answer.json(), path, wrong);
  for (const std::string& line : wrong) ADD_FAILURE() << line;
}

std::string lower_name(Method method) {
  switch (method) {
    case Method::get:
      return "get";
    case Method::post:
      return "post";
    case Method::del:
      return "delete";
    default:
      return "?";
  }
}

TEST(OpenApi, HasEveryRouteAndParameterAndNoOther) {
  std::set<std::string> served;
  std::set<std::string> documented;
  for (const Route& route : routes()) {
    const std::string name = lower_name(route.method) + " " + std::string(route.pattern);
    served.insert(name);
    for (const auto& parameter : route.query) served.insert(name + " ?" + std::string(parameter));
  }
  for (const auto& path : document().at("paths").as_object()) {
    for (const auto& method : path.value().as_object()) {
      const std::string name = std::string(method.key()) + " " + std::string(path.key());
      documented.insert(name);
      const auto* parameters = method.value().as_object().if_contains("parameters");
      if (!parameters) continue;
      for (const auto& parameter : parameters->as_array())
        if (parameter.at("in").as_string() == "query")
          documented.insert(name + " ?" + std::string(parameter.at("name").as_string()));
    }
  }
  EXPECT_EQ(served, documented);
}

TEST(OpenApi, ListingsAndViewsHaveTheDocumentedFields) {
  LiveServer server;
  const auto running = server.submit(
      R"("command":["sleep"],"groups":[{"count":2,"gpus":{"count":4}}],"time_limit_ms":3600000,"env":{"A":"b"})");
  server.wait_for_state(running, JobState::running);
  const auto waiting = server.submit(
      R"("command":["sleep"],"name":"wide","groups":[{"count":1,"gpus":{"count":8}}],"time_limit_ms":60000)");
  const auto held = server.submit(R"("command":["x"],"hold":true,"array":{"indexes":[1,3,7],"throttle":2})");
  const auto ended = server.submit();
  server.finish(ended);
  RawClient client = server.unix_client();
  for (const char* path : {"/v1/status", "/v1/jobs", "/v1/nodes", "/v1/gpus", "/v1/queues", "/v1/plan"})
    expect_documented(path, "get", client.get(path));
  expect_documented("/v1/jobs", "get", client.get("/v1/jobs?state=all"));
  for (const auto job : {running, waiting, held, ended}) {
    expect_documented("/v1/jobs/{id}", "get", client.get("/v1/jobs/" + std::to_string(job)));
    expect_documented("/v1/jobs/{id}/why", "get", client.get("/v1/jobs/" + std::to_string(job) + "/why"));
  }
  expect_documented("/v1/jobs/{id}/wait", "get", client.get("/v1/jobs/" + std::to_string(ended) + "/wait?timeout_s=5"));
  EXPECT_EQ(client.get("/v1/openapi.json").body, openapi_text());
  EXPECT_EQ(client.get("/v1/jobs/" + std::to_string(waiting)).json().at("expected_exact").as_bool(), true);
}

TEST(Jobs, AreSubmittedAsSpecScriptDryRunAndMany) {
  LiveServer server;
  RawClient client = server.unix_client();
  const HttpAnswer one = client.post("/v1/jobs", R"({"spec":{"name":"a","command":["true"],"env":{"TOKEN":"x"}}})");
  EXPECT_EQ(one.status, 201);
  EXPECT_EQ(one.headers.at("location"), "/v1/jobs/1");
  expect_documented("/v1/jobs", "post", one, "#/components/schemas/Submitted");
  const std::string script = "#!/bin/sh\n#SBATCH -J trainer --gres gpu:2 -t 4:00\n#SBATCH --array=0-3\nhostname\n";
  const HttpAnswer dry = client.post("/v1/jobs?dry_run=true&workdir=/tmp", script, "text/x-shellscript; charset=utf-8");
  EXPECT_EQ(dry.status, 200) << dry.body;
  expect_documented("/v1/jobs", "post", dry, "#/components/schemas/Submitted");
  EXPECT_EQ(dry.json().at("spec").at("time_limit_ms").as_int64(), 240'000);
  const HttpAnswer array = client.post("/v1/jobs?workdir=/tmp", script, "text/x-shellscript");
  EXPECT_EQ(array.status, 201) << array.body;
  EXPECT_EQ(array.json().at("jobs").as_array().size(), 4u);
  EXPECT_EQ(client.get("/v1/jobs/2_3").json().at("id").as_int64(), 5);
  const HttpAnswer many = client.post(
      "/v1/jobs", R"({"specs":[{"command":["a"]},{"command":["b"],"queue":"none"},{"comand":[]},{"command":["c"]}]})");
  EXPECT_EQ(many.status, 201) << many.body;
  expect_documented("/v1/jobs", "post", many, "#/components/schemas/SubmittedMany");
  EXPECT_EQ(json::serialize(many.json().at("jobs")), "[6,null,null,7]");
  EXPECT_EQ(many.json().at("refused").as_array().at(0).at("index").as_int64(), 1);
  EXPECT_EQ(many.json().at("refused").as_array().at(1).at("index").as_int64(), 2);
  EXPECT_EQ(client.post("/v1/jobs", R"({"specs":[{"command":["b"],"queue":"none"}]})").status, 404);
  EXPECT_EQ(client.post("/v1/jobs?workdir=here", script, "text/x-shellscript").status, 400);
  EXPECT_EQ(client.post("/v1/jobs", "echo no shebang", "text/x-shellscript").status, 400);
  EXPECT_EQ(client.post("/v1/jobs", R"({"spec":{"command":["x"],"groups":[{"gpus":{"count":9}}]}})").status / 100, 4);
}

TEST(Jobs, TenThousandInOneRequest) {
  LiveServer server;
  std::string body = R"({"specs":[)";
  for (int i = 0; i < 10'000; ++i) body += std::string(i ? "," : "") + R"({"command":["true"],"hold":true})";
  RawClient client = server.unix_client();
  const HttpAnswer answer = client.post("/v1/jobs", body + "]}");
  ASSERT_EQ(answer.status, 201) << answer.body.substr(0, 500);
  const auto jobs = answer.json().at("jobs").as_array();
  ASSERT_EQ(jobs.size(), 10'000u);
  std::int64_t expected = 1;
  for (const auto& id : jobs) ASSERT_EQ(id.as_int64(), expected++);
  EXPECT_EQ(client.post("/v1/jobs", body + R"(,{"command":["true"]}]})").status, 413);
  std::size_t listed = 0;
  std::string after;
  do {
    const auto page = client.get("/v1/jobs?state=pending&limit=997" + after).json();
    listed += page.at("jobs").as_array().size();
    after = page.at("next_after").is_null() ? "" : "&after=" + json::serialize(page.at("next_after"));
  } while (!after.empty());
  EXPECT_EQ(listed, 10'000u);
}

TEST(Jobs, ListingsFilterAndPage) {
  LiveServer server;
  std::vector<std::int64_t> ended;
  for (int i = 0; i < 5; ++i) ended.push_back(server.submit(R"("command":["x"],"name":"short")"));
  for (const auto job : ended) server.finish(job, job == 3 ? 1 : 0);
  for (int i = 0; i < 4; ++i) server.submit(R"("command":["x"],"name":"kept","hold":true)");
  RawClient client = server.unix_client();
  const auto ids = [&](const std::string& query) {
    std::vector<std::int64_t> found;
    std::string after;
    do {
      const auto page = client.get("/v1/jobs?limit=2" + query + after).json();
      for (const auto& row : page.at("jobs").as_array()) found.push_back(row.at("id").as_int64());
      after = page.at("next_after").is_null() ? "" : "&after=" + json::serialize(page.at("next_after"));
    } while (!after.empty());
    return found;
  };
  using Ids = std::vector<std::int64_t>;
  EXPECT_EQ(ids(""), (Ids{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(ids("&state=live"), (Ids{6, 7, 8, 9}));
  EXPECT_EQ(ids("&state=PD"), (Ids{6, 7, 8, 9}));
  EXPECT_EQ(ids("&state=ended"), (Ids{5, 4, 3, 2, 1}));
  EXPECT_EQ(ids("&state=failed"), (Ids{3}));
  EXPECT_EQ(ids("&state=all"), (Ids{9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(ids("&state=failed,pending"), (Ids{9, 8, 7, 6, 3}));
  EXPECT_EQ(ids("&state=all&name=short"), (Ids{5, 4, 3, 2, 1}));
  EXPECT_EQ(ids("&queue=main&name=kept"), (Ids{6, 7, 8, 9}));
  EXPECT_EQ(ids("&queue=other"), (Ids{}));
  EXPECT_EQ(ids("&user=nobody"), (Ids{}));
}

TEST(Jobs, AreHeldReleasedRequeuedAndCancelled) {
  LiveServer server;
  RawClient client = server.unix_client();
  const auto job = std::to_string(server.submit(R"("command":["x"],"hold":true)"));
  expect_documented("/v1/jobs/{id}/hold", "post", client.request("POST", "/v1/jobs/" + job + "/hold"));
  expect_documented("/v1/jobs/{id}/release", "post", client.request("POST", "/v1/jobs/" + job + "/release"));
  server.wait_for_state(std::stoll(job), JobState::running);
  EXPECT_EQ(client.request("POST", "/v1/jobs/" + job + "/hold").status, 409);
  expect_documented("/v1/jobs/{id}/requeue", "post", client.request("POST", "/v1/jobs/" + job + "/requeue"));
  expect_documented("/v1/jobs/{id}/cancel", "post", client.request("POST", "/v1/jobs/" + job + "/cancel"));
  server.wait_for_state(std::stoll(job), JobState::cancelled);
  EXPECT_EQ(client.request("DELETE", "/v1/jobs/" + job).status, 409);
  EXPECT_EQ(client.request("DELETE", "/v1/jobs/999").status, 404);
  const auto array = server.submit(R"("command":["x"],"hold":true,"array":{"indexes":[2,4,6]})");
  const std::string first = std::to_string(array);
  EXPECT_EQ(client.request("DELETE", "/v1/jobs/" + first + "_4").json().at("jobs").as_array().size(), 1u);
  server.wait_for_state(array + 1, JobState::cancelled);
  EXPECT_EQ(client.request("POST", "/v1/jobs/" + first + "/requeue").status, 409);
  EXPECT_EQ(client.request("POST", "/v1/jobs/" + first + "/cancel").json().at("jobs").as_array().size(), 2u);
}

TEST(Jobs, WaitAnswersAtTheEndOfOneOrOfAllElements) {
  LiveServer server;
  const auto job = server.submit();
  server.wait_for_state(job, JobState::running);
  RawClient client = server.unix_client();
  const std::string path = "/v1/jobs/" + std::to_string(job) + "/wait";
  const HttpAnswer not_yet = client.get(path + "?timeout_s=0");
  EXPECT_FALSE(not_yet.json().at("ended").as_bool());
  client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_some(100), "");
  server.finish(job, 3);
  const HttpAnswer done = client.answer();
  EXPECT_TRUE(done.json().at("ended").as_bool());
  EXPECT_EQ(done.json().at("jobs").at(0).at("exit_code").as_int64(), 3);
  const auto array = server.submit(R"("command":["x"],"array":{"indexes":[0,1]})");
  client.send("GET /v1/jobs/" + std::to_string(array) + "/wait HTTP/1.1\r\nHost: x\r\n\r\n");
  server.finish(array + 1);
  EXPECT_EQ(client.read_some(100), "");
  server.finish(array);
  EXPECT_EQ(client.answer().json().at("jobs").as_array().size(), 2u);
  EXPECT_EQ(client.get("/v1/jobs/77/wait").status, 404);
  EXPECT_EQ(client.get(path + "?timeout_s=99999").status, 400);
}

TEST(Jobs, AClientThatStopsWaitingIsForgotten) {
  LiveServer server;
  const auto job = server.submit();
  {
    RawClient client = server.unix_client();
    client.send("GET /v1/jobs/" + std::to_string(job) + "/wait?timeout_s=3600 HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(client.read_some(50), "");
  }
  RawClient other = server.unix_client();
  for (int i = 0; i < 200 && other.get("/metrics").body.find("berth_http_connections 1\n") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_NE(other.get("/metrics").body.find("berth_http_connections 1\n"), std::string::npos);
  server.finish(job);
}

TEST(Nodes, AreDrainedAndUndrained) {
  LiveServer server;
  RawClient client = server.unix_client();
  EXPECT_EQ(client.post("/v1/nodes/n0/drain", "{}").status, 400);
  EXPECT_EQ(client.post("/v1/nodes/n0/drain", R"({"reason":""})").status, 400);
  EXPECT_EQ(client.post("/v1/nodes/nx/drain", R"({"reason":"x"})").status, 404);
  expect_documented("/v1/nodes/{name}/drain", "post", client.post("/v1/nodes/n0/drain", R"({"reason":"fan"})"));
  EXPECT_NE(client.get("/v1/nodes").body.find("fan"), std::string::npos);
  EXPECT_EQ(client.get("/v1/status").json().at("nodes").at("drained").as_int64(), 1);
  expect_documented("/v1/nodes/{name}/undrain", "post", client.request("POST", "/v1/nodes/n0/undrain"));
  EXPECT_EQ(client.request("POST", "/v1/nodes/n0/undrain").status, 409);
}

TEST(Metrics, AreTextThatPrometheusReads) {
  LiveServer server;
  RawClient client = server.unix_client();
  client.get("/metrics");
  const auto job = server.submit(R"("command":["x"],"groups":[{"gpus":{"milli":250}}])");
  server.wait_for_state(job, JobState::running);
  const HttpAnswer answer = client.get("/metrics");
  EXPECT_TRUE(answer.headers.at("content-type").starts_with("text/plain; version=0.0.4"));
  const auto has = [&](const std::string& line) {
    EXPECT_NE(answer.body.find(line + "\n"), std::string::npos) << line << "\n" << answer.body;
  };
  has("berth_jobs{state=\"running\"} 1");
  has("berth_jobs{state=\"ended\"} 0");
  has("berth_gpus{type=\"H100-80GB\",use=\"shared\"} 1");
  has("berth_gpus{type=\"H100-80GB\",use=\"free\"} 7");
  has("berth_gpu_held_milli 250");
  has("berth_gpus_virtual 8");
  has("berth_nodes{state=\"up\"} 1");
  has("berth_job_wait_seconds_count 1");
  has("berth_store_append_failures_total 0");
  has("berth_http_requests_total{route=\"/v1/jobs\",status=\"201\"} 1");
  has("# TYPE berth_decision_age_seconds gauge");
  server.finish(job);
  EXPECT_NE(client.get("/metrics").body.find("berth_jobs_ended_total{state=\"completed\"} 1\n"), std::string::npos);
  EXPECT_NE(client.get("/metrics").body.find("berth_gpus{type=\"H100-80GB\",use=\"shared\"} 0\n"), std::string::npos);
}

}  // namespace
}  // namespace berth::api
