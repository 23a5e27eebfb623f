// The daemon's configuration, read from TOML. Unknown keys and wrong types are errors with file:line:column; a tree of
// queues that contradicts itself is not: core turns off only the queue at fault.
//
//   [server] listen = "127.0.0.1:7474"   socket = "/path"   data = "/path"
//   [local]  node = "name"  cpus = 16  memory = "128G"  gpus = "8 x H100-80GB"|["4 x T4"]|"none"|"auto"  features = []
//   [policy] backfill reserve_depth age_step half_life type_weights = { H100 = 3.5 } launch_backoff launch_failures_hold
//            node_failures_drain max_array_size max_jobs keep_ended
//   [[queue]] name parent weight quota limit cpu_limit memory_limit max_running_jobs default_time_limit max_time_limit
//            priority default
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/amount.h"
#include "base/result.h"
#include "model/node.h"
#include "model/policy.h"
#include "model/queue.h"

namespace berth {

struct ServerConfig {
  std::string listen = "127.0.0.1:7474";  // host:port; port 0: any free one
  std::string socket;                     // Unix socket; empty: in the data directory
  std::string data;                       // data directory; empty: the program's default
};

// "8 x H100-80GB": devices that are declared, not found.
struct GpuDeclaration {
  std::int32_t count = 0;
  std::string type;
  Mib memory;  // of each
  friend bool operator==(const GpuDeclaration&, const GpuDeclaration&) = default;
};

struct LocalConfig {
  std::string node;              // empty: the host's name
  std::optional<MilliCpu> cpus;  // none: what the machine has
  std::optional<Mib> memory;
  std::optional<std::vector<GpuDeclaration>> gpus;  // none ("auto"): ask NVML; empty ("none"): no GPUs
  std::vector<std::string> features;
};

struct Config {
  ServerConfig server;
  LocalConfig local;
  Policy policy;
  std::vector<QueueSpec> queues;  // empty: the caller makes one named "default"
};

inline constexpr std::size_t kMaxConfigBytes = 4u << 20;

Result<Config> parse_config(std::string_view text, std::string_view file_name);

// "8 x H100-80GB", "2 x T4, 1 x H100-80GB", "none". Memory by the type's name or a small table of types.
Result<std::vector<GpuDeclaration>> parse_gpu_declarations(std::string_view text);
// The devices behind it, virtual, with stable UUIDs made of the node's name.
std::vector<Gpu> virtual_gpus(const std::vector<GpuDeclaration>& declarations, std::string_view node);

}  // namespace berth
