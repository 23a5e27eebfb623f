#include "api/live_server_test.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <future>

#include "api/clock.h"

namespace berth::api {
namespace {

class KeepingStore final : public Store {
 public:
  Result<ClusterState> load() override { return ClusterState{}; }
  Result<void> append(const Events& events, const ClusterState& after) override {
    const std::lock_guard lock(mutex_);
    for (const Event& event : events) {
      records_.push_back({records_.size() + 1, event});
      if (const auto* end = std::get_if<event::JobEnded>(&event.body)) ended_[end->job] = after.jobs.at(end->job);
    }
    return {};
  }
  Result<std::vector<JournalRecord>> journal(std::uint64_t after, std::size_t limit) override {
    const std::lock_guard lock(mutex_);
    std::vector<JournalRecord> out;
    for (std::size_t i = after; i < records_.size() && out.size() < limit; ++i) out.push_back(records_[i]);
    return out;
  }
  Result<std::optional<Job>> find_job(JobId id) override {
    const std::lock_guard lock(mutex_);
    const auto found = ended_.find(id);
    return found == ended_.end() ? std::optional<Job>{} : found->second;
  }
  Result<std::vector<Job>> ended_jobs(std::optional<JobId> before, std::size_t limit) override {
    const std::lock_guard lock(mutex_);
    std::vector<Job> out;
    for (auto it = ended_.rbegin(); it != ended_.rend() && out.size() < limit; ++it)
      if (!before || it->first < *before) out.push_back(it->second);
    return out;
  }

 private:
  std::mutex mutex_;
  std::vector<JournalRecord> records_;
  std::map<JobId, Job> ended_;
};

}  // namespace

std::unique_ptr<Store> keeping_store() { return std::make_unique<KeepingStore>(); }

void HandEngine::end(AttemptKey key, std::int32_t code) {
  observation::AttemptEnded ended;
  ended.key = key;
  ended.outcome = code == 0 ? Outcome::succeeded : Outcome::failed;
  ended.exit.code = code;
  sink_({ended});
}

boost::json::value HttpAnswer::json() const {
  boost::json::error_code error;
  boost::json::value value = boost::json::parse(body, error);
  EXPECT_FALSE(error) << body;
  return value;
}

RawClient& RawClient::operator=(RawClient&& other) noexcept {
  std::swap(fd_, other.fd_);
  ahead_.swap(other.ahead_);
  return *this;
}

RawClient::~RawClient() {
  if (fd_ >= 0) ::close(fd_);
}

RawClient RawClient::to_unix(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << std::strerror(errno);
  return RawClient(fd);
}

RawClient RawClient::to_tcp(const std::string& address) {
  const auto colon = address.rfind(':');
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
  ::inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to), 0) << std::strerror(errno);
  return RawClient(fd);
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void RawClient::end_writing() { ::shutdown(fd_, SHUT_WR); }

bool RawClient::fill(int timeout_ms) {
  pollfd waiting{fd_, POLLIN, 0};
  if (::poll(&waiting, 1, timeout_ms) <= 0) return false;
  std::string bytes(256 * 1024, '\0');
  const ssize_t n = ::recv(fd_, bytes.data(), bytes.size(), 0);
  if (n <= 0) return false;
  ahead_.append(bytes, 0, static_cast<std::size_t>(n));
  return true;
}

