// Time: a point, int64 milliseconds since the Unix epoch (UTC). Duration: a span, int64 milliseconds, may be negative.
// Two types so that they are never mixed. Arithmetic saturates at the ends: kForever plus anything is kForever.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace berth {

class Duration {
 public:
  constexpr Duration() = default;
  explicit constexpr Duration(std::int64_t ms) : ms_(ms) {}
  constexpr std::int64_t ms() const { return ms_; }
  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return Duration(saturating_add(a.ms_, b.ms_)); }
  friend constexpr Duration operator-(Duration a, Duration b) { return Duration(a.ms_ - b.ms_); }
  friend constexpr Duration operator*(Duration a, std::int64_t n) { return Duration(a.ms_ * n); }

  static constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
  }

 private:
  std::int64_t ms_ = 0;
};

constexpr Duration milliseconds(std::int64_t n) { return Duration(n); }
constexpr Duration seconds(std::int64_t n) { return Duration(n * 1000); }
constexpr Duration minutes(std::int64_t n) { return Duration(n * 60'000); }
constexpr Duration hours(std::int64_t n) { return Duration(n * 3'600'000); }

// No limit: longer than anything that is planned.
inline constexpr Duration kUnlimited{std::numeric_limits<std::int64_t>::max()};

class Time {
 public:
  constexpr Time() = default;
  explicit constexpr Time(std::int64_t ms) : ms_(ms) {}
  constexpr std::int64_t ms() const { return ms_; }
  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time t, Duration d) { return Time(Duration::saturating_add(t.ms_, d.ms())); }
  friend constexpr Time operator-(Time t, Duration d) { return Time(Duration::saturating_add(t.ms_, -d.ms())); }
  friend constexpr Duration operator-(Time a, Time b) { return Duration(a.ms_ - b.ms_); }

 private:
  std::int64_t ms_ = 0;
};

inline constexpr Time kForever{std::numeric_limits<std::int64_t>::max()};

}  // namespace berth
