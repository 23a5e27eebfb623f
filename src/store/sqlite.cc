#include "store/sqlite.h"

namespace berth {
namespace {

constexpr int kBusyTimeoutMs = 5000;

ErrorCode code_of(int result) {
  switch (result & 0xff) {
    case SQLITE_FULL:
    case SQLITE_NOMEM:
      return ErrorCode::exhausted;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CONSTRAINT:
      return ErrorCode::corrupt;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::conflict;
    case SQLITE_TOOBIG:
      return ErrorCode::too_large;
    default:
      return ErrorCode::io;
  }
}

std::string hint_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::exhausted:
      return "make room on the disk that holds the data directory; nothing was written";
    case ErrorCode::corrupt:
      return "restore the data directory from a backup, or start with a new one (--data DIR)";
    case ErrorCode::conflict:
      return "end the other program that has the database open";
    default:
      return "see whether the data directory can be read and written";
  }
}

Error error_of(sqlite3* connection) {
  if (!connection) return {ErrorCode::exhausted, "the database: out of memory", ""};
  const char* file = sqlite3_db_filename(connection, "main");
  const ErrorCode code = code_of(sqlite3_errcode(connection));
  return {code, "the database " + std::string(file ? file : "") + ": " + sqlite3_errmsg(connection), hint_of(code)};
}

}  // namespace

Result<bool> Statement::step() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW:
      return true;
    case SQLITE_DONE:
      sqlite3_reset(statement_.get());
      return false;
    default:
      break;
  }
  Error error = error_of(sqlite3_db_handle(statement_.get()));
  sqlite3_reset(statement_.get());
  return error;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return data ? std::string_view(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
}

Result<Database> Database::open(const std::filesystem::path& file, Mode mode) {
  const int flags = mode == Mode::read    ? SQLITE_OPEN_READONLY
                    : mode == Mode::write ? SQLITE_OPEN_READWRITE
                                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(file.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database;
  database.connection_.reset(opened);
  if (result != SQLITE_OK) return error_of(opened);
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, kBusyTimeoutMs);
  return database;
}

Result<void> Database::run(const char* sql) {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error_of(connection_.get());
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* prepared = nullptr;
  const int result = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
  if (result != SQLITE_OK) return error_of(connection_.get());
  Statement statement;
  statement.statement_.reset(prepared);
  return statement;
}

Result<std::int64_t> Database::integer_of(std::string_view sql) {
  Result<Statement> statement = prepare(sql);
  if (!statement) return statement.error();
  const Result<bool> row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : std::int64_t{0};
}

Result<std::string> Database::text_of(std::string_view sql) {
  Result<Statement> statement = prepare(sql);
  if (!statement) return statement.error();
  const Result<bool> row = statement->step();
  if (!row) return row.error();
  return *row ? std::string(statement->text(0)) : std::string();
}

}  // namespace berth
