// Logs: bytes as they are, as they come, and nobody else's files.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "api/live_server_test.h"
#include "api/log_file.h"

namespace berth::api {
namespace {

class Logs : public ::testing::Test {
 protected:
  std::int64_t job_with_log(const std::string& path) {
    return server.submit(R"("command":["x"],"stdout_path":")" + path + "\"");
  }
  void write(const std::string& text, const std::string& name = "out.log") {
    std::ofstream(server.folder() + "/" + name, std::ios::app | std::ios::binary) << text;
  }
  HttpAnswer logs(std::int64_t job, const std::string& query = {}) {
    return client.get("/v1/jobs/" + std::to_string(job) + "/logs" + query);
  }

  LiveServer server;
  RawClient client = server.unix_client();
};

TEST_F(Logs, GiveTheBytesFromAnOffset) {
  const auto job = job_with_log(server.folder() + "/out.log");
  EXPECT_EQ(logs(job).status, 404);
  write("one\n\xff\xfe\0two\n");
  EXPECT_EQ(logs(job).body, "one\n\xff\xfe");
  write(std::string(300'000, 'x'));
  const HttpAnswer all = logs(job);
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(all.body.size(), 300'006u);
  EXPECT_EQ(logs(job, "?offset=300000").body, "xxxxxx");
  EXPECT_EQ(logs(job, "?offset=4").body.substr(0, 2), "\xff\xfe");
  EXPECT_EQ(logs(job, "?task=1").status, 404);
  EXPECT_EQ(logs(job, "?stream=both").status, 400);
  EXPECT_EQ(logs(job, "?stream=stderr").body.size(), all.body.size());
  EXPECT_EQ(logs(99).status, 404);
}

TEST_F(Logs, AreFollowedFromBeforeTheyExistUntilTheJobEnds) {
  const auto job = server.submit(R"("command":["x"],"hold":true,"stdout_path":")" + server.folder() + "/out.log\"");
  client.send("GET /v1/jobs/" + std::to_string(job) + "/logs?follow=true HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.head().status, 200);
  EXPECT_EQ(client.read_some(50), "");
  write("first\n");
  EXPECT_TRUE(server.command(command::Release{JobId(job)}).ok());
  EXPECT_NE(client.read_until("first").find("first"), std::string::npos);
  for (int i = 0; i < 20; ++i) {
    write("line " + std::to_string(i) + "\n");
    EXPECT_FALSE(client.read_until("line " + std::to_string(i), 2000).empty()) << i;
  }
  server.wait_for_state(job, JobState::running);
  write("last words");
  server.engine().end({JobId(job), 1}, 0);
  EXPECT_FALSE(client.read_until("\r\n0\r\n\r\n").empty());
  EXPECT_EQ(client.get("/healthz").status, 200);
}

TEST_F(Logs, AFollowerOfAnEndedJobIsNotKept) {
  const auto job = job_with_log(server.folder() + "/out.log");
  server.finish(job);
  EXPECT_EQ(logs(job, "?follow=true").status, 404);
  write("all of it");
  EXPECT_EQ(logs(job, "?follow=true").body, "all of it");
}

TEST_F(Logs, PathsCannotLeaveTheirPlace) {
  for (const char* target :
       {"/v1/jobs/../../etc/passwd", "/v1/jobs/%2e%2e%2f%2e%2e%2fetc%2fpasswd/logs",
        "/v1/jobs/1/logs/../../../../etc/passwd", "/v1/jobs/1%2f..%2f2/logs", "//etc/passwd", "/v1/jobs/..%00/logs"}) {
    const HttpAnswer answer = client.get(target);
    EXPECT_GE(answer.status, 400) << target;
    EXPECT_EQ(answer.body.find("root:"), std::string::npos);
  }
}

TEST_F(Logs, DevicesAndPipesAreNotRead) {
  const std::string pipe = server.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0666), 0);
  EXPECT_EQ(logs(job_with_log(pipe)).status, 501);
  EXPECT_EQ(logs(job_with_log("/dev/zero")).status, 501);
  EXPECT_EQ(logs(job_with_log(server.folder())).status, 501);
}

TEST_F(Logs, FilesOfOthersAreNotRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const std::string theirs = server.folder() + "/theirs";
  std::ofstream(theirs) << "secret";
  const std::string link = server.folder() + "/link";
  ASSERT_EQ(::symlink(theirs.c_str(), link.c_str()), 0);
  EXPECT_EQ(LogFile::open(theirs, 65534, false).error().code, ErrorCode::denied);
  EXPECT_EQ(LogFile::open(link, 65534, false).error().code, ErrorCode::denied);
  EXPECT_EQ(LogFile::open(theirs, std::nullopt, false).error().code, ErrorCode::denied);
  EXPECT_TRUE(LogFile::open(theirs, 65534, true).ok());
  ASSERT_EQ(::chown(theirs.c_str(), 65534, 65534), 0);
  EXPECT_TRUE(LogFile::open(link, 65534, false).ok());
}

TEST_F(Logs, AShorterFileIsReadAnew) {
  write("0123456789");
  LogFile file = std::move(LogFile::open(server.folder() + "/out.log", ::geteuid(), true)).value();
  std::uint64_t offset = 0;
  EXPECT_EQ(*file.read(offset, 4), "0123");
  EXPECT_EQ(*file.read(offset, 100), "456789");
  EXPECT_EQ(*file.read(offset, 100), "");
  ASSERT_EQ(::truncate((server.folder() + "/out.log").c_str(), 3), 0);
  EXPECT_EQ(*file.read(offset, 100), "012");
}

}  // namespace
}  // namespace berth::api
