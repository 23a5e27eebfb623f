// ApiServer: the daemon's HTTP face, on a Unix socket and on TCP loopback. run() serves on the caller's thread until stop().
// It posts to the Inbox, reads the View and the Store's thread-safe part; all three must outlive it. Replies that come after
// it has gone are dropped. Idle clients and no clients cost no wake-ups.
#pragma once

#include <memory>
#include <string>

#include "api/connection.h"
#include "base/result.h"
#include "control/inbox.h"
#include "control/view.h"
#include "ports/store.h"

namespace berth {

struct ApiOptions {
  std::string unix_path;    // empty: none
  std::string tcp_address;  // e.g. "127.0.0.1:7474", loopback only; empty: none
  std::string version;
  std::size_t max_connections = 4096;
  api::Patience patience;
};

class ApiServer {
 public:
  // Before the loop starts: it takes View::on_publish.
  ApiServer(ApiOptions options, Inbox& inbox, View& view, Store& store);
  ~ApiServer();
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  // Opens the sockets; then clients may connect, and are answered once run() is called.
  Result<void> listen();
  void run();
  // Any thread, any number of times: run() returns soon.
  void stop();
  // As bound, with the port that was taken; empty without TCP.
  std::string tcp_address() const;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace berth
