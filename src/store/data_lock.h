// One daemon per data directory: a lock that the kernel drops when its holder dies, however that happens.
// For stores that keep files.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace berth {

class DataLock {
 public:
  // conflict if another process has it, with that process's id.
  static Result<DataLock> take(const std::filesystem::path& data_dir);
  DataLock() = default;
  DataLock(DataLock&& other) noexcept;
  DataLock& operator=(DataLock&& other) noexcept;
  ~DataLock();

 private:
  int descriptor_ = -1;
};

}  // namespace berth
