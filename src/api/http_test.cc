// What clients may send, and what becomes of the others.
#include <gtest/gtest.h>

#include <thread>

#include "api/live_server_test.h"
#include "base/prng.h"

namespace berth::api {
namespace {

const std::string kHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string error_code(const HttpAnswer& answer) {
  const auto value = answer.json();
  EXPECT_FALSE(value.at("error").at("message").as_string().empty());
  return std::string(value.at("error").at("code").as_string());
}

TEST(Http, AnswersOnBothSocketsAndKeepsTheConnection) {
  LiveServer server;
  for (RawClient* client : {new RawClient(server.unix_client()), new RawClient(server.tcp_client())}) {
    const std::unique_ptr<RawClient> owned(client);
    for (int i = 0; i < 3; ++i) {
      const HttpAnswer answer = client->get("/healthz");
      EXPECT_EQ(answer.status, 200);
      EXPECT_EQ(answer.body, "ok\n");
    }
  }
}

TEST(Http, AnswersPipelinedRequestsInOrder) {
  LiveServer server;
  RawClient client = server.unix_client();
  std::string many;
  for (int i = 0; i < 500; ++i)
    many += i % 2 ? kHealth : "GET /v1/jobs/" + std::to_string(i + 1) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.send(many);
  for (int i = 0; i < 500; ++i) {
    const HttpAnswer answer = client.answer();
    ASSERT_EQ(answer.status, i % 2 ? 200 : 404) << i;
    if (i % 2 == 0) { EXPECT_NE(answer.body.find("job " + std::to_string(i + 1)), std::string::npos); }
  }
}

TEST(Http, PipelinedCommandsAreDoneInOrder) {
  LiveServer server;
  RawClient client = server.unix_client();
  const std::string body = R"({"spec":{"command":["true"],"hold":true}})";
  std::string many;
  for (int i = 0; i < 50; ++i)
    many += "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\n\r\n" + body;
  client.send(many);
  for (int i = 1; i <= 50; ++i) EXPECT_EQ(client.answer().json().at("job").as_int64(), i);
}

TEST(Http, ServesAClientThatHasEndedItsSide) {
  LiveServer server;
  RawClient client = server.tcp_client();
  const std::string body = R"({"spec":{"command":["true"]}})";
  client.send("POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
  client.end_writing();
  EXPECT_EQ(client.answer().status, 201);
  EXPECT_TRUE(client.at_end());
}

TEST(Http, BytesMayComeOneByOne) {
  LiveServer server;
  RawClient client = server.unix_client();
  for (const char c : kHealth) client.send({&c, 1});
  EXPECT_EQ(client.answer().status, 200);
}

TEST(Http, HeadOptionsAndOldVersions) {
  LiveServer server;
  RawClient client = server.unix_client();
  const HttpAnswer head = client.request("HEAD", "/healthz");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), "3");
  const HttpAnswer options = client.request("OPTIONS", "/v1/jobs");
  EXPECT_EQ(options.status, 204);
  EXPECT_EQ(options.headers.at("allow"), "GET, HEAD, POST, OPTIONS");
  client.send("GET /healthz HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.answer().status, 200);
  EXPECT_TRUE(client.at_end());
}

TEST(Http, RefusesWhatDoesNotExist) {
  LiveServer server;
  RawClient client = server.unix_client();
  EXPECT_EQ(client.get("/v1/nothing").status, 404);
  EXPECT_EQ(client.get("/").status, 404);
  EXPECT_EQ(client.get("/v1/jobs/").status, 404);
  const HttpAnswer wrong_method = client.request("DELETE", "/v1/nodes");
  EXPECT_EQ(wrong_method.status, 405);
  EXPECT_EQ(wrong_method.headers.at("allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(client.request("PATCH", "/v1/nodes").status, 405);
  const HttpAnswer parameter = client.get("/v1/jobs?stat=running");
  EXPECT_EQ(parameter.status, 400);
  EXPECT_NE(parameter.body.find("'stat'"), std::string::npos);
  EXPECT_NE(client.get("/v1/jobs?limit=many").body.find("limit"), std::string::npos);
  EXPECT_EQ(client.get("/v1/jobs?limit=0").status, 400);
  EXPECT_EQ(client.get("/v1/jobs?state=happy").status, 400);
  EXPECT_EQ(client.get("/v1/jobs/12x").status, 400);
  EXPECT_EQ(client.get("/v1/jobs/-1").status, 400);
  EXPECT_EQ(client.get("/v1/jobs/99999999999999999999").status, 400);
  EXPECT_EQ(client.get("/v1/jobs/1_2").status, 404);
  EXPECT_EQ(client.get("/v1/jobs/%zz").status, 400);
  EXPECT_EQ(client.get("/v1/jobs/%00").status, 400);
  EXPECT_EQ(client.get("/healthz").status, 200);
}

TEST(Http, RefusesBodiesThatAreNotJobs) {
  LiveServer server;
  RawClient client = server.unix_client();
  for (const char* body : {"", "{", "[]", "null", "{}", R"({"spec":1})", R"({"spec":{"command":["x"]},"more":1})",
                           R"({"spec":{"comand":["x"]}})", R"({"specs":[]})", R"({"specs":{}})",
                           "{\"spec\":{\"name\":\"\xff\"}}", R"({"spec":{"command":["a\u0000b"]}})"}) {
    const HttpAnswer answer = client.post("/v1/jobs", body);
    EXPECT_EQ(answer.status, 400) << body << answer.body;
    EXPECT_EQ(error_code(answer), "invalid");
  }
  EXPECT_EQ(client.post("/v1/jobs", "name=x", "application/x-www-form-urlencoded").status, 415);
  std::string deep(100'000, '[');
  EXPECT_EQ(client.post("/v1/jobs", deep).status, 400);
  EXPECT_EQ(client.get("/healthz").status, 200);
}

TEST(Http, RefusesTooMuch) {
  LiveServer server;
  RawClient announced = server.tcp_client();
  announced.send(
      "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
      "50000000\r\n\r\n");
  announced.send(std::string(3'000'000, 'x'));  // it goes on for a while; the answer must reach it all the same
  const HttpAnswer answer = announced.answer();
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(error_code(answer), "too_large");
  RawClient chunked = server.tcp_client();
  chunked.send("POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string piece = "100000\r\n" + std::string(0x100000, 'y') + "\r\n";
  for (int i = 0; i < 10; ++i)
    if (!chunked.send(piece)) break;
  EXPECT_EQ(chunked.answer().status, 413);
  RawClient header = server.unix_client();
  header.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + std::string(20'000, 'z'));
  EXPECT_EQ(header.answer().status, 431);
  RawClient headers = server.unix_client();
  std::string many = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 5000; ++i) many += "X-" + std::to_string(i) + ": 1\r\n";
  headers.send(many + "\r\n");
  EXPECT_EQ(headers.answer().status, 431);
  EXPECT_EQ(server.unix_client().get("/healthz").status, 200);
}

TEST(Http, TakesABodyOfAFewMegabytesAndSays100Continue) {
  LiveServer server;
  RawClient client = server.unix_client();
  const std::string body = R"({"spec":{"command":["true"],"comment":")" + std::string(6'000'000, 'c') + R"("}})";
  client.send(
      "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: "
      "100-continue\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n");
  EXPECT_EQ(client.head().status, 100);
  client.send(body);
  EXPECT_EQ(client.answer().status, 201);
}

TEST(Http, SlowClientsRunOutOfTime) {
  Patience patience;
  patience.idle = std::chrono::milliseconds(200);
  patience.header = std::chrono::milliseconds(200);
  patience.body = std::chrono::milliseconds(300);
  LiveServer server(patience);
  RawClient idle = server.unix_client();
  RawClient dripping = server.unix_client();
  RawClient starved = server.unix_client();
  starved.send("POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12");
  std::thread drip([&] {
    for (int i = 0; i < 30 && dripping.send(kHealth.substr(static_cast<std::size_t>(i), 1)); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  EXPECT_TRUE(idle.at_end(3000));
  EXPECT_EQ(dripping.answer().status, 408);
  EXPECT_EQ(starved.answer().status, 408);
  drip.join();
}

TEST(Http, GarbageIsRefusedAndHarmsNobody) {
  LiveServer server;
  RawClient bystander = server.unix_client();
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), std::string("hello\r\n\r\n"),
        std::string(100, '\0'), std::string("GET / HTTP/9.9\r\n\r\n"), std::string("GET /a b HTTP/1.1\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")}) {
    RawClient client = server.unix_client();
    client.send(bytes);
    client.end_writing();
    const int status = client.answer().status;
    EXPECT_TRUE(status == 0 || (status >= 400 && status < 500)) << status;
  }
  Prng random(7);
  for (int i = 0; i < 300; ++i) {
    RawClient client = server.unix_client();
    std::string bytes = kHealth + kHealth;
    const auto changes = random.between(1, 8);
    for (std::int64_t c = 0; c < changes; ++c)
      bytes[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(bytes.size())))] =
          static_cast<char>(random.below(256));
    client.send(bytes);
    client.end_writing();
    while (client.answer().status != 0) {}
  }
  EXPECT_EQ(bystander.get("/healthz").status, 200);
}

TEST(Http, WebPagesElsewhereMayNotAct) {
  LiveServer server;
  RawClient client = server.tcp_client();
  client.send("GET /v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(client.answer().status, 403);
  EXPECT_EQ(client.request("POST", "/v1/jobs/1/cancel", "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(client.request("POST", "/v1/jobs/1/cancel", "Origin: http://localhost\r\n").status, 404);
}

TEST(Http, StopsWithClientsConnected) {
  LiveServer server;
  RawClient idle = server.unix_client();
  RawClient watcher = server.unix_client();
  watcher.send("GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_FALSE(watcher.read_until("retry").empty());
  const auto job = server.submit();
  RawClient waiter = server.unix_client();
  waiter.send("GET /v1/jobs/" + std::to_string(job) + "/wait HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(idle.get("/healthz").status, 200);
  server.stop();
  EXPECT_TRUE(watcher.at_end(2000));
}

TEST(Http, ListensOnLoopbackOnlyAndNeverTakesALiveSocket) {
  LiveServer server;
  Inbox inbox;
  View view;
  const auto store = keeping_store();
  const auto listen = [&](const std::string& path, const std::string& address) {
    ApiOptions options;
    options.unix_path = path;
    options.tcp_address = address;
    ApiServer other(options, inbox, view, *store);
    return other.listen();
  };
  for (const char* address :
       {"0.0.0.0:7474", "[::]:7474", "192.168.1.1:80", "example.org:80", "7474", "127.0.0.1:", "127.0.0.1:99999"})
    EXPECT_EQ(listen("", address).error().code, ErrorCode::unsupported) << address;
  EXPECT_EQ(listen("", "").error().code, ErrorCode::invalid);
  EXPECT_EQ(listen("", server.tcp_address()).error().code, ErrorCode::conflict);
  EXPECT_EQ(listen(server.socket_path(), "").error().code, ErrorCode::conflict);
  EXPECT_EQ(listen(std::string(200, 'a'), "").error().code, ErrorCode::invalid);
  EXPECT_EQ(listen("/etc/hostname", "").error().code, ErrorCode::conflict);
  EXPECT_EQ(server.unix_client().get("/healthz").status, 200);
}

}  // namespace
}  // namespace berth::api
