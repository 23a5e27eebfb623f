#include "api/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace berth::api {
namespace {

constexpr int kBacklog = 1024;
constexpr int kAcceptsAtOnce = 64;
constexpr auto kPause = std::chrono::milliseconds(200);

Error failure(const std::string& what, const std::string& where) {
  return {errno == EADDRINUSE ? ErrorCode::conflict : ErrorCode::io,
          "cannot " + what + " " + where + ": " + std::strerror(errno),
          errno == EADDRINUSE ? "another program listens there; choose another address or stop it" : ""};
}

Result<int> open_listening(const sockaddr* address, socklen_t size, const std::string& where) {
  const int fd = ::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return failure("open a socket for", where);
  const int on = 1;
  if (address->sa_family != AF_UNIX) ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd, address, size) == 0 && ::listen(fd, kBacklog) == 0) return fd;
  const Error error = failure("listen on", where);
  ::close(fd);
  return error;
}

bool somebody_listens(const sockaddr_un& address) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return true;
  // A full backlog (EAGAIN) is a live one too.
  const bool answered =
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno == EAGAIN;
  ::close(fd);
  return answered;
}

Error not_loopback(const std::string& address) {
  return {
      ErrorCode::unsupported, "'" + address + "' is not a loopback address with a port",
      "127.0.0.1:7474 or [::1]:7474; other machines reach it through an SSH tunnel, as there is no authentication yet"};
}

struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};

Result<HostPort> split_address(const std::string& address) {
  const auto colon = address.rfind(':');
  if (colon == std::string::npos) return not_loopback(address);
  HostPort parts{address.substr(0, colon), 0};
  if (parts.host.size() > 2 && parts.host.front() == '[' && parts.host.back() == ']')
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  if (parts.host == "localhost") parts.host = "127.0.0.1";
  const char* end = address.data() + address.size();
  const auto [stop, error] = std::from_chars(address.data() + colon + 1, end, parts.port);
  if (error != std::errc{} || stop != end) return not_loopback(address);
  return parts;
}

}  // namespace

Result<int> listen_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return Error{ErrorCode::invalid, "the socket path '" + path + "' is empty or too long",
                 "at most " + std::to_string(sizeof address.sun_path - 1) + " bytes"};
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode))
      return Error{ErrorCode::conflict, path + " exists and is no socket", "remove it or choose another path"};
    if (somebody_listens(address))
      return Error{ErrorCode::conflict, "another daemon listens on " + path, "stop it first, or choose another path"};
    ::unlink(path.c_str());
  }
  Result<int> fd = open_listening(reinterpret_cast<const sockaddr*>(&address), sizeof address, path);
  if (fd && ::chmod(path.c_str(), 0666) != 0) {
    const Error error = failure("set the mode of", path);
    ::close(*fd);
    return error;
  }
  return fd;
}

Result<int> listen_loopback(const std::string& address) {
  const Result<HostPort> parts = split_address(address);
  if (!parts) return parts.error();
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(parts->port);
  if (::inet_pton(AF_INET, parts->host.c_str(), &v4.sin_addr) == 1) {
    if ((ntohl(v4.sin_addr.s_addr) >> 24) != 127) return not_loopback(address);
    return open_listening(reinterpret_cast<const sockaddr*>(&v4), sizeof v4, address);
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(parts->port);
  if (::inet_pton(AF_INET6, parts->host.c_str(), &v6.sin6_addr) != 1 || !IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr))
    return not_loopback(address);
  return open_listening(reinterpret_cast<const sockaddr*>(&v6), sizeof v6, address);
}

std::string bound_address(int fd) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return {};
  if (bound.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(bound);
    return std::string(::inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size())) + ":" +
           std::to_string(ntohs(v4.sin_port));
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(bound);
  return "[" + std::string(::inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size())) +
         "]:" + std::to_string(ntohs(v6.sin6_port));
}

Listener::Listener(Loop& loop, int fd, std::function<void(int)> take)
    : loop_(loop), socket_(loop.watch(fd)), pause_(loop.timer()), take_(std::move(take)) {
  await();
}

void Listener::await() {
  socket_->readable([this] { accept_all(); });
}

void Listener::accept_all() {
  for (int i = 0; i < kAcceptsAtOnce; ++i) {
    const int fd = ::accept4(socket_->fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      take_(fd);
      continue;
    }
    const bool out_of_something = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    if (out_of_something) return pause_->arm(std::chrono::steady_clock::now() + kPause, [this] { await(); });
    if (errno == EAGAIN) break;
  }
  await();
}

}  // namespace berth::api
