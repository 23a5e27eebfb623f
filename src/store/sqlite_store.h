// The store of a single daemon: one SQLite file in its data directory, write-ahead log, synced at every append.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "ports/store.h"

namespace berth {

// Makes the directory and the database if they are not there. Errors: conflict (another daemon uses the directory),
// unsupported (written by a newer version), corrupt, exhausted, io.
Result<std::unique_ptr<Store>> open_sqlite_store(const std::filesystem::path& data_dir);

}  // namespace berth
