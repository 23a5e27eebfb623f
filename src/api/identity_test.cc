// Who is calling, and what he may do.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/live_server_test.h"
#include "api/peer.h"

namespace berth::api {
namespace {

constexpr uid_t kOther = 65534;

// Runs `f` as another user in a process of its own; its result is the exit status.
template <class F>
int as_other(F&& f) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgid(kOther) != 0 || ::setuid(kOther) != 0) ::_exit(250);
    ::_exit(f());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 251;
}

int hundreds(int status) { return status / 100 * 10 + status % 10; }  // 403 -> 43, to fit an exit status

TEST(Identity, ReadsTheTableOfSockets) {
  const std::string table =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
      "   0: 0100007F:1D32 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1111 1 "
      "0000000000000000 100 0 0 10 0\n"
      "   1: 0100007F:C001 0100007F:1D32 01 00000000:00000000 00:00000000 00000000  1000        0 2222 1 "
      "0000000000000000 20 4 30 10 -1\n"
      "   2: 0100007F:C002 0100007F:1D32 05 00000000:00000000 03:00000000 00000000     0        0 0 1 0000000000000000 "
      "20 4 30 10 -1\n";
  EXPECT_EQ(owner_in_table(table, "0100007F:C001 0100007F:1D32"), 1000u);
  EXPECT_EQ(owner_in_table(table, "0100007F:C002 0100007F:1D32"), std::nullopt);  // nobody holds it: uid 0 says nothing
  EXPECT_EQ(owner_in_table(table, "0100007F:C003 0100007F:1D32"), std::nullopt);
  EXPECT_EQ(owner_in_table("", "x"), std::nullopt);
}

TEST(Identity, TheDaemonsOwnUserMayDoAllOnBothSockets) {
  LiveServer server;
  const std::string me = user_name(::geteuid());
  for (const bool tcp : {false, true}) {
    RawClient client = tcp ? server.tcp_client() : server.unix_client();
    const HttpAnswer answer = client.post("/v1/jobs", R"({"spec":{"command":["x"],"hold":true}})");
    ASSERT_EQ(answer.status, 201) << answer.body;
    const auto job = boost::json::serialize(answer.json().at("job"));
    EXPECT_EQ(client.get("/v1/jobs/" + job).json().at("user").as_string(), me.c_str());
    EXPECT_EQ(client.request("POST", "/v1/jobs/" + job + "/cancel").status, 200);
    EXPECT_EQ(client.post("/v1/nodes/n0/drain", R"({"reason":"x"})").status, 200);
    EXPECT_EQ(client.request("POST", "/v1/nodes/n0/undrain").status, 200);
  }
}

TEST(Identity, OthersActOnTheirOwnJobsOnly) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  LiveServer server;
  const auto mine = std::to_string(server.submit(R"("command":["x"],"hold":true,"env":{"TOKEN":"secret"})"));
  for (const bool tcp : {false, true}) {
    const auto request = [&](const std::string& method, const std::string& target, const std::string& body = {}) {
      return as_other([&] {
        RawClient client = tcp ? server.tcp_client() : server.unix_client();
        return hundreds(client.request(method, target, "Content-Type: application/json\r\n", body).status);
      });
    };
    EXPECT_EQ(request("GET", "/v1/jobs/" + mine), 20);
    EXPECT_EQ(request("POST", "/v1/jobs/" + mine + "/cancel"), 43);
    EXPECT_EQ(request("DELETE", "/v1/jobs/" + mine), 43);
    EXPECT_EQ(request("POST", "/v1/jobs/" + mine + "/release"), 43);
    EXPECT_EQ(request("GET", "/v1/jobs/" + mine + "/logs"), 43);
    EXPECT_EQ(request("POST", "/v1/nodes/n0/drain", R"({"reason":"x"})"), 43);
    EXPECT_EQ(request("POST", "/v1/nodes/n0/undrain"), 43);
    EXPECT_EQ(request("POST", "/v1/jobs", R"({"spec":{"command":["x"],"user":"root"}})"), 43);
    EXPECT_EQ(as_other([&] {
                RawClient client = tcp ? server.tcp_client() : server.unix_client();
                const bool secret = client.get("/v1/jobs/" + mine).body.find("secret") != std::string::npos;
                const HttpAnswer own = client.post("/v1/jobs", R"({"spec":{"command":["x"],"hold":true}})");
                if (secret || own.status != 201) return 1;
                const auto id = boost::json::serialize(own.json().at("job"));
                if (client.get("/v1/jobs/" + id).json().at("user").as_string() != user_name(kOther).c_str()) return 2;
                return client.request("DELETE", "/v1/jobs/" + id).status == 200 ? 0 : 3;
              }),
              0);
  }
  EXPECT_NE(server.unix_client().get("/v1/jobs/" + mine).body.find("secret"), std::string::npos);
}

TEST(Identity, TheOwnerDoesNotReleaseWhatAnAdministratorHolds) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  LiveServer server;
  EXPECT_EQ(
      as_other([&] {
        return server.unix_client().post("/v1/jobs", R"({"spec":{"command":["x"],"hold":true}})").status == 201 ? 0 : 1;
      }),
      0);
  RawClient admin = server.unix_client();
  const auto release = [&] {
    return as_other([&] { return hundreds(server.unix_client().request("POST", "/v1/jobs/1/release").status); });
  };
  EXPECT_TRUE(server.command(command::Release{JobId(1)}).ok());
  server.finish(1);
  EXPECT_EQ(
      as_other([&] {
        return server.unix_client().post("/v1/jobs", R"({"spec":{"command":["x"],"begin_ms":4000000000000}})").status ==
                       201
                   ? 0
                   : 1;
      }),
      0);
  EXPECT_EQ(admin.request("POST", "/v1/jobs/2/hold").status, 200);
  EXPECT_EQ(as_other([&] { return hundreds(server.unix_client().request("POST", "/v1/jobs/2/release").status); }), 43);
  EXPECT_EQ(admin.request("POST", "/v1/jobs/2/release").status, 200);
  EXPECT_EQ(as_other([&] { return hundreds(server.unix_client().request("POST", "/v1/jobs/2/hold").status); }), 20);
  EXPECT_EQ(as_other([&] { return hundreds(server.unix_client().request("POST", "/v1/jobs/2/release").status); }), 20);
  EXPECT_EQ(release(), 49);
}

}  // namespace
}  // namespace berth::api
