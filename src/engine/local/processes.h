// What /proc says about processes: who descends from whom, since when, and which signals they catch.
// All answers are of a moment that is over when they arrive; a process that is gone simply isn't in them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace berth {

struct ProcessId {
  pid_t pid = 0;
  std::uint64_t start = 0;  // clock ticks since boot; with pid it names one process for good
};

std::string boot_id();
std::uint64_t start_of(pid_t pid);              // 0: no such process
bool is_alive(const ProcessId& process);        // zombies count as dead
std::vector<pid_t> descendants_of(pid_t root);  // without root itself
// True if the process has a handler for the signal. One that ignores it or would die of it has none.
bool catches(pid_t pid, int signal_number);
// Processes that were started with all of these "KEY=value".
std::vector<pid_t> with_environment(const std::vector<std::string>& variables);
// The process and its ancestors, nearest first.
std::vector<pid_t> ancestry_of(pid_t pid);

}  // namespace berth
