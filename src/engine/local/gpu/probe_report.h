// ProbeReport: what the helper process reads from NVML in one go, and the lines in which it says so to the engine.
// Every datum may be missing; a device that cannot be opened is in it, with its error. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace berth {

struct GpuProcess {
  std::int64_t pid = 0;
  std::optional<std::int64_t> mib;  // none: the driver does not say
  friend bool operator==(const GpuProcess&, const GpuProcess&) = default;
};

struct GpuReading {
  std::int64_t index = 0;  // NVML's: in PCI order today, no name for anything
  int error = 0;           // NVML code, if it could not be opened or died while it was read
  std::string failed_call;
  std::string uuid;
  std::string name;
  std::string pci;
  std::string capability;  // "9.0"
  std::optional<std::int64_t> minor, total_mib, reserved_mib, used_mib;
  std::optional<std::int64_t> utilization, temperature, power_mw;
  std::optional<std::int64_t> ecc_uncorrected, ecc_corrected;  // since the driver was loaded
  std::optional<std::int64_t> remap_pending, remap_failed, recovery_action, mig;
  std::vector<GpuProcess> processes;
  friend bool operator==(const GpuReading&, const GpuReading&) = default;
};

// How two devices are connected. level: 0 same board, 10 one switch, 20 several, 30 host bridge, 40 one NUMA node, 50 across.
struct GpuLink {
  std::int64_t a = 0, b = 0;  // indexes into the report
  std::int64_t level = -1;    // -1: not known
  std::int64_t nvlinks = 0;
  friend bool operator==(const GpuLink&, const GpuLink&) = default;
};

struct ProbeReport {
  bool has_library = true;
  int error = 0;  // of NVML as a whole; 0: it works
  std::string message;
  std::string driver;
  std::optional<std::int64_t> cuda;    // 12080 is 12.8
  std::optional<std::int64_t> listed;  // devices that the kernel's driver lists, to compare
  std::vector<GpuReading> gpus;
  std::vector<GpuLink> links;
  friend bool operator==(const ProbeReport&, const ProbeReport&) = default;
};

struct XidEvent {
  std::string uuid;
  std::int64_t xid = 0;
  friend bool operator==(const XidEvent&, const XidEvent&) = default;
};

std::string to_lines(const ProbeReport& report);
std::string to_line(const XidEvent& event);

// Takes lines, gives a message when one is complete. What it does not know it leaves out, so that versions may differ.
class ProbeReader {
 public:
  std::optional<std::variant<ProbeReport, XidEvent>> take(std::string_view line);

 private:
  ProbeReport report_;
};

}  // namespace berth
