#include "store/sqlite_schema.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <system_error>

namespace berth {
namespace {

namespace fs = std::filesystem;

// "brth", in the file's header: tells a database of berth from any other.
constexpr std::int64_t kApplicationId = 0x62727468;

// Columns beside `body` are for queries of berth and of people; `body` is the whole row as JSON (wire/state_json.h).
constexpr const char* kTables = R"sql(
CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  schema_version INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  now_ms INTEGER NOT NULL,
  next_job INTEGER NOT NULL
) STRICT;
CREATE TABLE journal (sequence INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE spec (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  spec INTEGER NOT NULL REFERENCES spec (id),
  state TEXT NOT NULL,
  queue INTEGER NOT NULL,
  user TEXT NOT NULL,
  name TEXT NOT NULL,
  submitted_ms INTEGER NOT NULL,
  ended_ms INTEGER NOT NULL,
  is_ended INTEGER NOT NULL,
  in_memory INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX job_in_memory ON job (id) WHERE in_memory = 1;
CREATE INDEX job_ended ON job (id) WHERE is_ended = 1;
CREATE TABLE allocation (job INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE node (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  launch_failures TEXT NOT NULL
) STRICT;
CREATE TABLE queue (id INTEGER PRIMARY KEY, name TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE policy (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL) STRICT;
)sql";

Error corrupt(const fs::path& file, const std::string& why) {
  return {ErrorCode::corrupt, "the database " + file.string() + " " + why,
          "restore the data directory from a backup, or start with a new one (--data DIR)"};
}

// A rename is durable only when the directory is.
Result<void> sync_directory(const fs::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool good = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  if (good) return {};
  return Error{ErrorCode::io, "cannot sync the directory " + directory.string(), "a local disk (--data DIR)"};
}

Result<void> write_tables(const fs::path& file) {
  Result<Database> database = Database::open(file, Database::Mode::create);
  if (!database) return database.error();
  const std::string sql = "PRAGMA synchronous = FULL; PRAGMA application_id = " + std::to_string(kApplicationId) +
                          "; BEGIN IMMEDIATE;" + kTables + "INSERT INTO meta VALUES (1, " +
                          std::to_string(kSchemaVersion) + ", 0, 0, 1); COMMIT;";
  return database->run(sql.c_str());
}

// Under another name first, so that a crash in between leaves either no database or a whole one.
Result<void> create(const fs::path& file) {
  const fs::path unfinished = file.string() + ".new";
  std::error_code failure;
  fs::remove(unfinished, failure);
  fs::remove(unfinished.string() + "-journal", failure);
  if (auto written = write_tables(unfinished); !written) return written.error();
  fs::rename(unfinished, file, failure);
  if (failure) return Error{ErrorCode::io, "cannot make " + file.string() + ": " + failure.message(), ""};
  return sync_directory(file.parent_path());
}

Result<void> check_version(Database& database, const fs::path& file) {
  const Result<std::int64_t> application = database.integer_of("PRAGMA application_id");
  if (!application) return application.error();
  if (*application != kApplicationId) return corrupt(file, "is not one of berth");
  const Result<std::int64_t> version = database.integer_of("SELECT schema_version FROM meta");
  if (!version) return corrupt(file, "has no version: " + version.error().message);
  if (*version > kSchemaVersion) {
    return Error{ErrorCode::unsupported,
                 "the database " + file.string() + " has schema version " + std::to_string(*version) +
                     "; this berth knows versions up to " + std::to_string(kSchemaVersion),
                 "use the newer berth that wrote it, or another directory (--data DIR)"};
  }
  if (*version < 1) return corrupt(file, "has the impossible version " + std::to_string(*version));
  return {};
}

Result<void> check_pages(Database& database, const fs::path& file) {
  const Result<std::string> verdict = database.text_of("PRAGMA quick_check(1)");
  if (!verdict) return verdict.error();
  if (*verdict != "ok") return corrupt(file, "is damaged: " + *verdict);
  return {};
}

Result<void> check_journal(Database& database, const fs::path& file) {
  const Result<std::int64_t> gap =
      database.integer_of("SELECT (SELECT sequence FROM meta) - (SELECT coalesce(max(sequence), 0) FROM journal)");
  if (!gap) return gap.error();
  if (*gap != 0) {
    return corrupt(file, "is damaged: its rows and its journal are " + std::to_string(*gap) + " events apart");
  }
  return {};
}

Result<void> make_durable(Database& database, const fs::path& file) {
  const Result<std::string> mode = database.text_of("PRAGMA journal_mode = WAL");
  if (!mode) return mode.error();
  if (*mode != "wal") {
    return Error{ErrorCode::io, "the database " + file.string() + " cannot keep a write-ahead log here",
                 "a local disk that can map files (--data DIR)"};
  }
  return database.run("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864");
}

// True if there is a database to open, false if there is none yet.
Result<bool> look(const fs::path& file) {
  std::error_code failure;
  if (fs::exists(file, failure)) {
    if (fs::file_size(file, failure) == 0) return corrupt(file, "is empty");
    return true;
  }
  if (failure) return Error{ErrorCode::io, "cannot look for " + file.string() + ": " + failure.message(), ""};
  if (fs::exists(file.string() + "-wal", failure)) return corrupt(file, "is gone, but its write-ahead log is there");
  return false;
}

}  // namespace

Result<Database> open_database(const fs::path& data_dir) {
  const fs::path file = data_dir / kDatabaseName;
  const Result<bool> there = look(file);
  if (!there) return there.error();
  if (!*there) {
    if (auto created = create(file); !created) return created.error();
  }
  Result<Database> database = Database::open(file, Database::Mode::write);
  if (!database) return database.error();
  for (const auto check : {check_version, check_pages, check_journal, make_durable}) {
    if (auto good = check(*database, file); !good) return good.error();
  }
  return database;
}

Result<Database> open_database_for_reading(const fs::path& data_dir) {
  return Database::open(data_dir / kDatabaseName, Database::Mode::read);
}

}  // namespace berth
