#include "core/fairshare.h"

#include <algorithm>

#include "base/wide.h"

namespace berth {
namespace {

constexpr std::int64_t kTicksPerHalfLife = 64;
constexpr std::int64_t kDecay = 4248701964;         // 2^(-1/64) * 2^32, rounded down
constexpr std::int64_t kLn2Over2To32 = 2977044471;  // ln 2 * 2^32, rounded down
constexpr std::int64_t kMaxUse = std::int64_t{1} << 62;

std::int64_t scaled(std::int64_t value, std::int64_t factor_over_2_to_32) {
  return static_cast<std::int64_t>((static_cast<Wide>(value) * factor_over_2_to_32) >> 32);
}

std::int64_t grown(std::int64_t use, std::int64_t rate, std::int64_t ms) {
  const Wide sum = static_cast<Wide>(use) + static_cast<Wide>(rate) * ms;
  return static_cast<std::int64_t>(std::min<Wide>(sum, kMaxUse));
}

// The first multiple of `tick` after `ms`.
std::int64_t next_tick(std::int64_t ms, std::int64_t tick) { return (ms / tick + 1) * tick; }

}  // namespace

Usage usage_at(Usage usage, std::int64_t gpu_rate, std::int64_t cpu_rate, Duration half_life, Time now) {
  if (now <= usage.as_of) return usage;
  const std::int64_t tick = std::max<std::int64_t>(half_life.ms() / kTicksPerHalfLife, 1);
  if (usage.gpu == 0 && usage.cpu == 0 && gpu_rate == 0 && cpu_rate == 0) return {0, 0, now};
  // After this many ticks nothing of the past is left, so that a long pause costs no time.
  const std::int64_t horizon = now.ms() - tick * kTicksPerHalfLife * 64;
  std::int64_t at = usage.as_of.ms();
  if (at < horizon) {
    usage.gpu = usage.cpu = 0;
    at = horizon;
  }
  while (at < now.ms()) {
    const std::int64_t until = std::min(next_tick(at, tick), now.ms());
    usage.gpu = grown(usage.gpu, gpu_rate, until - at);
    usage.cpu = grown(usage.cpu, cpu_rate, until - at);
    if (until % tick == 0) {
      usage.gpu = scaled(usage.gpu, kDecay);
      usage.cpu = scaled(usage.cpu, kDecay);
    }
    at = until;
  }
  usage.as_of = now;
  return usage;
}

std::int64_t scaled_average_rate(std::int64_t use, Duration half_life) {
  const Wide scaled_use = Wide{use} * kLn2Over2To32 >> 12;  // use * ln 2 * 2^20
  return static_cast<std::int64_t>(scaled_use / std::max<std::int64_t>(half_life.ms(), 1));
}

}  // namespace berth
