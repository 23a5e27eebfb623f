#include "engine/local/shim/records.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace berth::shim {

Line& Line::text(const char* s) {
  for (; *s != '\0' && size_ + 1 < sizeof buffer_; ++s) buffer_[size_++] = *s;
  return *this;
}

Line& Line::number(std::int64_t n) {
  char digits[24];
  char* p = digits + sizeof digits - 1;
  *p = '\0';
  const bool negative = n < 0;
  auto rest = negative ? -static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  do {
    *--p = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (negative) *--p = '-';
  return text(p);
}

int write_to(const char* path, const char* text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int error = write(fd, text, std::strlen(text)) < 0 ? errno : 0;
  close(fd);
  return error;
}

std::size_t read_from(const char* path, char* buffer, std::size_t size) {
  buffer[0] = '\0';
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t n = read(fd, buffer, size - 1);
  close(fd);
  const std::size_t length = n > 0 ? static_cast<std::size_t>(n) : 0;
  buffer[length] = '\0';
  return length;
}

bool put_file(const char* name, const Line& text, bool durable) {
  Line temporary;
  temporary.text(name).text(".new");
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  bool done = write(fd, text.c_str(), text.size()) == static_cast<ssize_t>(text.size());
  if (durable) done = fsync(fd) == 0 && done;
  close(fd);
  if (!done || rename(temporary.c_str(), name) != 0) return false;
  if (!durable) return true;
  const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (here < 0) return false;
  done = fsync(here) == 0;
  close(here);
  return done;
}

std::uint64_t start_time(int pid) {
  Line path;
  path.text("/proc/").number(pid).text("/stat");
  char buffer[1024];
  read_from(path.c_str(), buffer, sizeof buffer);
  // The name of the program stands in parentheses and may hold anything, so count from the last one.
  const char* p = std::strrchr(buffer, ')');
  if (p == nullptr) return 0;
  ++p;
  for (int field = 0; field < 19 && p != nullptr; ++field) p = std::strchr(p + 1, ' ');
  return p == nullptr ? 0 : std::strtoull(p, nullptr, 10);
}

}  // namespace berth::shim
