// GpuInventory: what is known of this machine's GPUs, from readings that may fail. The key is the UUID; a device keeps its
// place for the life of the engine, so that indexes never move, and one that vanished stays as lost. What an XID or a memory
// error says sticks until there is evidence of a reset (the device was away and came back, its error counter fell, or the
// driver takes its advice back) and a time of quiet after that. Pure: no clock, no calls.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/local/gpu/probe_report.h"
#include "model/node.h"

namespace berth {

class GpuInventory {
 public:
  using IsOurs = std::function<bool(std::int64_t pid)>;

  explicit GpuInventory(Duration heal_after) : heal_after_(heal_after) {}

  void take(const ProbeReport& report, const IsOurs& is_ours, Time now);
  void take(const XidEvent& event, Time now);
  // Nothing can be read now: all that was known is unknown, with this reason.
  void lose_sight(const std::string& why);

  std::vector<Gpu> gpus() const;
  std::optional<std::int32_t> cuda_index(const std::string& uuid) const;
  // Devices that do not answer or are not there any more, as their last reading says; with the reason.
  std::vector<Gpu> gone() const;
  const std::string& driver() const { return driver_; }
  const std::string& trouble() const { return trouble_; }       // why nothing can be read; empty: all is well
  const std::vector<GpuLink>& links() const { return links_; }  // indexes are places in gpus()

 private:
  struct Finding {  // of an XID or a counter; sticks
    GpuHealth health = GpuHealth::ok;
    std::string text;
    std::optional<Time> reset_seen;  // heals when this is long enough ago
  };
  struct Device {
    Gpu gpu;
    std::int64_t index = 0;
    bool placeholder = false;  // never seen with a UUID
    bool was_away = false;
    int failures = 0;  // readings in a row with a transient error
    Finding finding;
    std::optional<std::int64_t> ecc_uncorrected;
    std::optional<std::int64_t> recovery_action;
  };

  Device& device_for(const GpuReading& reading);
  void take_reading(Device& device, const GpuReading& reading, const IsOurs& is_ours, Time now);
  void take_identity(Device& device, const GpuReading& reading);
  void take_counters(Device& device, const GpuReading& reading, Time now);
  void go_away(Device& device);
  void find(Device& device, GpuHealth health, const std::string& text);
  void conclude(Device& device, const GpuReading& reading, Time now);
  void take_links(const ProbeReport& report);

  Duration heal_after_;
  std::vector<Device> devices_;
  std::vector<GpuLink> links_;
  std::string driver_;
  std::string trouble_;
};

}  // namespace berth
