// The database file: its tables, its version, and what must be true before a single row of it is believed.
// For sqlite_store.cc only.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "store/sqlite.h"

namespace berth {

inline constexpr std::int64_t kSchemaVersion = 1;
inline constexpr std::string_view kDatabaseName = "berth.db";

// Opens the database in `data_dir` for writing, making it first if there is none: wholly or not at all. Errors:
// unsupported (written by a newer version), corrupt (damaged, or no database of berth), io, exhausted.
Result<Database> open_database(const std::filesystem::path& data_dir);
// A second connection that only reads.
Result<Database> open_database_for_reading(const std::filesystem::path& data_dir);

}  // namespace berth
