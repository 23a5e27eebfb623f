// bench_idle: memory and wake-ups of a daemon while nothing happens; without jobs, and with 16 that sleep.
#include <unistd.h>

#include <fstream>
#include <set>

#include "bench/daemon.h"
#include "bench/report.h"

namespace {

using namespace berth::bench;
namespace fs = std::filesystem;

// The sum of a field of /proc/.../status ("VmRSS:") over one file.
std::int64_t status_field(const fs::path& file, const std::string& field) {
  std::ifstream in(file);
  std::string word;
  while (in >> word)
    if (word == field) {
      std::int64_t value = 0;
      in >> value;
      return value;
    }
  return 0;
}

// The daemon and the helpers that it started, without the shims of jobs: they belong to the jobs.
std::set<pid_t> family(pid_t daemon) {
  std::set<pid_t> pids{daemon};
  std::ifstream in("/proc/" + std::to_string(daemon) + "/task/" + std::to_string(daemon) + "/children");
  for (pid_t child = 0; in >> child;) {
    std::error_code gone;
    if (fs::read_symlink("/proc/" + std::to_string(child) + "/exe", gone).filename() != "berth-shim")
      pids.insert(child);
  }
  return pids;
}

std::int64_t rss_kib(pid_t daemon) {
  std::int64_t sum = 0;
  for (const pid_t pid : family(daemon)) sum += status_field("/proc/" + std::to_string(pid) + "/status", "VmRSS:");
  return sum;
}

std::int64_t switches(pid_t daemon) {
  std::int64_t sum = 0;
  std::error_code gone;
  for (const pid_t pid : family(daemon))
    for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone))
      sum += status_field(task.path() / "status", "voluntary_ctxt_switches:") +
             status_field(task.path() / "status", "nonvoluntary_ctxt_switches:");
  return sum;
}

void measure(Report& report, const Daemon& daemon, const std::string& what, std::int64_t seconds) {
  sleep(3);  // until what was started has settled
  const std::int64_t before = switches(daemon.pid());
  sleep(static_cast<unsigned>(seconds));
  const auto woken = static_cast<double>(switches(daemon.pid()) - before);
  report.row(what,
             {{"RSS MiB", static_cast<double>(rss_kib(daemon.pid())) / 1024},
              {"switches", woken},
              {"per s", woken / static_cast<double>(seconds)}},
             "under 40 MiB, no wake-ups");
}

}  // namespace

int main(int argc, char** argv) {
  Report report("bench_idle: a daemon while nothing happens", argc, argv);
  const std::int64_t seconds = option(argc, argv, "--seconds", 20);
  Daemon daemon(berth_program(argc, argv));
  report.note("context switches of all its threads and helper processes over " + std::to_string(seconds) + " s");
  measure(report, daemon, "no jobs", seconds);
  for (int i = 0; i < 16; ++i) daemon.submit({{"/bin/sleep", "600"}, 1, false});
  measure(report, daemon, "16 jobs that sleep", seconds);
  report.print();
  return 0;
}
