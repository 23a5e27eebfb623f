// The birth of the job's first process: in its cgroup, its own session, with its own user, directory, files and environment.
#pragma once

#include <sys/types.h>

#include "engine/local/shim/orders.h"
#include "engine/local/shim_contract.h"

namespace berth::shim {

struct Birth {
  pid_t pid = -1;
  Stage stage = Stage::none;  // none: the program runs
  int error = 0;              // errno
};

// Returns when the program has been exec'd, or when that failed (then no process is left).
Birth give_birth(const Orders& orders);

}  // namespace berth::shim
