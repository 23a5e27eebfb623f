// GpuWatch: keeps the helper process that reads NVML, and the inventory of what it said. One that stays silent is hung: the
// GPUs become unknown (never lost, jobs go on), it is killed, left to die in its own time, and another is started after a
// pause that doubles. At most kMostAbandoned that will not die are left about; then no more are started until one is gone.
// A machine without NVML is asked once. Engine's thread only.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/local/descriptor.h"
#include "engine/local/event_loop.h"
#include "engine/local/gpu/gpu_inventory.h"
#include "engine/local/local_options.h"

namespace berth {

class GpuWatch {
 public:
  // `changed` is called when what gpus() says may have changed, and after the first answer or failure.
  GpuWatch(const LocalOptions& options, EventLoop& loop, GpuInventory::IsOurs is_ours, std::function<void()> changed);
  ~GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;

  void start();
  bool has_answered() const { return has_answered_; }
  const GpuInventory& inventory() const { return inventory_; }

  static constexpr std::size_t kMostAbandoned = 3;

 private:
  void spawn();
  void ask();
  void on_output();
  void take_line(const std::string& line);
  void take_report(const ProbeReport& report);
  void plan_next(const ProbeReport& report);
  void on_hung();
  void on_helper_gone();
  void abandon();
  void retry_later();
  void tell();
  void set_timer(Duration delay, void (GpuWatch::*work)());

  const LocalOptions& options_;
  EventLoop& loop_;
  GpuInventory::IsOurs is_ours_;
  std::function<void()> changed_;
  GpuInventory inventory_;
  ProbeReader reader_;
  std::string unread_;
  pid_t pid_ = -1;
  Descriptor to_;
  Descriptor from_;
  std::map<pid_t, Descriptor> abandoned_;  // their pidfds
  std::optional<EventLoop::TimerId> timer_;
  Duration pause_;
  bool want_links_ = true;
  bool has_answered_ = false;
};

}  // namespace berth
