// Machine: what all attempts share on this node. Owned by the engine, used on its thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "engine/local/account.h"
#include "engine/local/cgroups.h"
#include "engine/local/event_loop.h"
#include "engine/local/local_options.h"
#include "engine/local/nursery.h"
#include "engine/local/run_dir.h"

namespace berth {

// Ports for MASTER_PORT: below the range that the kernel hands out by itself, free when taken, given to one attempt only.
class Ports {
 public:
  std::int32_t take(AttemptKey key);
  void give_back(std::int32_t port) { taken_.erase(port); }

 private:
  std::set<std::int32_t> taken_;
};

struct Machine {
  LocalOptions options;
  RunDir dirs;
  CgroupLayout cgroups;
  Account own;
  std::string boot;
  bool rebooted = false;  // since what lies in the run directory was written
  Ports ports;
  std::function<std::optional<std::int32_t>(const std::string& uuid)> cuda_index;
  std::function<std::string(const std::string& uuid)> gpu_trouble;  // in words; empty: the device is well
  Nursery nursery;
  EventLoop loop;
};

// Finds out what the options leave open.
LocalOptions completed(LocalOptions options);
std::string group_name(AttemptKey key, std::int32_t rank);

}  // namespace berth
