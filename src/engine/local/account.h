// Account: a user of this machine, as a job needs it. Looked up by the engine, never by the shim (a static program cannot).
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace berth {

struct Account {
  uid_t uid = 0;
  gid_t gid = 0;
  std::string name;
  std::string home;
  std::string shell;
  std::vector<gid_t> groups;
};

// By name, or by number if the machine has no entry for it. None: there is no such user.
std::optional<Account> find_account(const std::string& name);
// The one that this process runs as; with made-up fields if the machine does not know it.
Account own_account();

}  // namespace berth
