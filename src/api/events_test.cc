// The event stream: nothing lost, nothing kept for the slow.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <fstream>

#include "api/live_server_test.h"

namespace berth::api {
namespace {

const std::string kEnd = " HTTP/1.1\r\nHost: x\r\n\r\n";

// The sequence numbers in a piece of a stream; `rest` keeps what is not whole.
std::vector<std::uint64_t> ids_in(std::string& rest) {
  std::vector<std::uint64_t> ids;
  for (auto at = rest.find("id: "); at != std::string::npos; at = rest.find("id: ", at + 1)) {
    const auto end = rest.find('\n', at);
    if (end == std::string::npos || rest.find("\n\n", at) == std::string::npos) {
      rest.erase(0, at);
      return ids;
    }
    ids.push_back(std::stoull(rest.substr(at + 4, end - at - 4)));
  }
  rest.clear();
  return ids;
}

std::int64_t memory_kib() {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;)
    if (word == "VmRSS:") {
      std::int64_t kib = 0;
      in >> kib;
      return kib;
    }
  return 0;
}

std::int64_t wakeups(int thread) {
  std::ifstream in("/proc/self/task/" + std::to_string(thread) + "/status");
  for (std::string word; in >> word;)
    if (word == "voluntary_ctxt_switches:") {
      std::int64_t n = 0;
      in >> n;
      return n;
    }
  return -1;
}

TEST(Events, TellWhatHappensAndNothingPrivate) {
  LiveServer server;
  RawClient client = server.unix_client();
  client.send("GET /v1/events" + kEnd);
  const HttpAnswer head = client.head();
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-type"), "text/event-stream");
  server.finish(server.submit(R"("command":["x"],"env":{"HF_TOKEN":"secret"},"name":"seen")"));
  const std::string text = client.read_until("job_ended");
  for (const char* part : {"event: job_submitted\ndata: {", "event: attempt_started", "\"name\":\"seen\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  EXPECT_EQ(text.find("secret"), std::string::npos);
}

TEST(Events, RefuseAPlaceThatIsNot) {
  LiveServer server;
  RawClient client = server.unix_client();
  EXPECT_EQ(client.get("/v1/events?after=100000").status, 409);
  EXPECT_EQ(client.get("/v1/events?after=x").status, 400);
  EXPECT_EQ(client.request("GET", "/v1/events", "Last-Event-ID: abc\r\n").status, 400);
  EXPECT_EQ(client.request("HEAD", "/v1/events").status, 200);
  EXPECT_EQ(client.get("/healthz").status, 200);
}

// A client that is cut again and again while thousands of events happen, more than memory holds, sees each exactly once.
TEST(Events, ResumeLosesNothing) {
  LiveServer server;
  std::thread load([&] {
    RawClient client = server.unix_client();
    std::string body = R"({"specs":[)";
    for (int i = 0; i < 500; ++i) body += std::string(i ? "," : "") + R"({"command":["true"],"hold":true})";
    for (int i = 0; i < 30; ++i) EXPECT_EQ(client.post("/v1/jobs", body + "]}").status, 201);
  });
  std::uint64_t last = 0;
  const auto follow = [&](int reads) {
    RawClient client = server.unix_client();
    client.send("GET /v1/events?after=0 HTTP/1.1\r\nHost: x\r\nLast-Event-ID: " + std::to_string(last) + "\r\n\r\n");
    std::string rest;
    for (int i = 0; i < reads; ++i) {
      const std::string more = client.read_some(300);
      if (more.empty()) return;
      rest += more;
      for (const std::uint64_t id : ids_in(rest)) {
        ASSERT_EQ(id, last + 1);
        last = id;
      }
    }
  };
  for (int i = 0; i < 40; ++i) follow(1 + i % 5);
  load.join();
  const auto all = server.view().read([](const Snapshot& s) { return s.state.sequence; });
  for (int i = 0; i < 100 && last < all; ++i) follow(1000);
  EXPECT_EQ(last, all);
  EXPECT_GT(all, 15'000u);
}

TEST(Events, AThousandWatchersAreCheapAndAllHear) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur < 2200) GTEST_SKIP() << "needs 2200 descriptors";
  LiveServer server;
  server.submit();
  const auto before = ::mallinfo2().uordblks;
  std::vector<RawClient> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.push_back(server.unix_client());
    clients.back().send("GET /v1/events" + kEnd);
  }
  for (RawClient& client : clients) ASSERT_FALSE(client.read_until("after").empty());
  const auto each = static_cast<std::int64_t>(::mallinfo2().uordblks - before) / 1000;
  RecordProperty("bytes_per_watcher", static_cast<int>(each));
  std::printf("1,000 watchers: %ld bytes each\n", static_cast<long>(each));
  EXPECT_LT(each, 4 * 1024);
  const auto job = server.submit(R"("command":["x"],"name":"heard")");
  for (RawClient& client : clients) ASSERT_FALSE(client.read_until("heard").empty());
  server.finish(job);
}

// It takes nothing for so long that memory no longer has what comes next: it is told where to go on, and others notice nothing.
TEST(Events, ASlowWatcherCostsLittleAndIsCutOff) {
  LiveServer server;
  RawClient slow = server.unix_client();
  const int small = 4096;
  ::setsockopt(slow.fd(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  slow.send("GET /v1/events" + kEnd);
  ASSERT_FALSE(slow.read_until("after").empty());
  RawClient busy = server.unix_client();
  std::string body = R"({"specs":[)";
  for (int i = 0; i < 1000; ++i) body += std::string(i ? "," : "") + R"({"command":["true"],"hold":true})";
  const std::int64_t before = memory_kib();
  for (int i = 0; i < 15; ++i) ASSERT_EQ(busy.post("/v1/jobs", body + "]}").status, 201);
  EXPECT_EQ(busy.get("/healthz").status, 200);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // takes several times the memory
  constexpr std::int64_t kMostMib = 800;
#else
  constexpr std::int64_t kMostMib = 200;
#endif
  EXPECT_LT(memory_kib() - before, kMostMib * 1024);  // the jobs themselves
  const std::string all = slow.read_until("\r\n0\r\n\r\n", 20'000);
  EXPECT_NE(all.find("too slow; go on with after="), std::string::npos);
  ASSERT_FALSE(all.empty());
}

TEST(Events, AnIdleServerSleeps) {
  LiveServer server;
  RawClient watcher = server.unix_client();
  watcher.send("GET /v1/events" + kEnd);
  ASSERT_FALSE(watcher.read_until("after").empty());
  RawClient kept = server.unix_client();
  EXPECT_EQ(kept.get("/healthz").status, 200);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const std::int64_t before = wakeups(server.server_thread());
  std::this_thread::sleep_for(std::chrono::milliseconds(2000));
  EXPECT_EQ(wakeups(server.server_thread()), before);
}

}  // namespace
}  // namespace berth::api