std::string RawClient::line() {
  for (;;) {
    const auto end = ahead_.find("\r\n");
    if (end != std::string::npos) {
      std::string text = ahead_.substr(0, end);
      ahead_.erase(0, end + 2);
      return text;
    }
    if (!fill(20'000)) return {};
  }
}

std::string RawClient::exactly(std::size_t n) {
  while (ahead_.size() < n && fill(20'000)) {}
  std::string bytes = ahead_.substr(0, n);
  ahead_.erase(0, n);
  return bytes;
}

HttpAnswer RawClient::head() {
  HttpAnswer answer;
  const std::string first = line();
  if (first.size() < 12) return answer;
  answer.status = std::stoi(first.substr(9, 3));
  for (std::string text = line(); !text.empty(); text = line()) {
    const auto colon = text.find(": ");
    std::string name = text.substr(0, colon);
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    answer.headers[name] = text.substr(colon + 2);
  }
  return answer;
}

HttpAnswer RawClient::answer(bool head_only) {
  HttpAnswer answer = head();
  if (head_only) return answer;
  if (const auto length = answer.headers.find("content-length"); length != answer.headers.end()) {
    answer.body = exactly(std::stoul(length->second));
  } else if (answer.headers.contains("transfer-encoding")) {
    for (std::size_t size = std::stoul("0" + line(), nullptr, 16); size > 0;
         size = std::stoul("0" + line(), nullptr, 16)) {
      answer.body += exactly(size);
      line();
    }
    line();
  }
  return answer;
}

std::string RawClient::read_some(int timeout_ms) {
  if (ahead_.empty() && !fill(timeout_ms)) return {};
  return std::exchange(ahead_, {});
}

std::string RawClient::read_until(std::string_view text, int timeout_ms) {
  while (ahead_.find(text) == std::string::npos)
    if (!fill(timeout_ms)) return {};
  return std::exchange(ahead_, {});
}

bool RawClient::at_end(int timeout_ms) {
  while (fill(timeout_ms)) {}
  pollfd waiting{fd_, POLLIN, 0};
  char byte = 0;
  return ::poll(&waiting, 1, 0) > 0 && ::recv(fd_, &byte, 1, MSG_PEEK) <= 0;
}

HttpAnswer RawClient::post(const std::string& target, const std::string& body, const std::string& type) {
  return request("POST", target, "Content-Type: " + type + "\r\n", body);
}

HttpAnswer RawClient::request(const std::string& method, const std::string& target, const std::string& more_headers,
                              const std::string& body) {
  std::string text = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more_headers;
  if (!body.empty() || method == "POST") text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  send(text + "\r\n" + body);
  return answer(method == "HEAD");
}

LiveServer::LiveServer(Patience patience) : store_(keeping_store()) {
  std::string pattern = std::filesystem::temp_directory_path() / "berth-api-XXXXXX";
  folder_ = ::mkdtemp(pattern.data());
  ::chmod(folder_.c_str(), 0755);
  ApiOptions options;
  options.unix_path = socket_path();
  options.tcp_address = "127.0.0.1:0";
  options.version = "test";
  options.patience = patience;
  controller_ = std::make_unique<Controller>(*store_, engine_, inbox_, view_);
  server_ = std::make_unique<ApiServer>(options, inbox_, view_, *store_);
  const auto listening = server_->listen();
  EXPECT_TRUE(listening.ok()) << listening.error().message;
  EXPECT_TRUE(controller_->recover(wall_clock()).ok());
  controller_thread_ = std::thread([this] { run_controller(); });
  server_thread_ = std::thread([this] {
    server_tid_ = static_cast<int>(::syscall(SYS_gettid));
    server_->run();
  });
  QueueSpec queue;
  queue.name = "main";
  queue.is_default = true;
  EXPECT_TRUE(command(command::Configure{{queue}, Policy{}}).ok());
  NodeReport node{"n0", NodeState::up, MilliCpu(64'000), Mib(256 * 1024), {"fast"}, {}};
  for (int i = 0; i < 8; ++i)
    node.gpus.push_back({"GPU-" + std::to_string(i), "H100-80GB", Mib(80'000), Mib(), GpuHealth::ok, "", true});
  engine_.report(node);
  for (int i = 0; i < 1000 && view_.read([](const Snapshot& s) { return s.state.nodes.empty(); }); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

LiveServer::~LiveServer() {
  stop();
  stopping_ = true;
  inbox_.wake();
  controller_thread_.join();
  std::filesystem::remove_all(folder_);
}

void LiveServer::stop() {
  if (!server_thread_.joinable()) return;
  server_->stop();
  server_thread_.join();
}

void LiveServer::run_controller() {
  while (!stopping_) {
    const Time due = controller_->step(wall_clock());
    if (due == kForever)
      inbox_.wait(std::nullopt);
    else if (const Duration left = due - wall_clock(); left > Duration{})
      inbox_.wait(left);
  }
}

Result<Answer> LiveServer::command(command::Body body, const std::string& user) {
  std::promise<Result<Answer>> promise;
  inbox_.post(Command{user, std::move(body)}, [&](Result<Answer> answer) { promise.set_value(std::move(answer)); });
  return promise.get_future().get();
}

std::int64_t LiveServer::submit(const std::string& spec_fields) {
  const HttpAnswer answer = unix_client().post("/v1/jobs", "{\"spec\":{" + spec_fields + "}}");
  EXPECT_EQ(answer.status, 201) << answer.body;
  return answer.status == 201 ? answer.json().at("job").as_int64() : 0;
}

void LiveServer::wait_for_state(std::int64_t job, JobState state) {
  for (int i = 0; i < 2000; ++i) {
    const bool reached = view_.read([&](const Snapshot& s) {
      const auto found = s.state.jobs.find(JobId(job));
      return found != s.state.jobs.end() && found->second.state == state;
    });
    if (reached) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ADD_FAILURE() << "job " << job << " did not get there";
}

void LiveServer::finish(std::int64_t job, std::int32_t code) {
  wait_for_state(job, JobState::running);
  engine_.end({JobId(job), 1}, code);
  wait_for_state(job, code == 0 ? JobState::completed : JobState::failed);
}

}  // namespace berth::api
