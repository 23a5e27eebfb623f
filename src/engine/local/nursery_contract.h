// The request that the engine sends to the nursery, as one message: this header, then the task's directory, the arguments
// and the environment as texts that each end in NUL; with it the lock and the status pipe's write end, in this order.
#pragma once

#include <cstdint>

namespace berth::shim {

struct NurseryRequest {
  std::uint32_t argument_count;
  std::uint32_t variable_count;
};

// What is larger is started without the nursery.
inline constexpr std::uint32_t kMostRequestBytes = 128 * 1024;
inline constexpr std::uint32_t kMostRequestTexts = 4096;

// The only argument of the nursery, and the descriptor that it serves.
inline constexpr char kNurseryArgument[] = "nursery";
inline constexpr int kNurserySocket = 3;

}  // namespace berth::shim
