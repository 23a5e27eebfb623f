// NvmlLibrary: the driver's library, loaded at run time. A symbol that an older driver lacks stays null. Never unloaded:
// it may have threads and exit handlers of its own. Only the probe loads it, since any call may hang for ever.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/local/gpu/nvml_abi.h"

namespace berth {

// `path` empty: the driver's own, by its usual names.
Result<nvml::Functions> load_nvml(const std::string& path);

}  // namespace berth
