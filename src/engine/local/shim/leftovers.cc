#include "engine/local/shim/leftovers.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "engine/local/shim/records.h"

namespace berth::shim {
namespace {

constexpr std::size_t kListSize = 1 << 16;
constexpr long kFirstPauseNs = 500'000;
constexpr long kLongestPauseNs = 100'000'000;
constexpr int kDeepestGroup = 16;

char list[kListSize];

void kill_listed(const char* file) {
  read_from(file, list, sizeof list);
  for (char* p = list; *p != '\0';) {
    char* end = nullptr;
    const long pid = std::strtol(p, &end, 10);
    if (end == p) break;
    if (pid > 0) kill(static_cast<pid_t>(pid), SIGKILL);
    p = end;
    while (*p == ' ' || *p == '\n') ++p;
  }
}

// Children only: those of a killed child become ours, and the next round has them. Nobody else reaps them, so no number
// in the list can have passed to a stranger.
void kill_children() {
  Line file;
  file.text("/proc/self/task/").number(getpid()).text("/children");
  kill_listed(file.c_str());
}

// Frozen first, so that nothing forks away while the list is read.
void kill_frozen(const char* group) {
  Line state, procs;
  state.text(group).text("/freezer.state");
  procs.text(group).text("/cgroup.procs");
  write_to(state.c_str(), "FROZEN");
  char now[32];
  for (int tries = 0; tries < 50; ++tries) {
    read_from(state.c_str(), now, sizeof now);
    if (std::strncmp(now, "FROZEN", 6) == 0) break;
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  kill_listed(procs.c_str());
  write_to(state.c_str(), "THAWED");
}

// A job may have made groups below its own; they go first.
bool remove_group(const char* path, int depth) {
  if (rmdir(path) == 0 || errno == ENOENT) return true;
  DIR* dir = depth < kDeepestGroup ? opendir(path) : nullptr;
  if (dir == nullptr) return false;
  while (const dirent* entry = readdir(dir)) {
    if (entry->d_type != DT_DIR || entry->d_name[0] == '.') continue;
    Line below;
    remove_group(below.text(path).text("/").text(entry->d_name).c_str(), depth + 1);
  }
  closedir(dir);
  return rmdir(path) == 0;
}

bool remove_groups(const Orders& o) {
  for (int i = 0; i < o.late_group_count; ++i) remove_group(o.late_groups[i], 0);
  if (o.track != nullptr && !remove_group(o.track, 0)) return false;
  return o.freezer == nullptr || remove_group(o.freezer, 0);
}

bool no_children() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {}
  return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
}

}  // namespace

void kill_everything(const Orders& orders) {
  if (orders.track != nullptr) {
    Line file;
    write_to(file.text(orders.track).text("/cgroup.kill").c_str(), "1");
  } else if (orders.freezer != nullptr) {
    kill_frozen(orders.freezer);
  }
  kill_children();
}

void end_leftovers(const Orders& orders) {
  if (no_children() && remove_groups(orders)) return;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  for (long pause_ns = kFirstPauseNs;; pause_ns = pause_ns < kLongestPauseNs ? pause_ns * 2 : pause_ns) {
    kill_everything(orders);
    const timespec pause{0, pause_ns};
    sigtimedwait(&child, nullptr, &pause);
    if (no_children() && remove_groups(orders)) return;
  }
}

}  // namespace berth::shim
