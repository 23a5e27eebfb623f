// Ends what is left of a task and knows when nothing is. The shim is the subreaper of all that its job ever starts, so
// "no children" means "no descendants", with or without cgroups.
#pragma once

#include "engine/local/shim/orders.h"

namespace berth::shim {

// Sends SIGKILL to everything of the task, by the surest means that there is. Does not wait.
void kill_everything(const Orders& orders);
// Kills and reaps until nothing is left, then removes the task's groups. May take as long as the kernel takes.
void end_leftovers(const Orders& orders);

}  // namespace berth::shim
