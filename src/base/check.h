// BERTH_CHECK: states an invariant of our own. On in every build; a failure is our bug, never a user's mistake.
// Anyone may use it. It prints the expression, the place and a message, then aborts.
#pragma once

#include <string_view>

namespace berth {

[[noreturn]] void check_failed(const char* file, int line, const char* expression, std::string_view message);

}  // namespace berth

#define BERTH_CHECK(condition, ...)                                                                         \
  do {                                                                                                      \
    if (!(condition)) ::berth::check_failed(__FILE__, __LINE__, #condition, std::string_view{__VA_ARGS__}); \
  } while (false)
