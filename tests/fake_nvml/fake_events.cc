// Events of the fake: each xid line of the scenario is delivered once, to whoever waits; a wait lasts its whole timeout.
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "engine/local/gpu/nvml_abi.h"
#include "fake_nvml/scenario.h"

using namespace berth::nvml;

extern "C" {

Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device);

Return nvmlEventSetCreate(EventSet* set) {
  static char only;
  *set = reinterpret_cast<EventSet>(&only);
  return fake::verdict("nvmlEventSetCreate", -1);
}

Return nvmlDeviceGetSupportedEventTypes(Device, unsigned long long* types) {
  *types = kEventXid;
  return kSuccess;
}

Return nvmlDeviceRegisterEvents(Device, unsigned long long, EventSet) { return kSuccess; }

Return nvmlEventSetWait_v2(EventSet, EventData* event, unsigned timeout_ms) {
  static std::set<std::string> delivered;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  do {
    const fake::Scenario s = fake::load();
    for (const auto& xid : s.xids) {
      if (!delivered.insert(fake::text(xid, "id")).second) continue;
      *event = {};
      event->type = kEventXid;
      event->data = static_cast<std::uint64_t>(fake::number(xid, "code", 0));
      event->gpu_instance = event->compute_instance = ~0U;
      for (unsigned i = 0; i < s.gpus.size(); ++i)
        if (fake::text(s.gpus[i], "uuid") == fake::text(xid, "uuid")) nvmlDeviceGetHandleByIndex_v2(i, &event->device);
      return kSuccess;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  } while (std::chrono::steady_clock::now() < until);
  return kTimeout;
}

}  // extern "C"
