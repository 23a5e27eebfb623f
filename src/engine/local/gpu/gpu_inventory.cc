#include "engine/local/gpu/gpu_inventory.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/local/gpu/gpu_type.h"
#include "engine/local/gpu/nvml_codes.h"
#include "engine/local/gpu/xid.h"

namespace berth {
namespace {

constexpr int kSuspectAfter = 3;               // transient failures in a row
constexpr std::int64_t kHiddenSlackMib = 512;  // used by the driver itself, in no list

GpuHealth health_of(XidClass meaning) {
  switch (meaning) {
    case XidClass::application:
    case XidClass::info:
      return GpuHealth::ok;
    case XidClass::contained:
    case XidClass::reset:
    case XidClass::fabric:
    case XidClass::unknown:
      return GpuHealth::suspect;
    case XidClass::reboot:
    case XidClass::replace:
      return GpuHealth::lost;
  }
  return GpuHealth::suspect;
}

// What the driver itself advises (its recovery action), where it does.
GpuHealth health_of_advice(std::int64_t action) {
  if (action == 0 || action == 3) return GpuHealth::ok;  // 3: only peer traffic is in doubt
  return action == 2 ? GpuHealth::lost : GpuHealth::suspect;
}

std::string advice_text(std::int64_t action) {
  switch (action) {
    case 2:
      return "the driver asks for a restart of the machine";
    case 3:
      return "the driver advises against use with other GPUs";
    case 4:
      return "the driver asks for a reset when it is idle";
    default:
      return "the driver asks for a reset";
  }
}

bool is_worse(GpuHealth a, GpuHealth b) {
  const auto rank = [](GpuHealth h) { return h == GpuHealth::ok ? 0 : h == GpuHealth::suspect ? 1 : 2; };
  return rank(a) > rank(b);
}

// What is used and in nobody's list belongs to processes that cannot be seen, unless one of ours is there to explain it.
Mib foreign_memory(const GpuReading& r, const GpuInventory::IsOurs& is_ours) {
  std::int64_t listed = 0, foreign = 0;
  bool any_of_ours = false;
  for (const GpuProcess& p : r.processes) {
    const bool ours = is_ours(p.pid);
    any_of_ours = any_of_ours || ours;
    listed += p.mib.value_or(0);
    if (!ours) foreign += p.mib.value_or(0);
  }
  const std::int64_t hidden = r.used_mib.value_or(0) - listed;
  if (!any_of_ours && hidden > kHiddenSlackMib) foreign += hidden;
  return Mib(foreign);
}

}  // namespace

GpuInventory::Device& GpuInventory::device_for(const GpuReading& reading) {
  const auto same = [&](const Device& d) { return !reading.uuid.empty() && d.gpu.uuid == reading.uuid; };
  auto found = std::find_if(devices_.begin(), devices_.end(), same);
  if (found != devices_.end()) return *found;
  // Without a UUID the index has to do; with a new one, a placeholder at that index becomes it.
  found = std::find_if(devices_.begin(), devices_.end(), [&](const Device& d) {
    return d.index == reading.index && (reading.uuid.empty() || d.placeholder);
  });
  if (found != devices_.end()) return *found;
  Device device;
  device.index = reading.index;
  device.placeholder = true;
  device.gpu.uuid = "GPU-unknown-" + std::to_string(reading.index);
  device.gpu.type = "GPU";
  return devices_.emplace_back(std::move(device));
}

void GpuInventory::take_identity(Device& device, const GpuReading& reading) {
  device.index = reading.index;
  if (!reading.uuid.empty()) {
    device.gpu.uuid = reading.uuid;
    device.placeholder = false;
  }
  if (!reading.total_mib) return;
  device.gpu.memory = Mib(*reading.total_mib - reading.reserved_mib.value_or(0));
  if (!reading.name.empty()) device.gpu.type = gpu_type(reading.name, Mib(*reading.total_mib));
}

void GpuInventory::find(Device& device, GpuHealth health, const std::string& text) {
  if (health == GpuHealth::ok || is_worse(device.finding.health, health)) return;
  device.finding = {health, text, std::nullopt};
}

// A counter that fell was reset with the device or its driver; one that rose is a new error.
void GpuInventory::take_counters(Device& device, const GpuReading& reading, Time now) {
  bool reset = std::exchange(device.was_away, false);
  if (reading.ecc_uncorrected) {
    const std::int64_t before = device.ecc_uncorrected.value_or(*reading.ecc_uncorrected);
    const std::int64_t grown = *reading.ecc_uncorrected - before;
    if (grown > 0)
      find(device, GpuHealth::suspect,
           "uncorrectable memory errors rose by " + std::to_string(grown) + ": needs a reset");
    reset = reset || grown < 0;
    device.ecc_uncorrected = reading.ecc_uncorrected;
  }
  if (reading.recovery_action) {
    const std::int64_t before = device.recovery_action.value_or(0);
    if (*reading.recovery_action != 0)
      find(device, health_of_advice(*reading.recovery_action), advice_text(*reading.recovery_action));
    reset = reset || (before != 0 && *reading.recovery_action == 0);
    device.recovery_action = reading.recovery_action;
  }
  Finding& finding = device.finding;
  if (reset && finding.health != GpuHealth::ok && !finding.reset_seen) finding.reset_seen = now;
  if (finding.reset_seen && now - *finding.reset_seen >= heal_after_) finding = {};
}

void GpuInventory::conclude(Device& device, const GpuReading& r, Time) {
  Gpu& gpu = device.gpu;
  const NvmlClass error = class_of(r.error);
  device.failures = error == NvmlClass::transient ? device.failures + 1 : 0;
  const auto say = [&gpu](GpuHealth health, const std::string& text) {
    if (health == GpuHealth::ok && !gpu.detail.empty()) return;
    if (!is_worse(health, gpu.health) && health != GpuHealth::ok) return;
    gpu.health = health;
    gpu.detail = text;
  };
  gpu.health = GpuHealth::ok;
  gpu.detail.clear();
  const std::string where = r.failed_call.empty() ? "" : " in " + r.failed_call;
  if (error == NvmlClass::dead) say(GpuHealth::lost, nvml_text(r.error) + where);
  if (device.finding.health != GpuHealth::ok)
    say(device.finding.health,
        device.finding.text + (device.finding.reset_seen ? "; was reset, watched before it is used again" : ""));
  if (r.remap_failed.value_or(0) != 0) say(GpuHealth::lost, "a row of its memory could not be remapped: replace it");
  if (r.mig.value_or(0) == 1) say(GpuHealth::suspect, "MIG mode is on: its slices are not offered");
  if (device.placeholder && gpu.health == GpuHealth::ok)
    say(GpuHealth::unknown, r.error != 0 ? nvml_text(r.error) + where : "it has no UUID");
  if (device.failures >= kSuspectAfter)
    say(GpuHealth::suspect, nvml_text(r.error) + where + ", " + std::to_string(device.failures) + " times in a row");
  if (r.remap_pending.value_or(0) != 0)
    say(GpuHealth::ok, "a remap of memory is pending: a reset at a convenient time");
  if (r.recovery_action == 3) say(GpuHealth::ok, advice_text(3));
}

// To come back is evidence of a reset; until the quiet after that, it is not trusted.
void GpuInventory::go_away(Device& device) {
  device.was_away = true;
  find(device, GpuHealth::suspect, "it was lost");
}

void GpuInventory::take_reading(Device& device, const GpuReading& reading, const IsOurs& is_ours, Time now) {
  const bool dead = class_of(reading.error) == NvmlClass::dead;
  take_identity(device, reading);
  if (dead) {
    go_away(device);
  } else {
    take_counters(device, reading, now);
    if (reading.used_mib || !reading.processes.empty()) device.gpu.foreign = foreign_memory(reading, is_ours);
  }
  conclude(device, reading, now);
}

void GpuInventory::take(const ProbeReport& report, const IsOurs& is_ours, Time now) {
  driver_ = report.driver;
  if (report.error != 0) return lose_sight(report.message);
  if (report.gpus.empty() && (report.listed.value_or(0) > 0 || !devices_.empty()))
    return lose_sight(
        "NVML shows no GPU although there are " +
        std::to_string(std::max<std::int64_t>(report.listed.value_or(0), static_cast<std::int64_t>(devices_.size()))) +
        ": permissions or the device cgroup of this service");
  trouble_.clear();
  std::vector<std::string> seen;
  for (const GpuReading& reading : report.gpus) {
    Device& device = device_for(reading);
    take_reading(device, reading, is_ours, now);
    seen.push_back(device.gpu.uuid);
  }
  for (Device& device : devices_) {
    if (std::find(seen.begin(), seen.end(), device.gpu.uuid) != seen.end()) continue;
    go_away(device);
    device.gpu.health = GpuHealth::lost;
    device.gpu.detail = "it is not there any more";
  }
  if (!report.links.empty()) take_links(report);
}

void GpuInventory::take_links(const ProbeReport& report) {
  std::map<std::int64_t, std::int64_t> place;  // in the report -> in the inventory
  for (std::size_t i = 0; i < report.gpus.size(); ++i)
    for (std::size_t d = 0; d < devices_.size(); ++d)
      if (devices_[d].index == report.gpus[i].index && devices_[d].gpu.uuid == report.gpus[i].uuid)
        place[static_cast<std::int64_t>(i)] = static_cast<std::int64_t>(d);
  links_.clear();
  for (GpuLink link : report.links) {
    if (!place.contains(link.a) || !place.contains(link.b)) continue;
    link.a = place[link.a];
    link.b = place[link.b];
    links_.push_back(link);
  }
}

void GpuInventory::take(const XidEvent& event, Time) {
  const int xid = static_cast<int>(event.xid);
  const GpuHealth health = health_of(xid_class(xid));
  for (Device& device : devices_) {
    if (device.gpu.uuid != event.uuid) continue;
    find(device, health, xid_text(xid));
    if (!is_worse(health, device.gpu.health)) continue;
    device.gpu.health = health;
    device.gpu.detail = xid_text(xid);
  }
}

void GpuInventory::lose_sight(const std::string& why) {
  trouble_ = why;
  for (Device& device : devices_) {
    device.gpu.health = GpuHealth::unknown;
    device.gpu.detail = why;
  }
}

std::vector<Gpu> GpuInventory::gpus() const {
  std::vector<Gpu> list;
  for (const Device& device : devices_) list.push_back(device.gpu);
  return list;
}

std::vector<Gpu> GpuInventory::gone() const {
  std::vector<Gpu> list;
  for (const Device& device : devices_)
    if (device.was_away && device.gpu.health == GpuHealth::lost) list.push_back(device.gpu);
  return list;
}

std::optional<std::int32_t> GpuInventory::cuda_index(const std::string& uuid) const {
  for (const Device& device : devices_)
    if (device.gpu.uuid == uuid) return static_cast<std::int32_t>(device.index);
  return std::nullopt;
}

}  // namespace berth
