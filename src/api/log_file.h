// LogFile: a job's log, opened so that nobody reads with the daemon's rights what he could not read himself: it must be a
// regular file that belongs to the job's user. Where the daemon is not root, jobs run as its own user, and the file is his.
// Loop's thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace berth::api {

class LogFile {
 public:
  LogFile() = default;
  LogFile(LogFile&& other) noexcept;
  LogFile& operator=(LogFile&& other) noexcept;
  ~LogFile();

  // not_found: there is no such file (yet). `owner`: the job's user, none if the machine does not know him.
  static Result<LogFile> open(const std::string& path, std::optional<uid_t> owner, bool for_admin);

  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  // Up to `limit` bytes from `offset`; empty at the end. A file that is shorter than `offset` was begun anew: offset
  // becomes 0.
  Result<std::string> read(std::uint64_t& offset, std::size_t limit) const;

 private:
  explicit LogFile(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace berth::api
