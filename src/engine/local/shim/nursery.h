// The nursery: one berth-shim that waits for orders of the daemon and forks a shim for each. To fork this small process
// costs a fraction of what it costs to exec the program anew, and every start of a job would pay for that.
// It ends with the daemon; the shims that it made stay. A request is one message (nursery_contract.h) with two descriptors.
#pragma once

namespace berth::shim {

using ShimMain = int (*)(int argc, char** argv);

// Serves the socket until its other end is gone. In each child: session, directory, descriptors and environment as if the
// program had been exec'd, then `shim`.
int nurse(int socket, ShimMain shim);

}  // namespace berth::shim
