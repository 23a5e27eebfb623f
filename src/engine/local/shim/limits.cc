#include "engine/local/shim/limits.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "engine/local/shim/records.h"

namespace berth::shim {
namespace {

constexpr int kMostMoved = 4096;
constexpr int kMostRounds = 16;

int make_group(const char* path) { return path == nullptr || mkdir(path, 0755) == 0 || errno == EEXIST ? 0 : errno; }

void move_into_late_groups(const Orders& o, long pid) {
  Line number;
  number.number(pid);
  for (int i = 0; i < o.late_group_count; ++i) {
    Line procs;
    write_to(procs.text(o.late_groups[i]).text("/cgroup.procs").c_str(), number.c_str());
  }
}

// Processes that were moved already are remembered; a round that finds no new one has caught all, since the children of
// a moved process are born where it is.
class Sweep {
 public:
  bool move_new(const Orders& o, const char* procs_file) {
    static char list[1 << 16];
    read_from(procs_file, list, sizeof list);
    bool moved = false;
    for (char* p = list; *p != '\0';) {
      char* end = nullptr;
      const long pid = std::strtol(p, &end, 10);
      if (end == p) break;
      p = *end == '\0' ? end : end + 1;
      if (known(pid) || count_ == kMostMoved) continue;
      move_into_late_groups(o, pid);
      pids_[count_++] = pid;
      moved = true;
    }
    return moved;
  }

 private:
  bool known(long pid) const {
    for (int i = 0; i < count_; ++i)
      if (pids_[i] == pid) return true;
    return false;
  }

  long pids_[kMostMoved]{};
  int count_ = 0;
};

}  // namespace

int make_groups(const Orders& orders) {
  if (const int error = make_group(orders.track)) return error;
  if (const int error = make_group(orders.freezer)) return error;
  for (int i = 0; i < orders.early_count; ++i) write_to(orders.early[i].file, orders.early[i].value);
  return 0;
}

void apply_late_limits(const Orders& orders, int job_pid) {
  if (orders.late_group_count == 0) return;
  for (int i = 0; i < orders.late_group_count; ++i) make_group(orders.late_groups[i]);
  for (int i = 0; i < orders.late_count; ++i) write_to(orders.late[i].file, orders.late[i].value);
  if (orders.track == nullptr && orders.freezer == nullptr) return move_into_late_groups(orders, job_pid);
  Line procs;
  procs.text(orders.track != nullptr ? orders.track : orders.freezer).text("/cgroup.procs");
  static Sweep sweep;
  for (int round = 0; round < kMostRounds && sweep.move_new(orders, procs.c_str()); ++round) {}
}

std::int64_t peak_mib(const Orders& orders) {
  char text[64];
  if (orders.peak == nullptr || read_from(orders.peak, text, sizeof text) == 0) return 0;
  return std::strtoll(text, nullptr, 10) >> 20;
}

std::int64_t oom_kills(const Orders& orders) {
  char text[1024];
  if (orders.oom == nullptr || read_from(orders.oom, text, sizeof text) == 0) return 0;
  const char* found = std::strstr(text, "oom_kill ");
  return found == nullptr ? 0 : std::strtoll(found + std::strlen("oom_kill "), nullptr, 10);
}

}  // namespace berth::shim
