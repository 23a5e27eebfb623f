// Observation: what an engine saw. Every one about an attempt carries its key; one about an older attempt is dropped.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/amount.h"
#include "base/time.h"
#include "model/allocation.h"
#include "model/job.h"
#include "model/node.h"

namespace berth::observation {

struct NodesReported {
  std::vector<NodeReport> nodes;
};  // these nodes as they are now; others are not touched
struct AttemptStarted {
  AttemptKey key;
};                     // all tasks run
struct AttemptEnded {  // all tasks are gone, leftovers too
  AttemptKey key;
  Outcome outcome = Outcome::succeeded;  // never `stopped`: that is for core to conclude
  ExitStatus exit;                       // of the first task that failed, else of rank 0
  std::string message;
  std::string node;  // the node at fault, for launch_failed and lost
  std::int64_t cpu_ms = 0;
  Mib peak_memory;
};
// The engine's whole knowledge of live attempts, for the reconcile. An allocation that berth believes to be running and
// that is not in it is lost; an attempt in it that berth does not know is to be killed.
struct AttemptsReported {
  std::vector<AttemptKey> live;
};

using Body = std::variant<NodesReported, AttemptStarted, AttemptEnded, AttemptsReported>;

}  // namespace berth::observation

namespace berth {

struct Observation {
  observation::Body body;
};

}  // namespace berth
