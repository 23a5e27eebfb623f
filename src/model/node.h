// Node and Gpu: what there is, as engines report it. Amounts here are capacities; what is held is in Allocation.
// A GPU that vanished stays in its node as `lost`, so that indexes never move.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/amount.h"
#include "base/ids.h"
#include "base/time.h"

namespace berth {

// GPUs of a node are kept in 64-bit masks; a report with more is cut to this many.
inline constexpr std::int32_t kMaxGpusPerNode = 64;

enum class GpuHealth {
  ok,
  suspect,  // errors that may pass; nothing new is placed
  lost,     // vanished or dead; only a reset or a replacement brings it back
  unknown,  // cannot be read now: running work stays, nothing new is placed
};

struct Gpu {
  std::string uuid;  // the key
  std::string type;  // "H100-80GB": product name without vendor, as in the config
  Mib memory;        // what can be shared out: total less reserved
  Mib foreign;       // held now by processes that are not ours
  GpuHealth health = GpuHealth::ok;
  std::string detail;       // why it is not ok, in words
  bool is_virtual = false;  // declared in the config; no device behind it
  friend bool operator==(const Gpu&, const Gpu&) = default;
};

// up: usable. down: known to be dead. unknown: silent; its jobs stay, nothing new goes there.
enum class NodeState { up, down, unknown };

struct Node {
  NodeId id;
  std::string name;
  NodeState state = NodeState::up;
  MilliCpu cpus;
  Mib memory;
  std::vector<std::string> features;
  std::vector<Gpu> gpus;
  std::map<std::string, std::string>
      drains;  // owner -> reason; each owner lifts its own. Not empty: nothing new starts
  friend bool operator==(const Node&, const Node&) = default;
  bool usable() const { return state == NodeState::up && drains.empty(); }
};

// What an engine reports of one node; a Node without what berth itself adds (id, drains).
struct NodeReport {
  std::string name;
  NodeState state = NodeState::up;
  MilliCpu cpus;
  Mib memory;
  std::vector<std::string> features;
  std::vector<Gpu> gpus;
  friend bool operator==(const NodeReport&, const NodeReport&) = default;
};

// True if a GPU of type `type` is what `wanted` asks for: equal without regard to case, or `wanted` is the leading
// part of it up to a dash ("H100" takes "H100-80GB", "A10" does not take "A100-40GB").
bool gpu_type_matches(std::string_view wanted, std::string_view type);

}  // namespace berth
