// Small files that the shim writes and reads, without allocation. Files that others wait for appear by rename.
#pragma once

#include <cstddef>
#include <cstdint>

namespace berth::shim {

// Text built up in a fixed buffer; what does not fit is cut off.
class Line {
 public:
  Line& text(const char* s);
  Line& number(std::int64_t n);
  const char* c_str() const { return buffer_; }
  std::size_t size() const { return size_; }

 private:
  char buffer_[4096]{};
  std::size_t size_ = 0;
};

// Writes to a file that exists already (those of cgroups and /proc). errno on failure, else 0.
int write_to(const char* path, const char* text);
// Reads the beginning of a file; an empty string if it cannot be read.
std::size_t read_from(const char* path, char* buffer, std::size_t size);
// Creates `name` in the current directory with this text. durable: it has reached the disk when this returns.
bool put_file(const char* name, const Line& text, bool durable);
// The process's start in clock ticks since boot; 0 if there is none.
std::uint64_t start_time(int pid);

}  // namespace berth::shim
