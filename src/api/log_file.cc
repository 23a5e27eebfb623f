#include "api/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace berth::api {
namespace {

Error failure(const std::string& path) {
  const bool missing = errno == ENOENT || errno == ENOTDIR;
  return {missing ? ErrorCode::not_found : ErrorCode::io, "cannot read " + path + ": " + std::strerror(errno),
          missing ? "it appears when the job starts to run" : ""};
}

Result<void> may_be_read(const struct stat& status, const std::string& path, std::optional<uid_t> owner,
                         bool for_admin) {
  if (!S_ISREG(status.st_mode))
    return Error{ErrorCode::unsupported, path + " is no regular file", "logs are read from files only"};
  const uid_t daemon = ::geteuid();
  const bool his = owner && status.st_uid == *owner;
  if (for_admin || his || (daemon != 0 && status.st_uid == daemon)) return {};
  return Error{ErrorCode::denied, path + " does not belong to the job's user", "read it by other means if you may"};
}

}  // namespace

LogFile::LogFile(LogFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

LogFile& LogFile::operator=(LogFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

LogFile::~LogFile() {
  if (fd_ >= 0) ::close(fd_);
}

// O_PATH opens nothing that could block or act (a FIFO, a device); what was checked is then opened by its descriptor.
Result<LogFile> LogFile::open(const std::string& path, std::optional<uid_t> owner, bool for_admin) {
  const int handle = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (handle < 0) return failure(path);
  const LogFile found(handle);
  struct stat status {};
  if (::fstat(handle, &status) != 0) return failure(path);
  if (auto allowed = may_be_read(status, path, owner, for_admin); !allowed) return allowed.error();
  const int fd =
      ::open(("/proc/self/fd/" + std::to_string(handle)).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return failure(path);
  return LogFile(fd);
}

Result<std::string> LogFile::read(std::uint64_t& offset, std::size_t limit) const {
  struct stat status {};
  if (::fstat(fd_, &status) == 0 && static_cast<std::uint64_t>(status.st_size) < offset) offset = 0;
  std::string bytes(limit, '\0');
  const ssize_t n = ::pread(fd_, bytes.data(), limit, static_cast<off_t>(offset));
  if (n < 0) return Error{ErrorCode::io, std::string("cannot read the log: ") + std::strerror(errno), ""};
  bytes.resize(static_cast<std::size_t>(n));
  offset += static_cast<std::uint64_t>(n);
  return bytes;
}

}  // namespace berth::api
