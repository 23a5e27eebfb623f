// Listener: takes connections on one Unix or TCP loopback socket. Running out of descriptors pauses it, and never spins.
// The loop's thread, but for the two functions that open a socket.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "api/loop.h"
#include "base/result.h"

namespace berth::api {

// A listening descriptor. A stale socket file is replaced, a live daemon's is not. Mode 0666: who may do what is decided
// by the peer's uid.
Result<int> listen_unix(const std::string& path);
// `address` is HOST:PORT with a loopback HOST (127.0.0.0/8, ::1 in brackets, localhost); port 0 takes a free one.
Result<int> listen_loopback(const std::string& address);
// "127.0.0.1:7474": what the socket is really bound to.
std::string bound_address(int fd);

class Listener {
 public:
  // `take` gets each accepted descriptor, non-blocking and close-on-exec, and owns it.
  Listener(Loop& loop, int fd, std::function<void(int)> take);

 private:
  void await();
  void accept_all();

  Loop& loop_;
  std::unique_ptr<Loop::Watch> socket_;
  std::unique_ptr<Loop::Timer> pause_;
  std::function<void(int)> take_;
};

}  // namespace berth::api
