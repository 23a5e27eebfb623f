// Stable names of the enums of the model, as they stand in JSON, in the store, in scenarios and on the command line.
// Never rename one: old journals hold them. Any layer above model may use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/allocation.h"
#include "model/hold.h"
#include "model/job.h"
#include "model/node.h"
#include "model/policy.h"

namespace berth {

std::string_view name_of(JobClass value);
std::string_view name_of(Interruptible value);
std::string_view name_of(LaunchMode value);
std::string_view name_of(DependencyKind value);
std::string_view name_of(RetryAction value);
std::string_view name_of(JobState value);
std::string_view name_of(StopCause value);
std::string_view name_of(Outcome value);
std::string_view name_of(AllocationPhase value);
std::string_view name_of(GpuHealth value);
std::string_view name_of(NodeState value);
std::string_view name_of(Backfill value);
std::string_view name_of(HoldReason value);

// The value with this name, for every enum above: from_name<JobState>("pending").
template <class E>
std::optional<E> from_name(std::string_view name);
// All names, for error messages: "pending, starting, running, ...".
template <class E>
std::string all_names();

}  // namespace berth
