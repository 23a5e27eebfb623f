// LocalEngine: this machine as a place to run: real processes under one berth-shim each, GPUs by NVML or declared.
// The public functions post to the engine's own thread and return at once; the sink is called from that thread, which
// sleeps when nothing runs and no NVML is polled. Destroying the engine leaves its jobs running: a later one adopts them.
// The run directory of an attempt that ended is kept until an adopt() does not expect it, or 1,000 others ended after it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/local/local_options.h"
#include "ports/engine.h"

namespace berth {

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(const LocalOptions& options);
  ~LocalEngine() override;

  void attach(Sink sink) override;
  void adopt(const std::vector<Launch>& expected) override;
  void start(const Launch& launch) override;
  void stop(const Stop& stop) override;
  void signal(AttemptKey key, std::int32_t signal_number, bool batch_only) override;
  void reconcile() override;
  std::string describe() const override;

 private:
  class Life;
  std::unique_ptr<Life> life_;
};

}  // namespace berth
