// serve: the daemon: store, engine, controller and API put together, from start to a clean stop.
#pragma once

#include "app/cli/command_line.h"

namespace berth {

// Runs until SIGTERM or SIGINT; returns the exit status. Jobs go on without it and are taken up by the next one.
int serve(const ServeOptions& options);

}  // namespace berth
