// What a SQLite store refuses to open, and what it does when the disk is full.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "conformance/random_history.h"
#include "conformance/rows_text.h"
#include "conformance/temporary_directory.h"
#include "store/sqlite_store.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SqliteFailures : public testing::Test {
 protected:
  fs::path file() const { return directory_.path() / "berth.db"; }

  // A database with some history, closed.
  void fill(std::size_t events = 300) {
    RandomHistory history(1);
    auto store = open_sqlite_store(directory_.path());
    ASSERT_TRUE(store.ok()) << store.error().message;
    ASSERT_TRUE((*store)->append(history.take(events), history.state()).ok());
  }
  void run_sql(const std::string& sql) {
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &connection), SQLITE_OK);
    char* message = nullptr;
    ASSERT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
    sqlite3_close(connection);
  }
  Error refused() {
    auto store = open_sqlite_store(directory_.path());
    if (!store.ok()) return store.error();
    auto state = (*store)->load();
    if (!state.ok()) return state.error();
    ADD_FAILURE() << "it was opened and read";
    return {};
  }

  TemporaryDirectory directory_;
};

TEST_F(SqliteFailures, ANewerDatabaseIsRefusedWithBothVersions) {
  fill();
  run_sql("UPDATE meta SET schema_version = 9");
  const Error error = refused();
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.message, HasSubstr("version 9"));
  EXPECT_THAT(error.message, HasSubstr("up to 1"));
}

TEST_F(SqliteFailures, WhatIsNoDatabaseIsRefused) {
  std::ofstream(file()) << std::string(8192, 'x');
  EXPECT_EQ(refused().code, ErrorCode::corrupt);
}

TEST_F(SqliteFailures, AnEmptyFileIsRefused) {
  std::ofstream(file()).flush();
  EXPECT_EQ(refused().code, ErrorCode::corrupt);
}

TEST_F(SqliteFailures, AnotherProgramsDatabaseIsRefused) {
  run_sql("CREATE TABLE meta (schema_version INTEGER); INSERT INTO meta VALUES (1)");
  const Error error = refused();
  EXPECT_EQ(error.code, ErrorCode::corrupt);
  EXPECT_THAT(error.message, HasSubstr("not one of berth"));
}

TEST_F(SqliteFailures, ATornDatabaseIsRefusedWhereverItIsCut) {
  fill();
  const auto whole = fs::file_size(file());
  for (const auto size : {whole - 4096, whole / 2, whole / 4, std::uintmax_t{4096}, std::uintmax_t{100}}) {
    SCOPED_TRACE(size);
    fs::resize_file(file(), size);
    EXPECT_EQ(refused().code, ErrorCode::corrupt);
  }
}

TEST_F(SqliteFailures, GarbageInsideIsRefused) {
  fill();
  std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(4096 * 5);
  stream << std::string(8192, '\x5a');
  stream.close();
  EXPECT_EQ(refused().code, ErrorCode::corrupt);
}

TEST_F(SqliteFailures, AMissingFileBesideItsLogIsRefused) {
  std::ofstream(file().string() + "-wal") << "frames";
  const Error error = refused();
  EXPECT_EQ(error.code, ErrorCode::corrupt);
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(SqliteFailures, RowsThatCannotBeReadAreRefusedByName) {
  struct {
    const char* sql;
    const char* named;
  } const cases[] = {
      {"UPDATE job SET body = '{\"id\":' WHERE id = (SELECT max(id) FROM job WHERE in_memory = 1)", "job "},
      {"UPDATE job SET body = '{\"id\":999999}' WHERE id = (SELECT max(id) FROM job WHERE in_memory = 1)",
       "another id"},
      {"UPDATE node SET body = '{\"colour\":1}' WHERE id = 1", "node 1 has an unknown field"},
      {"DELETE FROM node WHERE id = 1", "follows a gap"},
      {"DELETE FROM spec", "has no spec"},
      {"DELETE FROM journal WHERE sequence = (SELECT max(sequence) FROM journal)", "1 events apart"},
      {"UPDATE policy SET body = '[]'", "policy is a list"},
      {"DELETE FROM meta", "impossible version"},
  };
  for (const auto& [sql, named] : cases) {
    SCOPED_TRACE(sql);
    fs::remove_all(directory_.path());
    fill();
    run_sql("INSERT INTO policy VALUES (1, '{}') ON CONFLICT DO NOTHING;" + std::string(sql));
    const Error error = refused();
    EXPECT_EQ(error.code, ErrorCode::corrupt);
    EXPECT_THAT(error.message, HasSubstr(named));
  }
}

TEST_F(SqliteFailures, ASecondDaemonIsRefusedWithTheFirstOnesPid) {
  auto first = open_sqlite_store(directory_.path());
  ASSERT_TRUE(first.ok());
  const auto second = open_sqlite_store(directory_.path());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::conflict);
  EXPECT_THAT(second.error().message, HasSubstr("process " + std::to_string(::getpid())));
  first->reset();
  EXPECT_TRUE(open_sqlite_store(directory_.path()).ok());
}

