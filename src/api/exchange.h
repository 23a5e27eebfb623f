// Exchange: one request and the way to answer it, at once, later, or piece by piece. Handlers get it as a shared_ptr and may
// keep it on the loop's thread; from other threads hold a weak_ptr and come back by Loop::post. Once the client is gone,
// or the answer is whole, open() is false and every call does nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/message.h"
#include "api/peer.h"

namespace berth::api {

using Chunk = std::shared_ptr<const std::string>;

// What a connection offers to the exchange that it serves.
class Outlet {
 public:
  virtual ~Outlet() = default;
  virtual void answer(const Response& response) = 0;
  virtual void begin_stream(const Response& head) = 0;
  virtual void push(Chunk chunk) = 0;
  virtual void end_stream() = 0;
  virtual void input_matters() = 0;
  virtual const Caller& caller() = 0;
  virtual bool over_tcp() const = 0;
};

class Exchange {
 public:
  using Task = std::function<void()>;

  Exchange(Request request, Outlet& outlet) : request_(std::move(request)), outlet_(&outlet) {}

  Request& request() { return request_; }
  const Request& request() const { return request_; }
  const Caller& caller() const;
  bool over_tcp() const { return outlet_ && outlet_->over_tcp(); }
  bool open() const { return outlet_ != nullptr; }

  void respond(const Response& response);
  void respond(const Error& error) { respond(error_response(error)); }

  // A stream: begin, send as often as the client keeps up, finish. `drained` runs whenever all that was sent is out.
  void begin(const Response& head, Task drained);
  void send(Chunk chunk);
  void finish();
  // For answers that may take long: the task runs if the client leaves first (closing its side of the connection counts).
  void on_gone(Task gone);

  // The connection only.
  void drained();
  void detach(bool gone);
  int status() const { return status_; }

  // The router only: values of the pattern's {names}, in order, and the class of the route for metrics.
  std::vector<std::string> arguments;
  std::string_view route;

 private:
  void close();

  Request request_;
  Outlet* outlet_;
  Task drained_;
  Task gone_;
  int status_ = 0;
};

using ExchangePtr = std::shared_ptr<Exchange>;

}  // namespace berth::api
