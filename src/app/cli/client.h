// Client: HTTP to the daemon over its Unix socket, one connection kept open. One thread at a time.
// An answer that is an error of the API comes back as that Error; a daemon that is not there as `unavailable` with what to do.
#pragma once

#include <boost/json/fwd.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth {

class Client {
 public:
  explicit Client(std::string socket_path);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Result<boost::json::value> get(const std::string& path);
  Result<boost::json::value> post(const std::string& path, std::string_view json_body);
  // Hands over a body as it arrives, until it ends or `take` returns false.
  Result<void> stream(const std::string& path, const std::function<bool(std::string_view)>& take);

  // `text` as one component of a path or query.
  static std::string escape(std::string_view text);

 private:
  struct Connection;
  std::string socket_path_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace berth
