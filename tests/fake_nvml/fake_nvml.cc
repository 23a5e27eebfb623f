// The calls of NVML that berth makes, answered from the scenario. Events are in fake_events.cc.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "engine/local/gpu/nvml_abi.h"
#include "fake_nvml/scenario.h"

using namespace berth::nvml;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr int kMostGpus = 64;
char handles[kMostGpus];  // their addresses are the handles

int index_of(Device device) { return static_cast<int>(reinterpret_cast<char*>(device) - handles); }

fake::Fields gpu_of(const fake::Scenario& s, Device device) {
  return s.gpus.at(static_cast<std::size_t>(index_of(device)));
}

std::vector<fake::Fields> processes_on(const fake::Scenario& s, const std::string& uuid) {
  std::vector<fake::Fields> list;
  std::copy_if(s.processes.begin(), s.processes.end(), std::back_inserter(list),
               [&](const auto& p) { return fake::text(p, "uuid") == uuid; });
  return list;
}

std::uint64_t used_bytes(const fake::Scenario& s, const fake::Fields& gpu) {
  std::int64_t used = fake::number(gpu, "used", 0);
  for (const auto& p : processes_on(s, fake::text(gpu, "uuid")))
    used += std::max<std::int64_t>(fake::number(p, "mib", 0), 0);
  return static_cast<std::uint64_t>(used) * kMiB;
}

Return put_text(const std::string& text, char* buffer, unsigned size) {
  if (text.size() >= size) return kInsufficientSize;
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return kSuccess;
}

std::string bus_of(int index) {
  char text[32];
  std::snprintf(text, sizeof text, "00000000:%02X:00.0", 0x10 + index);
  return text;
}

template <class Answer>
Return answer(const char* call, Device device, Answer make) {
  if (const int code = fake::verdict(call, index_of(device)); code != 0) return code;
  const fake::Scenario s = fake::load();
  return make(s, gpu_of(s, device));
}

template <class Number>
Return answer_number(const char* call, Device device, const char* key, std::int64_t otherwise, Number* out) {
  return answer(call, device, [&](const fake::Scenario&, const fake::Fields& gpu) {
    *out = static_cast<Number>(fake::number(gpu, key, otherwise));
    return kSuccess;
  });
}

}  // namespace

extern "C" {

Return nvmlInit_v2() {
  if (const int code = fake::verdict("nvmlInit_v2", -1); code != 0) return code;
  return static_cast<Return>(fake::number(fake::load().settings, "init", 0));
}

Return nvmlShutdown() { return kSuccess; }

Return nvmlSystemGetDriverVersion(char* text, unsigned size) {
  const std::string driver = fake::text(fake::load().settings, "driver");
  return put_text(driver.empty() ? "580.95.05" : driver, text, size);
}

Return nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = static_cast<int>(fake::number(fake::load().settings, "cuda", 13000));
  return kSuccess;
}

Return nvmlDeviceGetCount_v2(unsigned* count) {
  if (const int code = fake::verdict("nvmlDeviceGetCount_v2", -1); code != 0) return code;
  const fake::Scenario s = fake::load();
  *count = static_cast<unsigned>(fake::number(s.settings, "count", static_cast<std::int64_t>(s.gpus.size())));
  return kSuccess;
}

Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  const fake::Scenario s = fake::load();
  if (index >= s.gpus.size() || index >= kMostGpus) return kInvalidArgument;
  if (const int code = fake::verdict("nvmlDeviceGetHandleByIndex_v2", -1); code != 0) return code;
  if (const auto code = fake::number(s.gpus[index], "open", 0); code != 0) return static_cast<Return>(code);
  *device = reinterpret_cast<Device>(handles + index);
  return kSuccess;
}

Return nvmlDeviceGetUUID(Device device, char* text, unsigned size) {
  return answer("nvmlDeviceGetUUID", device,
                [&](const auto&, const auto& gpu) { return put_text(fake::text(gpu, "uuid"), text, size); });
}

Return nvmlDeviceGetName(Device device, char* text, unsigned size) {
  return answer("nvmlDeviceGetName", device, [&](const auto&, const auto& gpu) {
    const std::string name = fake::text(gpu, "name");
    return put_text(name.empty() ? "NVIDIA H100 80GB HBM3" : name, text, size);
  });
}

Return nvmlDeviceGetMinorNumber(Device device, unsigned* minor) {
  return answer_number("nvmlDeviceGetMinorNumber", device, "minor", index_of(device), minor);
}

Return nvmlDeviceGetPciInfo_v3(Device device, PciInfo* info) {
  return answer("nvmlDeviceGetPciInfo_v3", device, [&](const auto&, const auto&) {
    *info = {};
    return put_text(bus_of(index_of(device)), info->bus_id, sizeof info->bus_id);
  });
}

Return nvmlDeviceGetCudaComputeCapability(Device device, int* major, int* minor) {
  *minor = 0;
  return answer_number("nvmlDeviceGetCudaComputeCapability", device, "capability", 9, major);
}

