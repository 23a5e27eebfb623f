#include "api/server.h"

#include <unistd.h>

#include <unordered_map>
#include <vector>

#include "api/event_feed.h"
#include "api/file_events.h"
#include "api/job_waiters.h"
#include "api/listener.h"
#include "api/pending.h"
#include "api/plan_parts.h"
#include "api/router.h"
#include "api/services.h"

namespace berth {

using namespace api;

// Members go in reverse order: connections before what their exchanges use, all before the loop.
struct ApiServer::Inner {
  ApiOptions options;
  Loop loop;
  std::shared_ptr<Handover> handover = std::make_shared<Handover>(loop);
  std::shared_ptr<News> news = std::make_shared<News>(handover);
  Metrics metrics;
  Pending pending;
  PlanParts plan_parts;
  EventFeed feed;
  JobWaiters waiters;
  FileEvents files{loop};
  Services services;
  Connection::Host host;
  std::unordered_map<Connection*, std::unique_ptr<Connection>> connections;
  std::vector<std::unique_ptr<Listener>> listeners;
  std::string bound;
  bool owns_socket_file = false;
  bool stopped = false;

  Inner(ApiOptions given, Inbox& inbox, View& view, Store& store)
      : options(std::move(given)), services{loop,    inbox,   view,       store, handover, news, options.version,
                                            metrics, pending, plan_parts, feed,  waiters,  files} {
    view.on_publish([for_all = news] { for_all->published(); });
    host.patience = options.patience;
    host.serve = [this](const ExchangePtr& exchange) { serve(services, exchange); };
    host.closed = [this](Connection& connection) { forget(&connection); };
    host.answered = [this](const Exchange& exchange, int status) {
      metrics.count_request(exchange.route.empty() ? "malformed" : exchange.route, status);
    };
  }
  ~Inner() {
    handover->close();
    if (owns_socket_file) ::unlink(options.unix_path.c_str());
  }

  void add_listener(int fd) {
    listeners.push_back(std::make_unique<Listener>(loop, fd, [this](int accepted) { take(accepted); }));
  }

  void take(int fd) {
    if (connections.size() >= options.max_connections) {
      ::close(fd);
      return;
    }
    Peer peer(fd);
    auto connection = std::make_unique<Connection>(loop, socket_stream(loop.watch(fd)), std::move(peer), host);
    Connection* raw = connection.get();
    connections.emplace(raw, std::move(connection));
    metrics.set_connections(connections.size());
    raw->start();
  }

  // It is still on the stack: it goes on the next turn.
  void forget(Connection* connection) {
    loop.post([this, connection] {
      connections.erase(connection);
      metrics.set_connections(connections.size());
    });
  }

  void shut_down() {
    stopped = true;
    listeners.clear();
    std::vector<Connection*> open;
    for (const auto& [raw, owned] : connections) open.push_back(raw);
    for (Connection* connection : open) connection->shut();
  }
};

ApiServer::ApiServer(ApiOptions options, Inbox& inbox, View& view, Store& store)
    : inner_(std::make_unique<Inner>(std::move(options), inbox, view, store)) {}

ApiServer::~ApiServer() = default;

Result<void> ApiServer::listen() {
  const ApiOptions& options = inner_->options;
  if (options.unix_path.empty() && options.tcp_address.empty())
    return Error{ErrorCode::invalid, "the API has nowhere to listen",
                 "give it a socket path, a loopback address, or both"};
  if (!options.unix_path.empty()) {
    const Result<int> fd = listen_unix(options.unix_path);
    if (!fd) return fd.error();
    inner_->owns_socket_file = true;
    inner_->add_listener(*fd);
  }
  if (!options.tcp_address.empty()) {
    const Result<int> fd = listen_loopback(options.tcp_address);
    if (!fd) return fd.error();
    inner_->bound = bound_address(*fd);
    inner_->add_listener(*fd);
  }
  return {};
}

void ApiServer::run() {
  if (!inner_->stopped) inner_->loop.run();
}

void ApiServer::stop() {
  inner_->handover->bring([inner = inner_.get()] { inner->shut_down(); });
}

std::string ApiServer::tcp_address() const { return inner_->bound; }

}  // namespace berth
