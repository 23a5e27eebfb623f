// The daemon's clock as the model counts time. Any thread.
#pragma once

#include <chrono>

#include "base/time.h"

namespace berth::api {

inline Time wall_clock() {
  using namespace std::chrono;
  return Time(duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count());
}

}  // namespace berth::api
