// LocalOptions: what the daemon tells the local engine about this machine. Zero or empty means: find out.
#pragma once

#include <string>
#include <vector>

#include "base/amount.h"
#include "base/time.h"
#include "model/node.h"

namespace berth {

struct LocalOptions {
  std::string run_dir;    // of the engine alone; made if it is not there
  std::string shim_path;  // the program berth-shim
  std::string node_name;  // empty: the host's name
  MilliCpu cpus;          // zero: those that this process may use
  Mib memory;             // zero: all of the machine
  std::vector<std::string> features;
  std::vector<Gpu> virtual_gpus;           // declared devices; not empty: NVML is not asked. Empty uuids are filled in
  std::vector<std::string> probe_command;  // e.g. {"/usr/bin/berth", "gpu-probe"}; empty: no NVML
  std::vector<std::string> probe_environment;  // "KEY=value" added to the helper's, e.g. BERTH_NVML_LIBRARY
  Duration probe_interval = seconds(5);        // between two readings
  Duration probe_timeout = seconds(15);        // silence after which the helper counts as hung
  Duration probe_backoff = seconds(5);         // before it is started anew; doubles, up to 5 minutes
  Duration heal_after = minutes(10);           // of quiet, before a device that was reset is trusted again
  bool use_cgroups = true;
};

}  // namespace berth