Return nvmlDeviceGetMemoryInfo_v2(Device device, MemoryV2* memory) {
  if (memory->version != kMemoryV2) return kVersionMismatch;
  return answer("nvmlDeviceGetMemoryInfo_v2", device, [&](const auto& s, const auto& gpu) {
    memory->total = static_cast<std::uint64_t>(fake::number(gpu, "total", 81559)) * kMiB;
    memory->reserved = static_cast<std::uint64_t>(fake::number(gpu, "reserved", 480)) * kMiB;
    memory->used = used_bytes(s, gpu);
    memory->free = memory->total - memory->reserved - memory->used;
    return kSuccess;
  });
}

Return nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  return answer("nvmlDeviceGetMemoryInfo", device, [&](const auto& s, const auto& gpu) {
    memory->total = static_cast<std::uint64_t>(fake::number(gpu, "total", 81559)) * kMiB;
    memory->used = used_bytes(s, gpu) + static_cast<std::uint64_t>(fake::number(gpu, "reserved", 480)) * kMiB;
    memory->free = memory->total - memory->used;
    return kSuccess;
  });
}

Return nvmlDeviceGetUtilizationRates(Device device, Utilization* use) {
  use->memory = 0;
  return answer_number("nvmlDeviceGetUtilizationRates", device, "utilization", 0, &use->gpu);
}

Return nvmlDeviceGetPowerUsage(Device device, unsigned* milliwatts) {
  return answer_number("nvmlDeviceGetPowerUsage", device, "power", 70'000, milliwatts);
}

Return nvmlDeviceGetTemperature(Device device, std::uint32_t, unsigned* degrees) {
  return answer_number("nvmlDeviceGetTemperature", device, "temperature", 35, degrees);
}

Return nvmlDeviceGetTotalEccErrors(Device device, std::uint32_t type, std::uint32_t, unsigned long long* count) {
  return answer_number("nvmlDeviceGetTotalEccErrors", device, type == kUncorrected ? "ecc" : "corrected", 0, count);
}

Return nvmlDeviceGetRemappedRows(Device device, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                                 unsigned* failed) {
  *corrected = *uncorrected = 0;
  return answer("nvmlDeviceGetRemappedRows", device, [&](const auto&, const auto& gpu) {
    *pending = static_cast<unsigned>(fake::number(gpu, "remap_pending", 0));
    *failed = static_cast<unsigned>(fake::number(gpu, "remap_failed", 0));
    return kSuccess;
  });
}

Return nvmlDeviceGetFieldValues(Device device, int count, FieldValue* values) {
  return answer("nvmlDeviceGetFieldValues", device, [&](const auto&, const auto& gpu) {
    for (int i = 0; i < count; ++i) {
      values[i].result = values[i].field == kFieldRecoveryAction ? kSuccess : kNotSupported;
      values[i].value.as_uint = static_cast<std::uint32_t>(fake::number(gpu, "recovery", 0));
    }
    return kSuccess;
  });
}

Return nvmlDeviceGetMigMode(Device device, unsigned* current, unsigned* pending) {
  *pending = 0;
  return answer_number("nvmlDeviceGetMigMode", device, "mig", 0, current);
}

Return nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned* count, ProcessInfo* list) {
  return answer("nvmlDeviceGetComputeRunningProcesses_v3", device, [&](const auto& s, const auto& gpu) {
    const auto processes = processes_on(s, fake::text(gpu, "uuid"));
    const unsigned room = *count;
    *count = static_cast<unsigned>(processes.size());
    if (room < *count) return kInsufficientSize;
    for (unsigned i = 0; i < *count; ++i) {
      const std::int64_t mib = fake::number(processes[i], "mib", -1);
      list[i] = {static_cast<std::uint32_t>(fake::number(processes[i], "pid", 0)),
                 mib < 0 ? kNotAvailable : static_cast<std::uint64_t>(mib) * kMiB, ~0U, ~0U};
    }
    return kSuccess;
  });
}

Return nvmlDeviceGetTopologyCommonAncestor(Device a, Device b, unsigned* level) {
  if (const int code = fake::verdict("nvmlDeviceGetTopologyCommonAncestor", index_of(a)); code != 0) return code;
  *level = 50;
  for (const auto& l : fake::load().levels)
    if (fake::number(l, "a", -1) == index_of(a) && fake::number(l, "b", -1) == index_of(b))
      *level = static_cast<unsigned>(fake::number(l, "level", 50));
  return kSuccess;
}

Return nvmlDeviceGetNvLinkState(Device device, unsigned link, unsigned* active) {
  return answer("nvmlDeviceGetNvLinkState", device, [&](const auto&, const auto& gpu) {
    const auto links = static_cast<unsigned>(fake::number(gpu, "switch_links", 0));
    *active = link < links ? 1 : 0;
    if (links == 0) return kNotSupported;
    return link < links ? kSuccess : kInvalidArgument;
  });
}

Return nvmlDeviceGetNvLinkRemoteDeviceType(Device device, unsigned, unsigned* type) {
  *type = kRemoteSwitch;
  return fake::verdict("nvmlDeviceGetNvLinkRemoteDeviceType", index_of(device));
}

}  // extern "C"
