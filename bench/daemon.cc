#include "bench/daemon.h"

#include <stdlib.h>
#include <time.h>

#include <fstream>
#include <stdexcept>

#include "bench/report.h"

namespace berth::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnded = "berth_jobs{state=\"ended\"} ";
constexpr std::string_view kFailed = "berth_jobs_ended_total{state=\"failed\"} ";

std::int64_t figure(const std::string& metrics, std::string_view name) {
  const std::size_t at = metrics.find(name);
  return at == std::string::npos ? 0 : std::atoll(metrics.c_str() + at + name.size());
}

void pause_ms(long ms) {
  const timespec pause{ms / 1000, ms % 1000 * 1'000'000};
  nanosleep(&pause, nullptr);
}

fs::path new_directory() {
  std::string pattern = (fs::current_path() / "scratch-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
  return pattern;
}

}  // namespace

ScratchDir::ScratchDir() : dir_(new_directory()) {}

ScratchDir::~ScratchDir() {
  std::error_code ignored;
  fs::remove_all(dir_, ignored);
}

Daemon::Daemon(const std::string& berth, int gpus)
    : child_(command(berth, gpus), scratch_.path("serve.log")), status_(wait_until_it_answers()) {}

std::vector<std::string> Daemon::command(const std::string& berth, int gpus) {
  std::ofstream config(scratch_.path("berth.toml"));
  config << "[server]\nlisten = \"127.0.0.1:0\"\nsocket = \"" << socket() << "\"\n"
         << "[local]\nnode = \"bench\"\ncpus = 256\nmemory = \"256G\"\ngpus = \"" << gpus << " x H100-80GB\"\n";
  return {berth, "serve", "--config", scratch_.path("berth.toml"), "--data", scratch_.path("data")};
}

UnixHttp Daemon::wait_until_it_answers() const {
  for (int tries = 0;; ++tries) {
    try {
      UnixHttp http(socket());
      if (http.get("/v1/nodes").body.find("\"bench\"") != std::string::npos) return http;
    } catch (const std::runtime_error&) {
      // not there yet
    }
    if (tries == 500) {
      std::ifstream log(scratch_.path("serve.log"));
      throw std::runtime_error("the daemon does not answer: " + std::string(std::istreambuf_iterator<char>(log), {}));
    }
    pause_ms(20);
  }
}

std::string Daemon::submit_request(const JobRequest& job) const {
  std::string body = "{\"spec\":{\"name\":\"bench\",\"command\":[";
  for (std::size_t i = 0; i < job.command.size(); ++i) body += (i ? ",\"" : "\"") + job.command[i] + "\"";
  body += "],\"workdir\":\"" + dir() +
          "\",\"groups\":[{\"count\":1,\"cpus_milli\":1000,\"gpus\":{\"count\":" + std::to_string(job.gpus) + "}}]" +
          (job.held ? ",\"hold\":true" : "") + "}}";
  return UnixHttp::request("POST", "/v1/jobs", body);
}

std::int64_t Daemon::submit(UnixHttp& http, std::string_view request) {
  const auto answer = http.call(request);
  const std::size_t at = answer.body.find("\"jobs\":[");
  if (answer.status / 100 != 2 || at == std::string::npos) throw std::runtime_error("submit: " + answer.body);
  return std::atoll(answer.body.c_str() + at + 8);
}

void Daemon::submit(const JobRequest& job) { submit(status_, submit_request(job)); }

std::int64_t Daemon::ended() {
  const auto answer = status_.get("/metrics");
  if (figure(answer.body, kFailed) > 0) throw std::runtime_error("jobs failed; see the daemon's log");
  return figure(answer.body, kEnded);
}

void Daemon::wait_for(std::int64_t job) {
  const std::string target = "/v1/jobs/" + std::to_string(job);
  while (true) {
    const auto answer = status_.get(target);
    if (answer.body.find("\"state\":\"completed\"") != std::string::npos) return;
    if (answer.body.find("\"state\":\"failed\"") != std::string::npos) throw std::runtime_error(answer.body);
    pause_ms(10);
  }
}

std::string berth_program(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string(argv[i]) == "--berth") return argv[i + 1];
  return fs::absolute(fs::path(argv[0]).parent_path() / "../bin/berth").lexically_normal();
}

}  // namespace berth::bench
