// SQLite's C API with owners and Results: a connection and its prepared statements. One thread at a time each.
// For sqlite_*.cc only; statements must not outlive their connection.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth {

class Statement {
 public:
  Statement() = default;

  // Values from the first parameter on. Texts are not copied: they must live until run() or the last step().
  template <class... Values>
  void bind(const Values&... values) {
    int index = 0;
    (bind_one(++index, values), ...);
  }
  // True: there is a row. After false or an error the statement can be bound again.
  Result<bool> step();
  template <class... Values>
  Result<void> run(const Values&... values) {
    bind(values...);
    Result<bool> more = step();
    reset();
    if (!more) return more.error();
    return {};
  }
  void reset();

  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string_view text(int column) const;  // until the next step

 private:
  friend class Database;
  void bind_one(int index, std::int64_t value) { sqlite3_bind_int64(statement_.get(), index, value); }
  void bind_one(int index, std::string_view value) {
    sqlite3_bind_text64(statement_.get(), index, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
  }

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Mode { create, write, read };

  Database() = default;
  static Result<Database> open(const std::filesystem::path& file, Mode mode);

  Result<void> run(const char* sql);
  Result<Statement> prepare(std::string_view sql);
  Result<std::int64_t> integer_of(std::string_view sql);  // the first column of the first row
  Result<std::string> text_of(std::string_view sql);
  bool in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace berth
