#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "api/stream.h"

namespace berth::api {
namespace {

IoResult outcome(ssize_t n) {
  if (n >= 0) return {IoState::done, static_cast<std::size_t>(n)};
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {IoState::would_block};
  return {IoState::broken};
}

class SocketStream final : public Stream {
 public:
  explicit SocketStream(std::unique_ptr<Loop::Watch> socket) : socket_(std::move(socket)) {}

  IoResult read(std::span<char> into) override {
    const ssize_t n = ::recv(socket_->fd(), into.data(), into.size(), MSG_DONTWAIT);
    if (n == 0) return {IoState::end};
    return outcome(n);
  }
  IoResult write(std::span<const std::string_view> parts) override {
    std::array<iovec, 16> vectors{};
    const std::size_t count = std::min(parts.size(), vectors.size());
    for (std::size_t i = 0; i < count; ++i) vectors[i] = {const_cast<char*>(parts[i].data()), parts[i].size()};
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = count;
    return outcome(::sendmsg(socket_->fd(), &message, MSG_DONTWAIT | MSG_NOSIGNAL));
  }
  void when_readable(Loop::Task task) override { socket_->readable(std::move(task)); }
  void when_writable(Loop::Task task) override { socket_->writable(std::move(task)); }
  void end_writing() override { ::shutdown(socket_->fd(), SHUT_WR); }

 private:
  std::unique_ptr<Loop::Watch> socket_;
};

}  // namespace

std::unique_ptr<Stream> socket_stream(std::unique_ptr<Loop::Watch> socket) {
  return std::make_unique<SocketStream>(std::move(socket));
}

}  // namespace berth::api
