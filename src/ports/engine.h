// Engine: a place to run. Starts attempts on exact placements, brings them to an end, and tells what it sees.
// All calls come from the controller's thread, return at once, and are idempotent by AttemptKey: the controller derives
// them from state and may repeat them after a crash. What happens comes back through the sink as observations, from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/allocation.h"
#include "model/job.h"
#include "model/node.h"
#include "model/observation.h"

namespace berth {

// All that an engine needs to start one attempt.
struct Launch {
  AttemptKey key;
  std::shared_ptr<const JobSpec> spec;
  std::optional<ArrayRef> array;
  Placement placement;
  std::map<NodeId, Node> nodes;  // those of the placement: names, GPU UUIDs
  Time ends_by;                  // of the limit; kForever without one
  std::string queue;
};

// Brings an attempt to an end: the contract's signals with its grace between, SIGKILL at the deadline, then the whole tree.
struct Stop {
  AttemptKey key;
  StopCause cause = StopCause::user;
  Time deadline;                   // of SIGKILL; in the past: at once
  std::int32_t first_signal = 15;  // sent at once; SIGTERM follows at half of what is left if it is another
};

class Engine {
 public:
  using Sink = std::function<void(Observation)>;

  virtual ~Engine() = default;
  // Called once before anything else. Reports nodes soon after.
  virtual void attach(Sink sink) = 0;
  // Takes up attempts of an earlier life of the daemon: `expected` are all that the books hold. Each is answered by
  // AttemptStarted, AttemptEnded (exit learned from disk, or lost), or nothing yet if it was never launched (then start()
  // follows). Attempts found that are not in `expected` are killed.
  virtual void adopt(const std::vector<Launch>& expected) = 0;
  virtual void start(const Launch& launch) = 0;
  virtual void stop(const Stop& stop) = 0;
  // Sends the signal to the attempt's processes (only the first one if batch_only), without ending it.
  virtual void signal(AttemptKey key, std::int32_t signal_number, bool batch_only) = 0;
  // Asks for NodesReported and AttemptsReported.
  virtual void reconcile() = 0;
  // One line for people: what isolation and which devices this engine really has.
  virtual std::string describe() const = 0;
};

}  // namespace berth
