// The part of NVML's binary interface that berth uses: layouts, codes and the shapes of functions, as the driver's
// libnvidia-ml.so.1 has them on 64-bit Linux. There is no header to build against on a machine without CUDA, so the facts
// are restated here and held by assertions. For the probe and for the tests' own library; nobody else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace berth::nvml {

using Return = int;
using Device = struct DeviceTag*;
using EventSet = struct EventSetTag*;

inline constexpr Return kSuccess = 0;
inline constexpr Return kUninitialized = 1;
inline constexpr Return kInvalidArgument = 2;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kNoPermission = 4;
inline constexpr Return kNotFound = 6;
inline constexpr Return kInsufficientSize = 7;
inline constexpr Return kDriverNotLoaded = 9;
inline constexpr Return kTimeout = 10;
inline constexpr Return kLibraryNotFound = 12;
inline constexpr Return kFunctionNotFound = 13;
inline constexpr Return kGpuIsLost = 15;
inline constexpr Return kLibraryMismatch = 18;
inline constexpr Return kVersionMismatch = 25;
inline constexpr Return kUnknown = 999;

struct PciInfo {
  char bus_id_legacy[16];
  std::uint32_t domain, bus, device, pci_device_id, pci_subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(PciInfo) == 68 && offsetof(PciInfo, bus_id) == 36);

struct Memory {
  std::uint64_t total, free, used;
};
static_assert(sizeof(Memory) == 24);

struct MemoryV2 {
  std::uint32_t version;
  std::uint64_t total, reserved, free, used;
};
static_assert(sizeof(MemoryV2) == 40 && offsetof(MemoryV2, used) == 32);
inline constexpr std::uint32_t kMemoryV2 = 0x02000028;

struct Utilization {
  std::uint32_t gpu, memory;
};
static_assert(sizeof(Utilization) == 8);

struct ProcessInfo {
  std::uint32_t pid;
  std::uint64_t used_memory;  // all ones: not available
  std::uint32_t gpu_instance, compute_instance;
};
static_assert(sizeof(ProcessInfo) == 24 && offsetof(ProcessInfo, gpu_instance) == 16);
inline constexpr std::uint64_t kNotAvailable = ~0ULL;

struct FieldValue {
  std::uint32_t field, scope;
  std::int64_t timestamp, latency_us;
  std::uint32_t type;
  Return result;
  union {
    double as_double;
    std::uint32_t as_uint;
    std::uint64_t as_ulong;
    std::int64_t as_long;
  } value;
};
static_assert(sizeof(FieldValue) == 40 && offsetof(FieldValue, result) == 28 && offsetof(FieldValue, value) == 32);
inline constexpr std::uint32_t kFieldRecoveryAction = 230;

struct EventData {
  Device device;
  std::uint64_t type, data;
  std::uint32_t gpu_instance, compute_instance;
};
static_assert(sizeof(EventData) == 32 && offsetof(EventData, gpu_instance) == 24);
inline constexpr std::uint64_t kEventXid = 0x8;

inline constexpr std::uint32_t kUncorrected = 1;
inline constexpr std::uint32_t kCorrected = 0;
inline constexpr std::uint32_t kVolatile = 0;
inline constexpr std::uint32_t kTemperatureGpu = 0;
inline constexpr std::uint32_t kP2pNvlink = 2;
inline constexpr std::uint32_t kRemoteSwitch = 2;

// Name of the symbol, newest first; shape. A null pointer means the same as "not supported".
struct Functions {
  Return (*init)() = nullptr;  // nvmlInit_v2
  Return (*shutdown)() = nullptr;
  Return (*driver_version)(char*, unsigned) = nullptr;
  Return (*cuda_version)(int*) = nullptr;
  Return (*count)(unsigned*) = nullptr;
  Return (*by_index)(unsigned, Device*) = nullptr;
  Return (*uuid)(Device, char*, unsigned) = nullptr;
  Return (*name)(Device, char*, unsigned) = nullptr;
  Return (*minor)(Device, unsigned*) = nullptr;
  Return (*pci)(Device, PciInfo*) = nullptr;
  Return (*capability)(Device, int*, int*) = nullptr;
  Return (*memory_v2)(Device, MemoryV2*) = nullptr;
  Return (*memory)(Device, Memory*) = nullptr;
  Return (*utilization)(Device, Utilization*) = nullptr;
  Return (*power)(Device, unsigned*) = nullptr;
  Return (*temperature)(Device, std::uint32_t, unsigned*) = nullptr;
  Return (*ecc_errors)(Device, std::uint32_t, std::uint32_t, unsigned long long*) = nullptr;
  Return (*remapped_rows)(Device, unsigned*, unsigned*, unsigned*, unsigned*) = nullptr;
  Return (*field_values)(Device, int, FieldValue*) = nullptr;
  Return (*mig_mode)(Device, unsigned*, unsigned*) = nullptr;
  Return (*compute_processes)(Device, unsigned*, ProcessInfo*) = nullptr;
  Return (*graphics_processes)(Device, unsigned*, ProcessInfo*) = nullptr;
  Return (*mps_processes)(Device, unsigned*, ProcessInfo*) = nullptr;
  Return (*common_ancestor)(Device, Device, unsigned*) = nullptr;
  Return (*link_state)(Device, unsigned, unsigned*) = nullptr;
  Return (*link_remote_pci)(Device, unsigned, PciInfo*) = nullptr;
  Return (*link_remote_type)(Device, unsigned, unsigned*) = nullptr;
  Return (*event_set_create)(EventSet*) = nullptr;
  Return (*event_types)(Device, unsigned long long*) = nullptr;
  Return (*register_events)(Device, unsigned long long, EventSet) = nullptr;
  Return (*event_wait)(EventSet, EventData*, unsigned) = nullptr;
};

}  // namespace berth::nvml
