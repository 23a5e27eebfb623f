#include "engine/local/gpu/probe_reading.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "engine/local/files.h"
#include "engine/local/gpu/nvml_codes.h"

namespace berth {
namespace {

using nvml::Device;
using nvml::Functions;

constexpr unsigned kTextSize = 96;
constexpr unsigned kMostLinks = 64;  // by then every driver has said "invalid argument"
constexpr unsigned kMostProcesses = 65'536;
constexpr std::int64_t kMiB = 1 << 20;

// Calls a function that may not exist, and remembers the first code that says that the device itself is bad.
class Asker {
 public:
  Asker(GpuReading& reading, Device device) : reading_(reading), device_(device) {}

  template <class Function, class... Args>
  bool ask(const char* name, Function function, Args... args) {
    if (function == nullptr) return false;
    const nvml::Return code = function(device_, args...);
    const NvmlClass meaning = class_of(code);
    const bool bad = meaning == NvmlClass::dead || meaning == NvmlClass::transient;
    if (bad && (reading_.error == 0 || (meaning == NvmlClass::dead && class_of(reading_.error) != NvmlClass::dead))) {
      reading_.error = code;
      reading_.failed_call = name;
    }
    return code == nvml::kSuccess;
  }

 private:
  GpuReading& reading_;
  Device device_;
};

template <class Function>
std::string ask_text(Asker& asker, const char* name, Function function) {
  char text[kTextSize + 1]{};
  if (!asker.ask(name, function, text, kTextSize)) return {};
  return text;
}

void read_identity(const Functions& f, Asker& asker, GpuReading& g) {
  g.uuid = ask_text(asker, "UUID", f.uuid);
  g.name = ask_text(asker, "Name", f.name);
  unsigned minor = 0;
  if (asker.ask("MinorNumber", f.minor, &minor)) g.minor = minor;
  nvml::PciInfo pci{};
  if (asker.ask("PciInfo", f.pci, &pci)) g.pci = std::string(pci.bus_id, strnlen(pci.bus_id, sizeof pci.bus_id));
  int major = 0, lesser = 0;
  if (asker.ask("CudaComputeCapability", f.capability, &major, &lesser))
    g.capability = std::to_string(major) + "." + std::to_string(lesser);
  unsigned current = 0, pending = 0;
  if (asker.ask("MigMode", f.mig_mode, &current, &pending)) g.mig = current;
}

void read_memory(const Functions& f, Asker& asker, GpuReading& g) {
  nvml::MemoryV2 v2{};
  v2.version = nvml::kMemoryV2;
  if (asker.ask("MemoryInfo", f.memory_v2, &v2)) {
    g.total_mib = static_cast<std::int64_t>(v2.total) / kMiB;
    g.reserved_mib = static_cast<std::int64_t>(v2.reserved) / kMiB;
    g.used_mib = static_cast<std::int64_t>(v2.used) / kMiB;
    return;
  }
  nvml::Memory v1{};
  if (!asker.ask("MemoryInfo", f.memory, &v1)) return;
  g.total_mib = static_cast<std::int64_t>(v1.total) / kMiB;
  g.used_mib = static_cast<std::int64_t>(v1.used) / kMiB;
}

std::optional<std::int64_t> recovery_action(const Functions& f, Asker& asker) {
  nvml::FieldValue value{};
  value.field = nvml::kFieldRecoveryAction;
  if (!asker.ask("FieldValues", f.field_values, 1, &value) || value.result != nvml::kSuccess) return std::nullopt;
  return value.value.as_uint;
}

void read_health(const Functions& f, Asker& asker, GpuReading& g) {
  unsigned long long errors = 0;
  if (asker.ask("TotalEccErrors", f.ecc_errors, nvml::kUncorrected, nvml::kVolatile, &errors))
    g.ecc_uncorrected = static_cast<std::int64_t>(errors);
  if (asker.ask("TotalEccErrors", f.ecc_errors, nvml::kCorrected, nvml::kVolatile, &errors))
    g.ecc_corrected = static_cast<std::int64_t>(errors);
  unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
  if (asker.ask("RemappedRows", f.remapped_rows, &corrected, &uncorrected, &pending, &failed)) {
    g.remap_pending = pending;
    g.remap_failed = failed;
  }
  g.recovery_action = recovery_action(f, asker);
}

void read_load(const Functions& f, Asker& asker, GpuReading& g) {
  nvml::Utilization use{};
  if (asker.ask("UtilizationRates", f.utilization, &use) && use.gpu <= 100) g.utilization = use.gpu;
  unsigned value = 0;
  if (asker.ask("Temperature", f.temperature, nvml::kTemperatureGpu, &value)) g.temperature = value;
  if (asker.ask("PowerUsage", f.power, &value)) g.power_mw = value;
}

bool is_plausible(const nvml::ProcessInfo& p, std::int64_t total_mib) {
  if (p.pid == 0) return false;
  return p.used_memory == nvml::kNotAvailable || total_mib == 0 ||
         p.used_memory / static_cast<std::uint64_t>(kMiB) <= static_cast<std::uint64_t>(total_mib);
}

// Some drivers fill elements of another size than they were asked for. Then entries are nonsense, and what remains
// plausible is kept; the memory that is used shows the rest.
template <class Function>
void add_processes(Asker& asker, const char* name, Function function, GpuReading& g,
                   std::map<std::int64_t, std::optional<std::int64_t>>& found) {
  if (function == nullptr) return;
  std::vector<nvml::ProcessInfo> list(64);
  for (unsigned size = 64; size <= kMostProcesses; size *= 4) {
    list.assign(static_cast<std::size_t>(size) * 2, {});  // slack, in case elements are larger
    unsigned count = size;
    nvml::Return code = nvml::kSuccess;
    const auto call = [&](Device d, unsigned* n, nvml::ProcessInfo* p) { return code = function(d, n, p); };
    const auto quiet = [&](Device d, unsigned* n, nvml::ProcessInfo* p) {
      return call(d, n, p) == nvml::kInsufficientSize ? nvml::kNotFound : code;
    };
    if (!asker.ask(name, std::function<nvml::Return(Device, unsigned*, nvml::ProcessInfo*)>(quiet), &count,
                   list.data())) {
      if (code == nvml::kInsufficientSize) continue;
      return;
    }
    for (unsigned i = 0; i < std::min(count, size); ++i) {
      if (!is_plausible(list[i], g.total_mib.value_or(0))) continue;
      const bool known = list[i].used_memory != nvml::kNotAvailable;
      found[list[i].pid] =
          known ? std::optional<std::int64_t>(static_cast<std::int64_t>(list[i].used_memory) / kMiB) : std::nullopt;
    }
    return;
  }
}

void read_processes(const Functions& f, Asker& asker, GpuReading& g) {
  std::map<std::int64_t, std::optional<std::int64_t>> found;  // a process may be in more than one list
  add_processes(asker, "ComputeRunningProcesses", f.compute_processes, g, found);
  add_processes(asker, "GraphicsRunningProcesses", f.graphics_processes, g, found);
  add_processes(asker, "MPSComputeRunningProcesses", f.mps_processes, g, found);
  for (const auto& [pid, mib] : found) g.processes.push_back({pid, mib});
}

GpuReading read_device(const Functions& f, unsigned index, Device& device) {
  GpuReading g;
  g.index = index;
  const nvml::Return code = f.by_index(index, &device);
  if (code != nvml::kSuccess) {
    device = nullptr;
    g.error = code;
    g.failed_call = "HandleByIndex";
    return g;
  }
  Asker asker(g, device);
  read_identity(f, asker, g);
  read_memory(f, asker, g);
  if (class_of(g.error) == NvmlClass::dead) return g;  // every further call would only wait
  read_health(f, asker, g);
  read_load(f, asker, g);
  read_processes(f, asker, g);
  return g;
}

struct DeviceLinks {
  std::map<std::string, std::int64_t> to_bus;  // active NVLinks by the bus id of the other end
  std::int64_t to_switch = 0;
};

DeviceLinks links_of(const Functions& f, Device device) {
  DeviceLinks links;
  if (f.link_state == nullptr) return links;
  for (unsigned link = 0; link < kMostLinks; ++link) {
    unsigned active = 0, type = 0;
    const nvml::Return code = f.link_state(device, link, &active);
    if (code == nvml::kInvalidArgument || code == nvml::kNotSupported) break;
    if (code != nvml::kSuccess || active == 0) continue;
    if (f.link_remote_type != nullptr && f.link_remote_type(device, link, &type) == nvml::kSuccess &&
        type == nvml::kRemoteSwitch) {
      ++links.to_switch;
      continue;
    }
    nvml::PciInfo remote{};
    if (f.link_remote_pci != nullptr && f.link_remote_pci(device, link, &remote) == nvml::kSuccess)
      ++links.to_bus[std::string(remote.bus_id, strnlen(remote.bus_id, sizeof remote.bus_id))];
  }
  return links;
}

// Two devices on a switch reach one another by as many links as the lesser of them has.
std::int64_t nvlinks_between(const DeviceLinks& a, const DeviceLinks& b, const std::string& bus_of_b) {
  const auto direct = a.to_bus.find(bus_of_b);
  if (direct != a.to_bus.end()) return direct->second;
  return std::min(a.to_switch, b.to_switch);
}

void read_links(const Functions& f, const std::vector<Device>& devices, ProbeReport& report) {
  std::vector<DeviceLinks> links;
  for (const Device device : devices) links.push_back(device == nullptr ? DeviceLinks{} : links_of(f, device));
  for (std::size_t a = 0; a < devices.size(); ++a) {
    for (std::size_t b = a + 1; b < devices.size(); ++b) {
      if (devices[a] == nullptr || devices[b] == nullptr) continue;
      GpuLink link{static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), -1,
                   nvlinks_between(links[a], links[b], report.gpus[b].pci)};
      unsigned level = 0;
      if (f.common_ancestor != nullptr && f.common_ancestor(devices[a], devices[b], &level) == nvml::kSuccess)
        link.level = level;
      report.links.push_back(link);
    }
  }
}

void read_system(const Functions& f, ProbeReport& report) {
  char driver[kTextSize + 1]{};
  if (f.driver_version != nullptr && f.driver_version(driver, kTextSize) == nvml::kSuccess) report.driver = driver;
  int cuda = 0;
  if (f.cuda_version != nullptr && f.cuda_version(&cuda) == nvml::kSuccess) report.cuda = cuda;
  const auto listed = list_dir("/proc/driver/nvidia/gpus");
  if (!listed.empty()) report.listed = static_cast<std::int64_t>(listed.size());
}

}  // namespace

ProbeReport read_devices(const Functions& f, bool with_links) {
  ProbeReport report;
  read_system(f, report);
  unsigned count = 0;
  report.error = f.count(&count);
  if (report.error != nvml::kSuccess) {
    report.message = nvml_text(report.error);
    return report;
  }
  std::vector<Device> devices(count, nullptr);
  for (unsigned i = 0; i < count; ++i) report.gpus.push_back(read_device(f, i, devices[i]));
  if (with_links) read_links(f, devices, report);
  return report;
}

}  // namespace berth
