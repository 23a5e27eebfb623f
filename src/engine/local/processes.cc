#include "engine/local/processes.h"

#include <dirent.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "engine/local/files.h"

namespace berth {
namespace {

struct Stat {
  char state = '?';
  pid_t parent = 0;
  std::uint64_t start = 0;
};

std::optional<Stat> stat_of(pid_t pid) {
  const std::string text = read_file("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = text.rfind(')');  // the program's name may hold anything
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return std::nullopt;
  Stat stat;
  const char* p = text.c_str() + name_end + 2;
  const char* end = text.c_str() + text.size();
  stat.state = *p;
  for (int field = 3; p < end; ++field) {
    if (field == 4) std::from_chars(p, end, stat.parent);
    if (field == 22) std::from_chars(p, end, stat.start);
    p = std::find(p, end, ' ');
    if (p < end) ++p;
  }
  return stat;
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> pids;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) return pids;
  while (const dirent* entry = readdir(proc)) {
    pid_t pid = 0;
    const char* end = entry->d_name + std::char_traits<char>::length(entry->d_name);
    if (std::from_chars(entry->d_name, end, pid).ptr == end && pid > 0) pids.push_back(pid);
  }
  closedir(proc);
  return pids;
}

}  // namespace

std::string boot_id() {
  std::string id = read_file("/proc/sys/kernel/random/boot_id");
  id.erase(std::find(id.begin(), id.end(), '\n'), id.end());
  return id;
}

std::uint64_t start_of(pid_t pid) {
  const auto stat = stat_of(pid);
  return stat ? stat->start : 0;
}

bool is_alive(const ProcessId& process) {
  const auto stat = stat_of(process.pid);
  return stat && stat->start == process.start && stat->state != 'Z' && stat->state != 'X';
}

std::vector<pid_t> descendants_of(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  for (const pid_t pid : all_processes())
    if (const auto stat = stat_of(pid)) children.emplace(stat->parent, pid);
  std::vector<pid_t> found{root};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    std::transform(first, last, std::back_inserter(found), [](const auto& pair) { return pair.second; });
  }
  found.erase(found.begin());
  return found;
}

bool catches(pid_t pid, int signal_number) {
  const std::string text = read_file("/proc/" + std::to_string(pid) + "/status");
  const std::size_t at = text.find("SigCgt:");
  if (at == std::string::npos || signal_number < 1) return false;
  const std::size_t digits = text.find_first_not_of(" \t", at + 7);
  std::uint64_t mask = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), mask, 16);
  return (mask >> (signal_number - 1) & 1) != 0;
}

std::vector<pid_t> with_environment(const std::vector<std::string>& variables) {
  std::vector<pid_t> found;
  for (const pid_t pid : all_processes()) {
    const std::string environment = '\0' + read_file("/proc/" + std::to_string(pid) + "/environ");
    const bool all = std::all_of(variables.begin(), variables.end(), [&](const std::string& variable) {
      return environment.find('\0' + variable + '\0') != std::string::npos;
    });
    if (all) found.push_back(pid);
  }
  return found;
}

std::vector<pid_t> ancestry_of(pid_t pid) {
  constexpr std::size_t kDeepest = 256;
  std::vector<pid_t> line;
  while (pid > 0 && line.size() < kDeepest) {
    line.push_back(pid);
    const auto stat = stat_of(pid);
    if (!stat) break;
    pid = stat->parent;
  }
  return line;
}

}  // namespace berth
