// bench_submit: durable submits a second with 1, 8 and 64 clients, beside threads that share fdatasyncs on the same disk.
#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <thread>

#include "bench/daemon.h"
#include "bench/group_log.h"
#include "bench/report.h"

namespace {

using namespace berth::bench;

constexpr std::size_t kRecordBytes = 1024;  // about what a submitted job takes in the journal

struct Rate {
  double per_second = 0;
  std::vector<double> ms;  // of each call
};

// Every client calls again as soon as the last call is back, until the time is over. `make_call` runs on the client's thread.
Rate closed_loop(int clients, double seconds, const std::function<std::function<void()>()>& make_call) {
  std::vector<std::vector<double>> ms(static_cast<std::size_t>(clients));
  const std::int64_t begin = now_ns();
  const std::int64_t end = begin + static_cast<std::int64_t>(seconds * 1e9);
  std::atomic<bool> failed = false;
  std::vector<std::thread> threads;
  for (auto& mine : ms)
    threads.emplace_back([&mine, &failed, &make_call, end] {
      try {
        const auto call = make_call();
        for (std::int64_t at = now_ns(); at < end && !failed;) {
          call();
          const std::int64_t back = now_ns();
          mine.push_back(static_cast<double>(back - at) / 1e6);
          at = back;
        }
      } catch (const std::exception& e) {
        if (!failed.exchange(true)) std::fprintf(stderr, "bench_submit: %s\n", e.what());
      }
    });
  for (auto& thread : threads) thread.join();
  if (failed) std::exit(1);
  Rate rate;
  for (const auto& mine : ms) rate.ms.insert(rate.ms.end(), mine.begin(), mine.end());
  rate.per_second = static_cast<double>(rate.ms.size()) / (static_cast<double>(now_ns() - begin) / 1e9);
  return rate;
}

Rate floor_rate(int clients, double seconds) {
  const ScratchDir scratch;
  GroupLog log(scratch.path("log"));
  const std::string record(kRecordBytes, 'x');
  return closed_loop(clients, seconds, [&] { return [&] { log.append(record); }; });
}

// held: the jobs are submitted held, so that only taking them is measured. Otherwise they queue behind one that has all GPUs.
Rate berth_rate(const std::string& berth, int clients, double seconds, bool held) {
  Daemon daemon(berth);
  if (!held) daemon.submit({{"/bin/sleep", "600"}, 16, false});
  const std::string request = daemon.submit_request({{"/bin/true"}, 1, held});
  return closed_loop(clients, seconds, [&]() -> std::function<void()> {
    auto http = std::make_shared<UnixHttp>(daemon.socket());
    return [http, &request] { Daemon::submit(*http, request); };
  });
}

struct Series {
  std::vector<double> rates, ms;
  void add(const Rate& rate) {
    rates.push_back(rate.per_second);
    ms.insert(ms.end(), rate.ms.begin(), rate.ms.end());
  }
  Report::Figures figures() const {
    return {{"per s", median(rates)}, {"p50 ms", median(ms)}, {"p99 ms", percentile(ms, 99)}};
  }
};

void measure(Report& report, const std::string& berth, int clients, double seconds, std::int64_t repeats) {
  Series floor, held, pending;
  for (std::int64_t i = 0; i < repeats; ++i) {
    floor.add(floor_rate(clients, seconds));
    held.add(berth_rate(berth, clients, seconds, true));
    pending.add(berth_rate(berth, clients, seconds, false));
  }
  const std::string who = std::to_string(clients) + (clients == 1 ? " client" : " clients");
  report.row("group commit, " + who, floor.figures());
  for (const auto* series : {&held, &pending}) {
    auto figures = series->figures();
    figures.push_back({"of floor", median(series->rates) / median(floor.rates)});
    report.row("berth, " + who + (series == &held ? ", held jobs" : ", jobs that queue"), std::move(figures), "0.8");
  }
}

}  // namespace

int main(int argc, char** argv) {
  Report report("bench_submit: durable submits", argc, argv);
  const std::string berth = berth_program(argc, argv);
  const std::int64_t repeats = option(argc, argv, "--repeats", 5);
  const double seconds = static_cast<double>(option(argc, argv, "--ms", 1000)) / 1000;
  report.note(
      "closed loop over the Unix socket; the floor is threads that share one fdatasync a group, 1 KiB a record");
  report.note(std::to_string(repeats) + " interleaved repeats of " + std::to_string(seconds) +
              " s, a new daemon each; medians");
  for (const int clients : {1, 8, 64}) measure(report, berth, clients, seconds, repeats);
  report.print();
  return 0;
}
