// Fate: how an attempt behaves once it was launched. The scheduler never sees it; only the virtual engine plays it out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/time.h"
#include "ports/engine.h"

namespace berth {

// What a process makes of a signal that it may handle.
struct Reaction {
  bool ignores = false;
  std::int32_t exit_code = 143;  // else it exits with this code
  Duration after;                // so long after the signal
};

struct Fate {
  Duration runs = kUnlimited;  // until it ends by itself
  std::int32_t exit_code = 0;  // then
  bool rejected = false;       // no such program: it never runs, by the user's mistake
  bool launch_fails = false;   // it never runs, by the machine's fault
  Reaction on_term;            // SIGTERM
  Reaction on_first_signal{.ignores = true, .exit_code = 0, .after = Duration{}};  // another signal sent before SIGTERM
};

// Asked once for each attempt, when it is launched.
using FateOf = std::function<Fate(const Launch&)>;

}  // namespace berth
