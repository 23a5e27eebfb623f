// UnixHttp: one kept-open HTTP/1.1 connection over a Unix socket, as cheap as can be, so that the client is not what is
// measured. Failures throw std::runtime_error. One thread at a time.
#pragma once

#include <string>
#include <string_view>

namespace berth::bench {

class UnixHttp {
 public:
  struct Answer {
    int status = 0;
    std::string body;
  };

  explicit UnixHttp(std::string socket_path);
  ~UnixHttp();
  UnixHttp(UnixHttp&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  UnixHttp(const UnixHttp&) = delete;
  UnixHttp& operator=(const UnixHttp&) = delete;

  Answer get(std::string_view target) { return call(request("GET", target, "")); }
  Answer post(std::string_view target, std::string_view body) { return call(request("POST", target, body)); }
  // A request may be built once and sent many times.
  static std::string request(std::string_view method, std::string_view target, std::string_view body);
  Answer call(std::string_view request);

 private:
  void send_all(std::string_view bytes);
  bool receive_more();

  int fd_ = -1;
  std::string received_;
};

}  // namespace berth::bench
