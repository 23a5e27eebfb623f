// Stream: bytes to and from one client, never blocking. A plain socket now; TLS is one more class.
// The loop's thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "api/loop.h"

namespace berth::api {

enum class IoState { done, would_block, end, broken };

struct IoResult {
  IoState state = IoState::done;
  std::size_t bytes = 0;
};

class Stream {
 public:
  virtual ~Stream() = default;
  virtual IoResult read(std::span<char> into) = 0;
  virtual IoResult write(std::span<const std::string_view> parts) = 0;
  // The task runs once, when it is worth trying again.
  virtual void when_readable(Loop::Task task) = 0;
  virtual void when_writable(Loop::Task task) = 0;
  // No more will be written; reading goes on.
  virtual void end_writing() = 0;
};

std::unique_ptr<Stream> socket_stream(std::unique_ptr<Loop::Watch> socket);

}  // namespace berth::api