TEST_F(SqliteFailures, ADirectoryThatCannotBeMadeIsAnIoError) {
  std::ofstream(directory_.path() / "file") << "x";
  const auto store = open_sqlite_store(directory_.path() / "file" / "data");
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, ErrorCode::io);
}

// Runs `body` in a child process, so that limits and identities are its own; it answers with an exit status.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(SqliteFailures, AReadOnlyDirectoryIsAnIoError) {
  fill();
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0555), 0);
  const int answer = in_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 2;
    const auto store = open_sqlite_store(directory_.path());
    return !store.ok() && store.error().code == ErrorCode::io ? 0 : 1;
  });
  ::chmod(directory_.path().c_str(), 0755);
  EXPECT_EQ(answer, 0);
}

// Appends until there is no room; then the books must be those of the last append that succeeded, and go on once there
// is.
// Answers 0 if so, else the step that failed. `make_room` is called once.
template <class MakeRoom>
int fill_up_and_go_on(Store& store, ErrorCode expected, MakeRoom make_room) {
  RandomHistory history(4);
  for (int i = 0; i < 100'000; ++i) {
    const ClusterState before = history.state();
    const Events events = history.take(50);
    const Result<void> appended = store.append(events, history.state());
    if (appended.ok()) continue;
    if (appended.error().code != expected) return 3;
    if (store.append(events, history.state()).ok()) return 4;
    const auto kept = store.load();
    if (!kept.ok()) return 5;
    if (i > 0 && rows_text(*kept) != rows_text(before)) return 6;
    make_room();
    if (!store.append(events, history.state()).ok()) return 7;
    const auto after = store.load();
    return after.ok() && rows_text(*after) == rows_text(history.state()) ? 0 : 8;
  }
  return 9;
}

// SQLite hands on ENOSPC, but no other errno.
TEST_F(SqliteFailures, AFileThatMayNotGrowIsAnIoErrorAndNothingIsLost) {
  EXPECT_EQ(in_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              auto store = open_sqlite_store(directory_.path());
              if (!store.ok()) return 1;
              const rlimit small{600'000, RLIM_INFINITY};
              if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return 2;
              return fill_up_and_go_on(**store, ErrorCode::io, [] {
                const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
                ::setrlimit(RLIMIT_FSIZE, &none);
              });
            }),
            0);
  EXPECT_TRUE(open_sqlite_store(directory_.path()).ok());
}

TEST_F(SqliteFailures, AFullDiskIsExhaustedAndNothingIsLost) {
  if (::mount("berth-test", directory_.path().c_str(), "tmpfs", 0, "size=2m") != 0) {
    GTEST_SKIP() << "this user cannot mount a small file system";
  }
  {
    auto store = open_sqlite_store(directory_.path());
    ASSERT_TRUE(store.ok());
    EXPECT_EQ(
        fill_up_and_go_on(
            **store, ErrorCode::exhausted,
            [&] { EXPECT_EQ(::mount("berth-test", directory_.path().c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0); }),
        0);
  }
  EXPECT_TRUE(open_sqlite_store(directory_.path()).ok());
  ::umount(directory_.path().c_str());
}

}  // namespace
}  // namespace berth
