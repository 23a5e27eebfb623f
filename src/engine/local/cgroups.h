// Cgroups: which hierarchies of this machine berth may use, and which groups a task gets in them.
// Tracking (freeze, kill, "is anything left") goes through v2 wherever it is mounted, also beside v1; limits go through
// whichever hierarchy owns the controller. Found once at the start of the engine; the shim makes and removes the groups.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/amount.h"

namespace berth {

struct CgroupLayout {
  std::string track{};    // v2 directory for the groups of tasks; empty: no v2
  std::string freezer{};  // v1, only without v2
  bool v2_cpu = false;    // controllers that v2 owns and lets us use
  bool v2_memory = false;
  bool v2_pids = false;
  std::string cpu{};  // v1 directories of the controllers that v2 does not own; empty: not to be had
  std::string memory{};
  std::string pids{};
  friend bool operator==(const CgroupLayout&, const CgroupLayout&) = default;
};

// A mounted hierarchy and the process's own place in it, as a path of the file system.
struct Hierarchy {
  bool v2 = false;
  std::vector<std::string> controllers;  // v1 only
  std::string own;
};

// Pure: from the texts of /proc/self/mountinfo and /proc/self/cgroup.
std::vector<Hierarchy> read_hierarchies(std::string_view mountinfo, std::string_view own_groups);

// Makes berth's own groups, named by `instance`, and tries what works. Never fails: what does not work is left out.
CgroupLayout find_cgroups(const std::string& instance);
// One line for people.
std::string describe(const CgroupLayout& layout);

// Orders for the shim of the task with this name.
std::vector<std::string> task_group_orders(const CgroupLayout& layout, const std::string& name, MilliCpu cpus,
                                           Mib memory);
// Where a task's processes are found and killed; empty: no group.
std::string track_group(const CgroupLayout& layout, const std::string& name);
std::vector<pid_t> processes_in(const std::string& group);
void kill_group(const std::string& group);                                     // v2 at once; v1 one by one
bool group_is_empty(const std::string& group);                                 // one that does not exist is
void remove_task_groups(const CgroupLayout& layout, const std::string& name);  // left behind by a shim that was killed

}  // namespace berth
