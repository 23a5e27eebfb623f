// bench_latency: from the call that submits a job to the first instruction of its program, on an idle daemon; beside a
// plain posix_spawn of the same program after one fdatasync.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "bench/daemon.h"
#include "bench/group_log.h"
#include "bench/report.h"

namespace {

using namespace berth::bench;

// Where the job's program says when it began.
class Fifo {
 public:
  explicit Fifo(std::string path) : path_(std::move(path)) {
    if (mkfifo(path_.c_str(), 0666) != 0) throw std::runtime_error("mkfifo " + path_);
    fd_ = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~Fifo() { close(fd_); }
  Fifo(const Fifo&) = delete;
  Fifo& operator=(const Fifo&) = delete;

  const std::string& path() const { return path_; }
  std::int64_t read_ns() const {
    char line[64] = {};
    if (read(fd_, line, sizeof line - 1) <= 0) throw std::runtime_error("read " + path_);
    return std::atoll(line);
  }

 private:
  std::string path_;
  int fd_ = -1;
};

double floor_ms(GroupLog& log, const Fifo& fifo, const std::string& program) {
  const std::int64_t begin = realtime_ns();
  log.append(std::string(1024, 'x'));
  Child child({program, fifo.path()});
  const std::int64_t began = fifo.read_ns();
  child.wait();
  return static_cast<double>(began - begin) / 1e6;
}

double berth_ms(Daemon& daemon, UnixHttp& http, const Fifo& fifo, const std::string& request) {
  const std::int64_t begin = realtime_ns();
  const std::int64_t job = Daemon::submit(http, request);
  const std::int64_t began = fifo.read_ns();
  daemon.wait_for(job);
  usleep(10'000);  // idle again before the next one
  return static_cast<double>(began - begin) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  Report report("bench_latency: from submit to the program's first instruction, idle daemon", argc, argv);
  const std::int64_t count = option(argc, argv, "--jobs", 300);
  Daemon daemon(berth_program(argc, argv));
  const Fifo fifo(daemon.dir() + "/fifo");
  GroupLog log(daemon.dir() + "/floor.log");
  const std::string program = std::string(argv[0]).substr(0, std::string(argv[0]).rfind('/') + 1) + "bench_stamp";
  UnixHttp http(daemon.socket());
  const std::string request = daemon.submit_request({{std::filesystem::absolute(program), fifo.path()}, 1, false});

  std::vector<double> floor, berth;
  for (std::int64_t i = -5; i < count; ++i) {
    const double plain = floor_ms(log, fifo, program);
    const double ours = berth_ms(daemon, http, fifo, request);
    if (i < 0) continue;  // warming up
    floor.push_back(plain);
    berth.push_back(ours);
  }
  const double p50 = median(floor), p99 = percentile(floor, 99);
  report.note(std::to_string(count) + " jobs one after the other, each beside one plain spawn of the same program");
  report.row("one fdatasync, then posix_spawn (the floor)", {{"p50 ms", p50}, {"p99 ms", p99}});
  report.row("berth",
             {{"p50 ms", median(berth)},
              {"p99 ms", percentile(berth, 99)},
              {"x p50", median(berth) / p50},
              {"x p99", percentile(berth, 99) / p99}},
             "2 x p50, 4 x p99");
  report.print();
  return 0;
}
