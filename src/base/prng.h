// Prng: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 13).
// Seeded explicitly, so that every run that uses it can be repeated. For tests and simulation, never for secrets.
#pragma once

#include <cstdint>

#include "base/wide.h"

namespace berth {

class Prng {
 public:
  explicit constexpr Prng(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  // Uniform over [0, bound); the bias is below bound / 2^64. bound must be positive.
  constexpr std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>((static_cast<Wide>(next()) * static_cast<std::uint64_t>(bound)) >> 64);
  }
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  constexpr bool chance(std::int64_t numerator, std::int64_t denominator) { return below(denominator) < numerator; }

 private:
  __extension__ using Wide = unsigned __int128;  // ISO C++ has no integer of 128 bits
  std::uint64_t state_;
};

}  // namespace berth
