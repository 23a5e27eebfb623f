// Query: the parameters of one request, checked. The first that is wrong is kept as the error; readers then give defaults,
// so that a handler reads all and looks at error() once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/message.h"

namespace berth::api {

class Query {
 public:
  explicit Query(const Request& request) : request_(request) {}

  // Empty if it is not given.
  std::string text(std::string_view name) const;
  bool given(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t otherwise, std::int64_t low, std::int64_t high);
  bool flag(std::string_view name);
  // "a,b" or several parameters of the name.
  std::vector<std::string> list(std::string_view name) const;
  const std::optional<Error>& error() const { return error_; }

 private:
  const Request& request_;
  std::optional<Error> error_;
};

// A whole number without sign or spaces; none if it is anything else or too large.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace berth::api
