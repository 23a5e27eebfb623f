// For the tests of this folder: a whole daemon without processes: real controller, view and server, each on the thread that
// it has in the daemon, with an engine that a test plays by hand; and a client that sends bytes as it is told.
#pragma once

#include <atomic>
#include <boost/json.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/server.h"
#include "control/controller.h"

namespace berth::api {

// Starts what it is told to, and ends it when the test says so.
class HandEngine final : public Engine {
 public:
  void attach(Sink sink) override { sink_ = std::move(sink); }
  void adopt(const std::vector<Launch>&) override {}
  void start(const Launch& launch) override { sink_({observation::AttemptStarted{launch.key}}); }
  void stop(const Stop& stop) override { end(stop.key, 143); }
  void signal(AttemptKey, std::int32_t, bool) override {}
  void reconcile() override {}
  std::string describe() const override { return "by hand"; }

  void end(AttemptKey key, std::int32_t code);
  void report(NodeReport node) { sink_({observation::NodesReported{{std::move(node)}}}); }

 private:
  Sink sink_;
};

// Keeps the journal and what became of ended jobs, in memory. (The stores themselves are not this folder's to know.)
std::unique_ptr<Store> keeping_store();

struct HttpAnswer {
  int status = 0;                              // 0: the connection ended without an answer
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  boost::json::value json() const;
};

class RawClient {
 public:
  static RawClient to_unix(const std::string& path);
  static RawClient to_tcp(const std::string& address);
  RawClient(RawClient&& other) noexcept : fd_(std::exchange(other.fd_, -1)), ahead_(std::move(other.ahead_)) {}
  RawClient& operator=(RawClient&& other) noexcept;
  ~RawClient();

  int fd() const { return fd_; }
  bool send(std::string_view bytes);
  void end_writing();
  // One answer, chunks joined; for streams use read_some().
  HttpAnswer answer(bool head_only = false);
  HttpAnswer head();
  // Whatever comes next; empty at the end or after the time.
  std::string read_some(int timeout_ms = 10'000);
  // Reads until `text` has come; all that was read. Empty if it never comes.
  std::string read_until(std::string_view text, int timeout_ms = 10'000);
  bool at_end(int timeout_ms = 10'000);

  HttpAnswer get(const std::string& target) { return request("GET", target); }
  HttpAnswer post(const std::string& target, const std::string& body, const std::string& type = "application/json");
  HttpAnswer request(const std::string& method, const std::string& target, const std::string& more_headers = {},
                     const std::string& body = {});

 private:
  explicit RawClient(int fd) : fd_(fd) {}
  bool fill(int timeout_ms);
  std::string line();
  std::string exactly(std::size_t n);

  int fd_ = -1;
  std::string ahead_;
};

class LiveServer {
 public:
  explicit LiveServer(Patience patience = {});
  ~LiveServer();

  RawClient unix_client() const { return RawClient::to_unix(socket_path()); }
  RawClient tcp_client() const { return RawClient::to_tcp(server_->tcp_address()); }
  std::string socket_path() const { return folder_ + "/berth.sock"; }
  const std::string& folder() const { return folder_; }
  std::string tcp_address() const { return server_->tcp_address(); }

  HandEngine& engine() { return engine_; }
  View& view() { return view_; }
  ApiServer& server() { return *server_; }
  Result<Answer> command(command::Body body, const std::string& user = "root");
  // Submits through the API; the first id.
  std::int64_t submit(const std::string& spec_fields = R"("command":["true"])");
  void finish(std::int64_t job, std::int32_t code = 0);
  void wait_for_state(std::int64_t job, JobState state);
  int server_thread() const { return server_tid_; }
  void stop();

 private:
  void run_controller();

  std::string folder_;
  std::unique_ptr<Store> store_;
  HandEngine engine_;
  Inbox inbox_;
  View view_;
  std::unique_ptr<Controller> controller_;
  std::unique_ptr<ApiServer> server_;
  std::atomic<bool> stopping_{false};
  std::atomic<int> server_tid_{0};
  std::thread controller_thread_;
  std::thread server_thread_;
};

}  // namespace berth::api
