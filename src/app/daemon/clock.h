// Clock: the time that the loop is stepped with. It starts at the wall clock and then goes by the kernel's boot-time clock,
// so that a limit of one hour lasts an hour whatever happens to the wall clock. It never jumps and never goes back; what it
// differs from the wall clock is taken up a tenth of the time that passes, so that begin times come right again.
// The controller's thread.
#pragma once

#include <functional>

#include "base/time.h"

namespace berth {

class Clock {
 public:
  // In milliseconds; the wall clock's since the epoch, the other's since anything.
  using Source = std::function<std::int64_t()>;

  Clock();
  Clock(Source wall, Source steady);
  Time now();
  // How far the wall clock is ahead of it, as of the last now().
  Duration behind_wall() const { return behind_; }

 private:
  Source wall_, steady_;
  std::int64_t now_ms_ = 0;
  std::int64_t last_steady_ms_ = 0;
  std::int64_t taken_up_tenths_ = 0;  // of a millisecond; what is not yet a whole one
  Duration behind_;
};

}  // namespace berth
