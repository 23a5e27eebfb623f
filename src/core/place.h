// Place: nodes and GPUs for a whole gang within one window, or none. All tasks get GPUs of one option (type). Within it the
// fewest nodes, and among those the ones where least is left over: whole nodes stay whole.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/feasible.h"
#include "core/timeline.h"
#include "model/allocation.h"
#include "model/state.h"

namespace berth {

// Complete for gangs of one group. For several groups it first places the hardest first, then searches within a bound
// (kSearchSteps), so that what is small is never missed.
inline constexpr std::int64_t kSearchSteps = 20'000;

std::optional<Placement> place(const Timeline& timeline, const Shape& shape, const Candidates& candidates,
                               Window window);
// Only on these of the option's nodes, given in order of id.
std::optional<Placement> place_on(const Timeline& timeline, const Shape& shape, const Option& option,
                                  const std::vector<NodeId>& nodes, Window window);

// How many tasks of one group could run in the window, and what would fit if only one kind of resource counted.
struct Room {
  std::int64_t tasks = 0;
  std::int64_t by_gpu = 0;
  std::int64_t by_cpu = 0;
  std::int64_t by_memory = 0;
  MilliGpu most_gpu;  // free on the node that has the most of it
  MilliCpu most_cpu;
  Mib most_memory;
};
// Whether one task of the group fits on the node all through the window. Cheap: asked for thousands of nodes and times.
bool fits_one(const Timeline& timeline, const Shape& shape, std::size_t group, const Option& option, NodeId node,
              Window window);
Room room_for(const Timeline& timeline, const Shape& shape, std::size_t group, const Option& option, Window window);

}  // namespace berth
