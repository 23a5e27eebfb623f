// Child: one process started by posix_spawn, ended and reaped at the latest by the destructor.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace berth::bench {

class Child {
 public:
  // Standard output and error go to `output` (a path; empty: /dev/null).
  explicit Child(const std::vector<std::string>& command, const std::string& output = "");
  ~Child();
  Child(Child&& other) noexcept : pid_(other.pid_) { other.pid_ = -1; }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child& operator=(Child&&) = delete;

  pid_t pid() const { return pid_; }
  int wait();                 // the exit status
  void stop(int timeout_ms);  // SIGTERM, then SIGKILL

 private:
  pid_t pid_ = -1;  // -1: reaped
};

}  // namespace berth::bench
