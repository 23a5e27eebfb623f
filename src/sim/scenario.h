// Scenario: one story in data, as read from a .scn file (tests/scenarios/README.md says how they are written).
// Times are spans from the start of the story. parse_scenario() makes it, ScenarioRun plays it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/hold.h"
#include "model/job.h"
#include "model/node.h"
#include "model/policy.h"
#include "model/queue.h"
#include "sim/fate.h"

namespace berth::scn {

// A job of the story: by the name given at submit, one element of its array, or (@12) a bare id.
struct JobRef {
  std::string name;
  std::optional<std::int32_t> element;
  std::int64_t id = 0;
};

struct After {
  DependencyKind kind = DependencyKind::afterok;
  JobRef job;
  Duration delay;
};

// What really happens when it runs.
struct Behaviour {
  std::vector<Duration> runs;          // by attempt, the last one for all further ones; empty: for ever
  std::vector<std::int32_t> exits{0};  // likewise
  std::vector<std::int32_t> failing;   // elements of an array that exit with 1
  bool rejected = false;
  Reaction on_term;
  Reaction on_first_signal{.ignores = true, .exit_code = 0, .after = Duration{}};
};

// What a command must answer. Empty: it must be carried out.
struct Refusal {
  std::string code;  // name of an ErrorCode
  std::string says;  // stands in the message or the hint (or, if not refused, in a note)
};

struct Submit {
  std::string name;
  JobSpec spec;
  std::optional<Duration> begin;
  std::vector<After> after;
  Behaviour behaviour;
  Refusal refusal;
};

enum class JobVerb { cancel, hold, release, requeue };
struct OnJob {
  JobVerb verb;
  JobRef job;
  std::string user;
  Refusal refusal;
};

enum class NodeVerb { drain, undrain, lose, silence, come_back, add, launches_fail, launches_work };
struct OnNodes {
  NodeVerb verb;
  std::vector<NodeReport> nodes;
  std::string owner;
  std::string reason;
  Refusal refusal;
};

enum class GpuVerb { lose, suspect, unreadable, come_back, vanish, foreign };
struct OnGpu {
  GpuVerb verb;
  std::string node;
  std::int32_t gpu = 0;
  Mib foreign;
};

struct Crash {};
struct Recover {};
struct SetMessages {
  std::optional<Duration> delay;
  std::optional<bool> doubled;
};
struct SetLatency {
  Duration start;
};
struct SetStoreFailing {
  bool failing;
};
// A message about an attempt that nobody sent for it: late, doubled or forged.
struct Forge {
  JobRef job;
  std::int32_t attempt;
  std::optional<std::int32_t> exit;
};
struct SetQueue {
  QueueSpec spec;
  bool gone = false;
};
struct SetPolicy {
  Policy policy;
};

using Action = std::variant<Submit, OnJob, OnNodes, OnGpu, Crash, Recover, SetMessages, SetLatency, SetStoreFailing,
                            Forge, SetQueue, SetPolicy>;

// Expectations. A value that is not given is not looked at.
struct ExpectJob {
  std::string must;  // "run", "hold", "ended", "job"
  JobRef job;
  std::vector<std::string> on;                              // nodes, all of them, sorted
  std::vector<std::pair<std::string, std::string>> fields;  // by name (scn_fields.h)
};
struct ExpectCount {
  std::string state;
  std::int64_t count = 0;
  std::string of;
  std::string queue;
};
struct ExpectQueue {
  std::string queue;
  std::vector<std::pair<std::string, std::string>> fields;
  bool off = false;
};
struct ExpectNode {
  std::string node;
  std::vector<std::pair<std::string, std::string>> fields;
};

using Expected = std::variant<ExpectJob, ExpectCount, ExpectQueue, ExpectNode>;

struct Step {
  Duration at;
  int line = 0;
  std::string text;
  Action action;
};
struct Expectation {
  Duration at;
  int line = 0;
  std::string text;
  Expected expected;
};

struct Scenario {
  std::string file;
  std::vector<NodeReport> nodes;
  std::vector<QueueSpec> queues;
  Policy policy;
  std::vector<Step> steps;                // by time, then by line
  std::vector<Expectation> expectations;  // likewise
};

}  // namespace berth::scn

namespace berth {

// Errors name file:line:column, the value, and what would be right. Never reads or writes anything but its arguments.
Result<scn::Scenario> parse_scenario(std::string_view text, const std::string& file);

}  // namespace berth
