// Daemon: a `berth serve` of its own for a benchmark, with virtual GPUs and a new data directory, and the few requests that
// the benchmarks send. The directory lies on the disk where the benchmark runs, and goes with the daemon.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/child.h"
#include "bench/unix_http.h"

namespace berth::bench {

// A directory that is removed with all that is in it.
class ScratchDir {
 public:
  // Below the current directory.
  ScratchDir();
  ~ScratchDir();
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  std::string path(const std::string& name = "") const { return (dir_ / name).string(); }

 private:
  std::filesystem::path dir_;
};

struct JobRequest {
  std::vector<std::string> command;
  int gpus = 1;
  bool held = false;
};

class Daemon {
 public:
  // `berth`: the program. Returns when it answers.
  explicit Daemon(const std::string& berth, int gpus = 16);

  pid_t pid() const { return child_.pid(); }
  std::string socket() const { return scratch_.path("berth.sock"); }
  std::string dir() const { return scratch_.path(); }

  // The whole HTTP request that submits it; may be sent many times.
  std::string submit_request(const JobRequest& job) const;
  // Sends it, and gives the job's id.
  static std::int64_t submit(UnixHttp& http, std::string_view request);
  void submit(const JobRequest& job);
  // How many jobs have ended, all of them well.
  std::int64_t ended();
  void wait_for(std::int64_t job);

 private:
  std::vector<std::string> command(const std::string& berth, int gpus);
  UnixHttp wait_until_it_answers() const;

  ScratchDir scratch_;
  Child child_;
  UnixHttp status_;
};

// Where the program lies: --berth PATH, or beside this benchmark's build folder.
std::string berth_program(int argc, char** argv);

}  // namespace berth::bench
