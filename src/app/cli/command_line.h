// The command line of `berth`: parses it and runs what it asks for. The only file that knows CLI11 is command_line.cc.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace berth {

// What `berth serve` was told; empty: not told.
struct ServeOptions {
  std::string config;
  std::string data;
  std::string listen;
  std::string socket;
};

// `words` without the program's name; `serve` is the daemon, which the client's commands know nothing of. Returns the exit
// status.
int run_command_line(const std::vector<std::string>& words, const std::function<int(const ServeOptions&)>& serve);

}  // namespace berth
