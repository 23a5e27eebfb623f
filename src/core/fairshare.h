// Fair share: recorded use with a half-life, in exact integers.
// Time is cut into ticks of half_life / 64 on a fixed grid. At each tick recorded use is multiplied by 2^(-1/64) in 32-bit
// fixed point, rounded down; between ticks it grows by rate * time. So the same events give the same integers anywhere.
// A steady rate r converges to r * half_life / ln 2, hence average = use * ln 2 / half_life is again a rate.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "model/queue.h"

namespace berth {

// Brings `usage` forward to `now` while `gpu_rate` (weighted milli-GPU) and `cpu_rate` (milli-cores) are held.
Usage usage_at(Usage usage, std::int64_t gpu_rate, std::int64_t cpu_rate, Duration half_life, Time now);

// Recorded use as the rate that would have led to it: weighted milli-GPU (or milli-cores) held on average, times kRateScale,
// so that small shares are not cut to nothing.
inline constexpr std::int64_t kRateScale = std::int64_t{1} << 20;
std::int64_t scaled_average_rate(std::int64_t use, Duration half_life);

}  // namespace berth
