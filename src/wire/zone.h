// Zone: how far local time is from UTC at a given moment. Passed in wherever a calendar matters, so that parsing and
// printing depend on nothing hidden. Anyone may use it.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "base/time.h"

namespace berth {

class Zone {
 public:
  using OffsetAt = std::function<std::int32_t(Time)>;  // seconds east of UTC

  Zone() = default;  // UTC
  explicit Zone(OffsetAt offset_at) : offset_at_(std::move(offset_at)) {}
  static Zone fixed(std::int32_t seconds_east);
  // The zone of this process (TZ, /etc/localtime), daylight saving included.
  static Zone of_process();

  std::int32_t offset_s(Time at) const { return offset_at_ ? offset_at_(at) : 0; }
  // The moment at which clocks show `wall` (as if it were UTC). Shown twice: the first; never shown (the hour that
  // is skipped in spring): as if the clocks had not been put forward yet.
  Time to_utc(Time wall) const;

 private:
  OffsetAt offset_at_;
};

}  // namespace berth
