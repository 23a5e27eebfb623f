// NVML's return codes: what each means for berth, and in words. Data; pure.
#pragma once

#include <string>

namespace berth {

enum class NvmlClass {
  ok,
  absent,      // this datum does not exist here: never a failure of the device
  permission,  // absent for us
  transient,   // may pass; suspicious when it does not
  dead,        // the device is lost until it is reset or replaced
  stale,       // our handle or session is out of date: start again
  busy,
  node,  // of the whole machine's driver
};

NvmlClass class_of(int code);
std::string nvml_text(int code);  // "GPU is lost (NVML 15)"

}  // namespace berth
