#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace berth {

void check_failed(const char* file, int line, const char* expression, std::string_view message) {
  std::fprintf(stderr, "berth: invariant broken at %s:%d: %s %.*s\n", file, line, expression,
               static_cast<int>(message.size()), message.data());
  std::abort();
}

}  // namespace berth
