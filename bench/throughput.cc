// bench_throughput: 2,000 jobs that do nothing on 16 virtual GPUs, from the first submit to the last end; beside plain
// posix_spawn of the same program with as many at once.
#include <unistd.h>

#include <sys/wait.h>

#include <map>
#include <stdexcept>
#include <thread>

#include "bench/daemon.h"
#include "bench/report.h"

namespace {

using namespace berth::bench;

constexpr int kGpus = 16;
constexpr int kClients = 4;

double plain_per_second(std::int64_t jobs) {
  const std::int64_t begin = now_ns();
  std::map<pid_t, Child> running;
  for (std::int64_t started = 0; started < jobs || !running.empty();) {
    while (started < jobs && running.size() < kGpus) {
      Child child({"/bin/true"});
      running.emplace(child.pid(), std::move(child));
      ++started;
    }
    siginfo_t info{};
    waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
    const auto at = running.find(info.si_pid);
    if (at == running.end()) throw std::runtime_error("an unknown child");
    at->second.wait();
    running.erase(at);
  }
  return static_cast<double>(jobs) / (static_cast<double>(now_ns() - begin) / 1e9);
}

struct Rate {
  double submits = 0, jobs = 0;
};

Rate berth_per_second(const std::string& berth, std::int64_t jobs) {
  Daemon daemon(berth, kGpus);
  const std::string request = daemon.submit_request({{"/bin/true"}, 1, false});
  const std::int64_t begin = now_ns();
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c)
    clients.emplace_back([&, mine = jobs / kClients + (c < jobs % kClients)] {
      UnixHttp http(daemon.socket());
      for (std::int64_t i = 0; i < mine; ++i) Daemon::submit(http, request);
    });
  for (auto& client : clients) client.join();
  const std::int64_t submitted = now_ns();
  while (daemon.ended() < jobs) {
    usleep(20'000);
    if (now_ns() - begin > 300'000'000'000) throw std::runtime_error("the jobs did not end in 300 s");
  }
  const auto rate = [&](std::int64_t end) {
    return static_cast<double>(jobs) / (static_cast<double>(end - begin) / 1e9);
  };
  return {rate(submitted), rate(now_ns())};
}

}  // namespace

int main(int argc, char** argv) {
  Report report("bench_throughput: jobs that do nothing, end to end", argc, argv);
  const std::string berth = berth_program(argc, argv);
  const std::int64_t jobs = option(argc, argv, "--jobs", 2000);
  const std::int64_t repeats = option(argc, argv, "--repeats", 3);
  std::vector<double> plain, ours, submits;
  for (std::int64_t i = 0; i < repeats; ++i) {
    plain.push_back(plain_per_second(jobs));
    const Rate rate = berth_per_second(berth, jobs);
    ours.push_back(rate.jobs);
    submits.push_back(rate.submits);
  }
  report.note(std::to_string(jobs) + " jobs of /bin/true, one GPU each, 16 virtual GPUs; " + std::to_string(repeats) +
              " interleaved repeats, medians");
  report.row("posix_spawn, 16 at once (the floor)", {{"jobs/s", median(plain)}});
  report.row("berth, submit to end", {{"jobs/s", median(ours)}, {"of floor", median(ours) / median(plain)}}, "0.5");
  report.row("  of this: submits while jobs run", {{"jobs/s", median(submits)}});
  report.print();
  return 0;
}
