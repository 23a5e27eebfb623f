#include "engine/local/cgroups.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "engine/local/files.h"

namespace berth {
namespace {

constexpr int kMostProcesses = 32768;  // per task; stops a fork bomb

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// The process's path below what is mounted: a mount may show only a part of the hierarchy.
std::string below(const std::string& mount_point, const std::string& mount_root, const std::string& path) {
  std::string rest = path;
  if (mount_root != "/" && rest.rfind(mount_root, 0) == 0) rest = rest.substr(mount_root.size());
  if (rest == "/" || rest.empty()) return mount_point;
  return mount_point + (rest.front() == '/' ? "" : "/") + rest;
}

struct Own {
  std::vector<std::string> controllers;  // empty: v2
  std::string path;
};

std::vector<Own> read_own(std::string_view text) {
  std::vector<Own> all;
  for (const std::string& line : split(text, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    all.push_back({names.empty() ? std::vector<std::string>{} : split(names, ','), line.substr(second + 1)});
  }
  return all;
}

bool make_dir(const std::string& path) { return mkdir(path.c_str(), 0755) == 0 || errno == EEXIST; }

// A directory of ours in a hierarchy, if groups can be made below it.
std::string usable(const std::string& parent, const std::string& instance) {
  const std::string dir = parent + "/" + instance;
  if (!make_dir(dir)) return {};
  const std::string trial = dir + "/trial";
  if (!make_dir(trial)) return {};
  rmdir(trial.c_str());
  return dir;
}

// Controllers have to be handed down level by level. A level that holds processes refuses unless it is the root, so the
// daemon itself moves aside first.
std::vector<std::string> hand_down(const std::string& own, const std::string& ours) {
  std::vector<std::string> offered = split(read_file(own + "/cgroup.controllers"), ' ');
  if (!offered.empty() && !offered.back().empty() && offered.back().back() == '\n') offered.back().pop_back();
  std::vector<std::string> given;
  for (const char* name : {"cpu", "memory", "pids"}) {
    if (!has(offered, name)) continue;
    const std::string order = std::string("+") + name;
    if (write_existing(own + "/cgroup.subtree_control", order) == EBUSY) {
      const std::string aside = own + "/berth-daemon";
      make_dir(aside);
      write_existing(aside + "/cgroup.procs", "0");
      if (write_existing(own + "/cgroup.subtree_control", order) != 0) continue;
    }
    if (write_existing(ours + "/cgroup.subtree_control", order) == 0) given.emplace_back(name);
  }
  return given;
}

void use_v2(const Hierarchy& h, const std::string& instance, CgroupLayout& layout) {
  const std::string dir = usable(h.own, instance);
  if (dir.empty() || access((dir + "/cgroup.kill").c_str(), F_OK) != 0) return;
  layout.track = dir;
  const auto given = hand_down(h.own, dir);
  layout.v2_cpu = has(given, "cpu");
  layout.v2_memory = has(given, "memory");
  layout.v2_pids = has(given, "pids");
}

void use_v1(const Hierarchy& h, const std::string& instance, CgroupLayout& layout) {
  const auto take = [&](const char* name, std::string& field) {
    if (has(h.controllers, name) && field.empty()) field = usable(h.own, instance);
  };
  if (!layout.v2_cpu) take("cpu", layout.cpu);
  if (!layout.v2_memory) take("memory", layout.memory);
  if (!layout.v2_pids) take("pids", layout.pids);
  if (layout.track.empty()) take("freezer", layout.freezer);
}

std::string weight(MilliCpu cpus) { return std::to_string(std::clamp<std::int64_t>(cpus.value() / 10, 1, 10'000)); }
std::string shares(MilliCpu cpus) { return std::to_string(std::max<std::int64_t>(cpus.value() * 1024 / 1000, 2)); }
std::string bytes(Mib memory) { return std::to_string(memory.value() << 20); }

void order_v2(const CgroupLayout& l, const std::string& group, MilliCpu cpus, Mib memory,
              std::vector<std::string>& out) {
  if (l.v2_cpu) out.push_back("set=" + group + "/cpu.weight=" + weight(cpus));
  if (l.v2_pids) out.push_back("set=" + group + "/pids.max=" + std::to_string(kMostProcesses));
  if (!l.v2_memory) return;
  if (memory > Mib{}) out.push_back("set=" + group + "/memory.max=" + bytes(memory));
  out.push_back("peak=" + group + "/memory.peak");
  out.push_back("oom=" + group + "/memory.events");
}

void order_v1(const CgroupLayout& l, const std::string& name, MilliCpu cpus, Mib memory,
              std::vector<std::string>& out) {
  const auto late = [&](const std::string& dir, const char* file, const std::string& value) {
    const std::string group = dir + "/" + name;
    out.push_back("late=" + group);
    out.push_back("lateset=" + group + "/" + file + "=" + value);
    return group;
  };
  if (!l.cpu.empty()) late(l.cpu, "cpu.shares", shares(cpus));
  if (!l.pids.empty() && l.pids != l.cpu) late(l.pids, "pids.max", std::to_string(kMostProcesses));
  if (l.memory.empty() || memory == Mib{}) return;
  const std::string group = late(l.memory, "memory.limit_in_bytes", bytes(memory));
  out.push_back("peak=" + group + "/memory.max_usage_in_bytes");
  out.push_back("oom=" + group + "/memory.oom_control");
}

}  // namespace

std::vector<Hierarchy> read_hierarchies(std::string_view mountinfo, std::string_view own_groups) {
  const std::vector<Own> own = read_own(own_groups);
  std::vector<Hierarchy> found;
  for (const std::string& line : split(mountinfo, '\n')) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto left = split(std::string_view(line).substr(0, dash), ' ');
    const auto right = split(std::string_view(line).substr(dash + 3), ' ');
    if (left.size() < 6 || right.size() < 3) continue;
    const bool v2 = right[0] == "cgroup2";
    if (!v2 && right[0] != "cgroup") continue;
    const auto options = split(right[2], ',');
    const auto mine = std::find_if(own.begin(), own.end(), [&](const Own& o) {
      return v2 ? o.controllers.empty() : !o.controllers.empty() && has(options, o.controllers.front());
    });
    if (mine != own.end()) found.push_back({v2, mine->controllers, below(left[4], left[3], mine->path)});
  }
  return found;
}

CgroupLayout find_cgroups(const std::string& instance) {
  const auto hierarchies = read_hierarchies(read_file("/proc/self/mountinfo"), read_file("/proc/self/cgroup"));
  CgroupLayout layout;
  for (const Hierarchy& h : hierarchies)
    if (h.v2 && layout.track.empty()) use_v2(h, instance, layout);
  for (const Hierarchy& h : hierarchies)
    if (!h.v2) use_v1(h, instance, layout);
  return layout;
}

std::string describe(const CgroupLayout& l) {
  std::string text = !l.track.empty()     ? "processes tracked and killed by cgroup v2"
                     : !l.freezer.empty() ? "processes tracked and killed by cgroup v1 (freezer)"
                                          : "no cgroups: processes tracked by descent";
  std::string limits;
  const auto name = [&](bool v2, const std::string& v1, const char* what) {
    if (v2 || !v1.empty()) limits += std::string(limits.empty() ? "" : ", ") + what + (v2 ? " (v2)" : " (v1)");
  };
  name(l.v2_cpu, l.cpu, "cpu weight");
  name(l.v2_memory, l.memory, "memory");
  name(l.v2_pids, l.pids, "process count");
  return text + (limits.empty() ? "; cpu and memory are booked but not enforced" : "; limits: " + limits);
}

std::vector<std::string> task_group_orders(const CgroupLayout& l, const std::string& name, MilliCpu cpus, Mib memory) {
  std::vector<std::string> orders;
  const std::string group = track_group(l, name);
  if (!l.track.empty()) {
    orders.push_back("track=" + group);
    order_v2(l, group, cpus, memory, orders);
  } else if (!l.freezer.empty()) {
    orders.push_back("freezer=" + group);
  }
  order_v1(l, name, cpus, memory, orders);
  return orders;
}

std::string track_group(const CgroupLayout& l, const std::string& name) {
  if (!l.track.empty()) return l.track + "/" + name;
  return l.freezer.empty() ? std::string{} : l.freezer + "/" + name;
}

std::vector<pid_t> processes_in(const std::string& group) {
  std::vector<pid_t> pids;
  std::istringstream text(read_file(group + "/cgroup.procs"));
  for (pid_t pid = 0; text >> pid;) pids.push_back(pid);
  for (const std::string& below : list_dirs(group)) {  // a job may have made groups of its own
    const auto more = processes_in(group + "/" + below);
    pids.insert(pids.end(), more.begin(), more.end());
  }
  return pids;
}

void kill_group(const std::string& group) {
  if (group.empty()) return;
  if (write_existing(group + "/cgroup.kill", "1") == 0) return;
  for (const pid_t pid : processes_in(group)) kill(pid, SIGKILL);
}

bool group_is_empty(const std::string& group) { return group.empty() || processes_in(group).empty(); }

void remove_task_groups(const CgroupLayout& l, const std::string& name) {
  for (const std::string& dir : {l.cpu, l.memory, l.pids, l.freezer, l.track})
    if (!dir.empty()) rmdir((dir + "/" + name).c_str());
}

}  // namespace berth
