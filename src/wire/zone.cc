#include "wire/zone.h"

#include <algorithm>
#include <ctime>

namespace berth {

Zone Zone::fixed(std::int32_t seconds_east) {
  return Zone([seconds_east](Time) { return seconds_east; });
}

Zone Zone::of_process() {
  return Zone([](Time at) -> std::int32_t {
    const std::time_t seconds_since_epoch = at.ms() / 1000;
    std::tm broken_down{};
    if (localtime_r(&seconds_since_epoch, &broken_down) == nullptr) return 0;
    return static_cast<std::int32_t>(broken_down.tm_gmtoff);
  });
}

Time Zone::to_utc(Time wall) const {
  const std::int32_t before = offset_s(wall - hours(24));
  const std::int32_t after = offset_s(wall + hours(24));
  const Time by_before = wall - seconds(before);
  const Time by_after = wall - seconds(after);
  const bool before_holds = offset_s(by_before) == before;
  const bool after_holds = offset_s(by_after) == after;
  if (before_holds && after_holds) return std::min(by_before, by_after);
  return after_holds ? by_after : by_before;
}

}  // namespace berth
