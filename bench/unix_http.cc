#include "bench/unix_http.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace berth::bench {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

// The number behind a header's name, 0 without it. `head` ends with the blank line.
std::size_t content_length(std::string_view head) {
  for (const std::string_view name : {"Content-Length:", "content-length:"}) {
    const std::size_t at = head.find(name);
    if (at != std::string_view::npos) return std::strtoull(head.data() + at + name.size(), nullptr, 10);
  }
  return 0;
}

}  // namespace

UnixHttp::UnixHttp(std::string socket_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof address.sun_path) throw std::runtime_error("path too long: " + socket_path);
  std::memcpy(address.sun_path, socket_path.data(), socket_path.size());
  fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0) fail("socket");
  if (connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  const int why = errno;
  close(fd_);
  errno = why;
  fail("connect to " + socket_path);
}

UnixHttp::~UnixHttp() {
  if (fd_ >= 0) close(fd_);
}

std::string UnixHttp::request(std::string_view method, std::string_view target, std::string_view body) {
  std::string text;
  text.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: berth\r\n");
  if (!body.empty()) {
    text.append("Content-Type: application/json\r\nContent-Length: ")
        .append(std::to_string(body.size()))
        .append("\r\n");
  }
  return text.append("\r\n").append(body);
}

void UnixHttp::send_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("send");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool UnixHttp::receive_more() {
  char buffer[65'536];
  ssize_t n = 0;
  do n = recv(fd_, buffer, sizeof buffer, 0);
  while (n < 0 && errno == EINTR);
  if (n < 0) fail("recv");
  received_.append(buffer, static_cast<std::size_t>(n));
  return n > 0;
}

UnixHttp::Answer UnixHttp::call(std::string_view request) {
  send_all(request);
  received_.clear();
  std::size_t head_end = std::string::npos;
  while ((head_end = received_.find("\r\n\r\n")) == std::string::npos)
    if (!receive_more()) throw std::runtime_error("the daemon closed the connection");
  const std::size_t begin = head_end + 4;
  const std::size_t length = content_length(std::string_view(received_).substr(0, begin));
  while (received_.size() < begin + length)
    if (!receive_more()) throw std::runtime_error("the answer was cut short");
  return {std::atoi(received_.c_str() + std::strlen("HTTP/1.1 ")), received_.substr(begin, length)};
}

}  // namespace berth::bench
