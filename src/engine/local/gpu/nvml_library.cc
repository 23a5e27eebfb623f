#include "engine/local/gpu/nvml_library.h"

#include <dlfcn.h>

#include <initializer_list>

namespace berth {
namespace {

template <class Function>
void bind(void* library, Function& field, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    field = reinterpret_cast<Function>(dlsym(library, name));
    if (field != nullptr) return;
  }
}

void bind_system(void* lib, nvml::Functions& f) {
  bind(lib, f.init, {"nvmlInit_v2"});
  bind(lib, f.shutdown, {"nvmlShutdown"});
  bind(lib, f.driver_version, {"nvmlSystemGetDriverVersion"});
  bind(lib, f.cuda_version, {"nvmlSystemGetCudaDriverVersion_v2"});
  bind(lib, f.count, {"nvmlDeviceGetCount_v2"});
  bind(lib, f.by_index, {"nvmlDeviceGetHandleByIndex_v2"});
  bind(lib, f.event_set_create, {"nvmlEventSetCreate"});
  bind(lib, f.event_types, {"nvmlDeviceGetSupportedEventTypes"});
  bind(lib, f.register_events, {"nvmlDeviceRegisterEvents"});
  bind(lib, f.event_wait, {"nvmlEventSetWait_v2"});
}

void bind_device(void* lib, nvml::Functions& f) {
  bind(lib, f.uuid, {"nvmlDeviceGetUUID"});
  bind(lib, f.name, {"nvmlDeviceGetName"});
  bind(lib, f.minor, {"nvmlDeviceGetMinorNumber"});
  bind(lib, f.pci, {"nvmlDeviceGetPciInfo_v3"});
  bind(lib, f.capability, {"nvmlDeviceGetCudaComputeCapability"});
  bind(lib, f.memory_v2, {"nvmlDeviceGetMemoryInfo_v2"});
  bind(lib, f.memory, {"nvmlDeviceGetMemoryInfo"});
  bind(lib, f.utilization, {"nvmlDeviceGetUtilizationRates"});
  bind(lib, f.power, {"nvmlDeviceGetPowerUsage"});
  bind(lib, f.temperature, {"nvmlDeviceGetTemperature"});
  bind(lib, f.ecc_errors, {"nvmlDeviceGetTotalEccErrors"});
  bind(lib, f.remapped_rows, {"nvmlDeviceGetRemappedRows"});
  bind(lib, f.field_values, {"nvmlDeviceGetFieldValues"});
  bind(lib, f.mig_mode, {"nvmlDeviceGetMigMode"});
}

// _v2 and _v3 of the process lists have the same element; the unsuffixed ones do not.
void bind_relations(void* lib, nvml::Functions& f) {
  bind(lib, f.compute_processes,
       {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
  bind(lib, f.graphics_processes,
       {"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"});
  bind(lib, f.mps_processes,
       {"nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2"});
  bind(lib, f.common_ancestor, {"nvmlDeviceGetTopologyCommonAncestor"});
  bind(lib, f.link_state, {"nvmlDeviceGetNvLinkState"});
  bind(lib, f.link_remote_pci, {"nvmlDeviceGetNvLinkRemotePciInfo_v2"});
  bind(lib, f.link_remote_type, {"nvmlDeviceGetNvLinkRemoteDeviceType"});
}

}  // namespace

Result<nvml::Functions> load_nvml(const std::string& path) {
  // The plain name last: it may be the CUDA toolkit's stand-in, whose every call fails.
  void* library =
      !path.empty() ? dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr && path.empty()) library = dlopen("libnvidia-ml.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{ErrorCode::not_found, "NVML cannot be loaded: " + std::string(dlerror()),
                 "install the NVIDIA driver, or declare virtual GPUs"};
  nvml::Functions functions;
  bind_system(library, functions);
  bind_device(library, functions);
  bind_relations(library, functions);
  if (functions.init == nullptr || functions.count == nullptr || functions.by_index == nullptr)
    return Error{ErrorCode::unsupported, "the NVML library lacks its basic functions", "update the NVIDIA driver"};
  return functions;
}

}  // namespace berth
