// Starts one berth-shim, with its lock and status pipe, in its task's directory. Engine's thread only.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/local/account.h"
#include "engine/local/descriptor.h"
#include "engine/local/nursery.h"
#include "wire/log_path.h"

namespace berth {

struct TaskOrder {
  std::string shim_path;
  std::string dir;  // the task's
  std::string boot;
  std::vector<std::string> group_orders;  // of cgroups.h
  std::optional<Account> drop_to;
  std::string workdir;
  LogPaths logs;
  bool append = false;
  std::vector<std::string> argv;
  std::vector<std::string> environment;
};

struct StartedShim {
  pid_t pid = -1;     // -1: a child of the nursery; it says its number itself
  Descriptor status;  // read end, non-blocking
  int error = 0;      // errno; 0: the shim runs
};

// `lock` is the task's, taken; it passes to the shim. By the nursery where that can do it, else by itself.
StartedShim start_shim(const TaskOrder& order, Descriptor lock, Nursery& nursery);

}  // namespace berth
