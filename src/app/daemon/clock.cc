#include "app/daemon/clock.h"

#include <time.h>

#include <algorithm>

namespace berth {
namespace {

std::int64_t read_ms(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

}  // namespace

Clock::Clock() : Clock([] { return read_ms(CLOCK_REALTIME); }, [] { return read_ms(CLOCK_BOOTTIME); }) {}

Clock::Clock(Source wall, Source steady)
    : wall_(std::move(wall)), steady_(std::move(steady)), now_ms_(wall_()), last_steady_ms_(steady_()) {}

Time Clock::now() {
  const std::int64_t steady = steady_();
  const std::int64_t passed = std::max<std::int64_t>(0, steady - last_steady_ms_);
  last_steady_ms_ = steady;
  now_ms_ += passed;
  const std::int64_t off = wall_() - now_ms_;
  taken_up_tenths_ += passed;
  const std::int64_t most = taken_up_tenths_ / 10;
  taken_up_tenths_ %= 10;
  now_ms_ += std::clamp(off, -most, most);
  behind_ = Duration(off);
  return Time(now_ms_);
}

}  // namespace berth
