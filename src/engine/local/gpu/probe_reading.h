// One reading of all devices through NVML. Runs in the helper process only, since any call may block for ever.
// Errors are kept per device and per datum: what one device or one function refuses never hides another.
#pragma once

#include "engine/local/gpu/nvml_abi.h"
#include "engine/local/gpu/probe_report.h"

namespace berth {

// NVML is initialized. `with_links`: topology too, which costs calls in the square of the devices.
ProbeReport read_devices(const nvml::Functions& f, bool with_links);

}  // namespace berth
