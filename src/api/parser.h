// Parser: bytes of one HTTP/1.x request to a Request, by Beast's parser. Put bytes until it is done or has failed.
// One per request; the loop's thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "api/message.h"

namespace berth::api {

inline constexpr std::size_t kMaxHeader = 16 * 1024;
inline constexpr std::size_t kMaxBody = 8 * 1024 * 1024;

class Parser {
 public:
  enum class State { more, done, failed };
  struct Step {
    State state = State::more;
    std::size_t used = 0;  // bytes that need not be put again
    int status = 400;      // if failed
    Error error;           // if failed
  };

  Parser();
  ~Parser();
  Step put(std::string_view bytes);
  bool head_done() const;
  // The client waits for "100 Continue" before it sends the body.
  bool wants_continue() const;
  // Once, when done.
  Request take();

 private:
  struct Beast;
  std::unique_ptr<Beast> beast_;
};

}  // namespace berth::api
