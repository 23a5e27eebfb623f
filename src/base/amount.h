// Amounts of what a job can hold. Integers only: MilliGpu (1000 is one whole GPU), MilliCpu (1000 is one core), Mib.
#pragma once

#include <compare>
#include <cstdint>

namespace berth {

template <class Tag>
class Amount {
 public:
  constexpr Amount() = default;
  explicit constexpr Amount(std::int64_t value) : value_(value) {}
  constexpr std::int64_t value() const { return value_; }
  friend constexpr auto operator<=>(Amount, Amount) = default;
  friend constexpr Amount operator+(Amount a, Amount b) { return Amount(a.value_ + b.value_); }
  friend constexpr Amount operator-(Amount a, Amount b) { return Amount(a.value_ - b.value_); }
  friend constexpr Amount operator*(Amount a, std::int64_t n) { return Amount(a.value_ * n); }
  constexpr Amount& operator+=(Amount b) {
    value_ += b.value_;
    return *this;
  }
  constexpr Amount& operator-=(Amount b) {
    value_ -= b.value_;
    return *this;
  }

 private:
  std::int64_t value_ = 0;
};

using MilliGpu = Amount<struct MilliGpuTag>;
using MilliCpu = Amount<struct MilliCpuTag>;
using Mib = Amount<struct MibTag>;

inline constexpr MilliGpu kWholeGpu{1000};

// What is held or asked for, summed over devices.
struct Resources {
  MilliGpu gpu;
  MilliCpu cpu;
  Mib memory;

  friend bool operator==(const Resources&, const Resources&) = default;
  Resources& operator+=(const Resources& o) {
    gpu += o.gpu;
    cpu += o.cpu;
    memory += o.memory;
    return *this;
  }
  Resources& operator-=(const Resources& o) {
    gpu -= o.gpu;
    cpu -= o.cpu;
    memory -= o.memory;
    return *this;
  }
  friend Resources operator+(Resources a, const Resources& b) { return a += b; }
};

}  // namespace berth
