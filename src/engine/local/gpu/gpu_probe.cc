#include "engine/local/gpu/gpu_probe.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "engine/local/gpu/nvml_codes.h"
#include "engine/local/gpu/nvml_library.h"
#include "engine/local/gpu/probe_reading.h"

namespace berth {
namespace {

using namespace std::chrono_literals;

constexpr unsigned kEventWaitMs = 5000;
constexpr auto kAfterFailedWait = 1s;  // a wait that returns at once must not become a busy loop
constexpr auto kSameXidAgain = 1s;     // a storm of one XID is one message a second

std::mutex output_mutex;

void say(const std::string& lines) {
  const std::lock_guard lock(output_mutex);
  for (std::size_t done = 0; done < lines.size();) {
    const ssize_t n = write(STDOUT_FILENO, lines.data() + done, lines.size() - done);
    if (n <= 0) _exit(0);  // nobody listens any more
    done += static_cast<std::size_t>(n);
  }
}

// Waits for XIDs of all devices, on a thread of its own, for as long as the process lives.
class XidListener {
 public:
  void start(const nvml::Functions& f) {
    if (started_ || f.event_set_create == nullptr || f.event_wait == nullptr || f.register_events == nullptr) return;
    if (f.event_set_create(&set_) != nvml::kSuccess) return;
    unsigned count = 0;
    f.count(&count);
    for (unsigned i = 0; i < count; ++i) add(f, i);
    started_ = true;
    std::thread([this, f] { listen(f); }).detach();
  }

 private:
  void add(const nvml::Functions& f, unsigned index) {
    nvml::Device device = nullptr;
    unsigned long long types = nvml::kEventXid;
    if (f.by_index(index, &device) != nvml::kSuccess) return;
    if (f.event_types != nullptr) f.event_types(device, &types);
    if ((types & nvml::kEventXid) != 0) f.register_events(device, nvml::kEventXid, set_);
  }

  void listen(const nvml::Functions& f) {
    for (;;) {
      nvml::EventData event{};
      const nvml::Return code = f.event_wait(set_, &event, kEventWaitMs);
      if (code == nvml::kTimeout) continue;
      if (code != nvml::kSuccess) std::this_thread::sleep_for(kAfterFailedWait);
      if (code == nvml::kSuccess && event.type == nvml::kEventXid) tell(f, event);
    }
  }

  void tell(const nvml::Functions& f, const nvml::EventData& event) {
    char uuid[97]{};
    if (f.uuid == nullptr || f.uuid(event.device, uuid, 96) != nvml::kSuccess) uuid[0] = '\0';
    const auto now = std::chrono::steady_clock::now();
    const auto key = std::make_pair(std::string(uuid), event.data);
    const auto last = last_.find(key);
    if (last != last_.end() && now - last->second < kSameXidAgain) return;
    last_[key] = now;
    say(to_line(XidEvent{uuid, static_cast<std::int64_t>(event.data)}));
  }

  bool started_ = false;
  nvml::EventSet set_ = nullptr;
  std::map<std::pair<std::string, std::uint64_t>, std::chrono::steady_clock::time_point> last_;
};

class Probe {
 public:
  explicit Probe(std::string library) : library_(std::move(library)) {}

  ProbeReport read(bool with_links) {
    if (!functions_) {
      auto loaded = load_nvml(library_);
      if (!loaded) return failed(nvml::kLibraryNotFound, loaded.error().message, false);
      functions_ = *loaded;
    }
    if (!initialized_) {
      if (const nvml::Return code = functions_->init(); code != nvml::kSuccess)
        return failed(code, nvml_text(code), true);
      initialized_ = true;
    }
    ProbeReport report = read_devices(*functions_, with_links);
    // The events after the first reading, so that a device that dies while they are set up has been reported once.
    if (report.error == nvml::kSuccess) listener_.start(*functions_);
    if (class_of(report.error) == NvmlClass::stale) start_again();
    return report;
  }

 private:
  static ProbeReport failed(int code, std::string message, bool has_library) {
    ProbeReport report;
    report.error = code;
    report.message = std::move(message);
    report.has_library = has_library;
    return report;
  }
  void start_again() {
    if (functions_->shutdown != nullptr) functions_->shutdown();
    initialized_ = false;
  }

  std::string library_;
  std::optional<nvml::Functions> functions_;
  bool initialized_ = false;
  XidListener listener_;
};

std::string library_path(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--library") == 0) return argv[i + 1];
  const char* given = std::getenv("BERTH_NVML_LIBRARY");
  return given == nullptr ? "" : given;
}

}  // namespace

int run_gpu_probe(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Probe probe(library_path(argc, argv));
  for (std::string line; std::getline(std::cin, line);)
    if (line == "read" || line == "links") say(to_lines(probe.read(line == "links")));
  _exit(0);  // the listener may sit in a call that never returns
}

}  // namespace berth
