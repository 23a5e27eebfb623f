// Strong integer ids. Job ids are small, rise by one and are never used again, also not after a restart.
// Node and queue ids are dense indexes into ClusterState, given in the order in which they were first seen.
#pragma once

#include <compare>
#include <cstdint>

namespace berth {

template <class Tag, class Rep>
class Id {
 public:
  constexpr Id() = default;
  explicit constexpr Id(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  Rep value_ = -1;  // -1: none
};

using JobId = Id<struct JobTag, std::int64_t>;
using NodeId = Id<struct NodeTag, std::int32_t>;
using QueueId = Id<struct QueueTag, std::int32_t>;

inline constexpr QueueId kNoQueue{-1};

}  // namespace berth
