#include "wire/names.h"

#include <array>
#include <type_traits>

#include "base/check.h"

namespace berth {
namespace {

// By value of the enum, which counts from 0.
template <class E>
struct Names;

#define BERTH_NAMES(Enum, ...)                                                    \
  template <>                                                                     \
  struct Names<Enum> {                                                            \
    static constexpr auto table = std::to_array<std::string_view>({__VA_ARGS__}); \
  }

BERTH_NAMES(JobClass, "training", "inference", "batch", "interactive");
BERTH_NAMES(Interruptible, "no", "requeue", "checkpoint", "suspend");
BERTH_NAMES(LaunchMode, "each", "first");
BERTH_NAMES(DependencyKind, "after", "afterok", "afternotok", "afterany");
BERTH_NAMES(RetryAction, "retry", "fail");
BERTH_NAMES(JobState, "pending", "starting", "running", "stopping", "completed", "failed", "cancelled", "timeout");
BERTH_NAMES(StopCause, "none", "user", "limit", "preempt", "reclaim", "drain", "requeue");
BERTH_NAMES(Outcome, "succeeded", "failed", "stopped", "launch_failed", "rejected", "lost");
BERTH_NAMES(AllocationPhase, "starting", "running", "stopping");
BERTH_NAMES(GpuHealth, "ok", "suspect", "lost", "unknown");
BERTH_NAMES(NodeState, "up", "down", "unknown");
BERTH_NAMES(Backfill, "none", "easy", "conservative");
BERTH_NAMES(HoldReason, "user_hold", "begin_time", "backoff", "dependency", "dependency_never", "singleton",
            "array_throttle", "queue_off", "queue_limit", "no_such_node", "never_fits", "no_usable_node", "capacity",
            "reserved_room", "behind", "not_reached");

#undef BERTH_NAMES

static_assert(Names<JobState>::table.size() == static_cast<std::size_t>(JobState::timeout) + 1);
static_assert(Names<StopCause>::table.size() == static_cast<std::size_t>(StopCause::requeue) + 1);
static_assert(Names<Outcome>::table.size() == static_cast<std::size_t>(Outcome::lost) + 1);
static_assert(Names<HoldReason>::table.size() == static_cast<std::size_t>(HoldReason::not_reached) + 1);

template <class E>
std::string_view look_up(E value) {
  const auto index = static_cast<std::size_t>(value);
  BERTH_CHECK(index < Names<E>::table.size(), "enum value without a name");
  return Names<E>::table[index];
}

}  // namespace

template <class E>
std::optional<E> from_name(std::string_view name) {
  const auto& table = Names<E>::table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

template <class E>
std::string all_names() {
  std::string all;
  for (const std::string_view name : Names<E>::table) all.append(all.empty() ? "" : ", ").append(name);
  return all;
}

#define BERTH_ENUM(Enum)                                          \
  std::string_view name_of(Enum value) { return look_up(value); } \
  template std::optional<Enum> from_name<Enum>(std::string_view); \
  template std::string all_names<Enum>()

BERTH_ENUM(JobClass);
BERTH_ENUM(Interruptible);
BERTH_ENUM(LaunchMode);
BERTH_ENUM(DependencyKind);
BERTH_ENUM(RetryAction);
BERTH_ENUM(JobState);
BERTH_ENUM(StopCause);
BERTH_ENUM(Outcome);
BERTH_ENUM(AllocationPhase);
BERTH_ENUM(GpuHealth);
BERTH_ENUM(NodeState);
BERTH_ENUM(Backfill);
BERTH_ENUM(HoldReason);

#undef BERTH_ENUM

}  // namespace berth
