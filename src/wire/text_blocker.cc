#include <fmt/core.h>

#include "wire/text.h"

namespace berth {
namespace {

std::string with_detail(std::string text, const Blocker& b) {
  return b.detail.empty() ? text : text + " (" + b.detail + ")";
}

std::string until_text(const Blocker& b, const Zone& zone) {
  return b.until == Time{} || b.until == kForever ? "" : " until " + local_time(b.until, zone);
}

std::string want_and_have(const Blocker& b, std::string_view left) {
  return fmt::format("{} asked, {} {}", amount_text(b.unit, b.want), amount_text(b.unit, b.have), left);
}

std::string queue_limit_text(const Blocker& b) {
  const std::string limit = b.limit > 0 ? "its limit of " + amount_text(b.unit, b.limit) : "its limit";
  return fmt::format("queue {} is at {}: {}", b.subject, limit, want_and_have(b, "left"));
}

std::string never_fits_text(const Blocker& b) {
  return with_detail(fmt::format("it can never fit: {}", want_and_have(b, "is the most there is")), b);
}

// The subject is the type of GPU. A share by memory counts no GPUs; then the detail, in tasks, says it.
std::string capacity_text(const Blocker& b) {
  constexpr std::int64_t kFewestMilli = 10;
  const std::string text = "not enough is free now";
  if (b.want == 0 || (b.unit == "gpu" && b.want < kFewestMilli)) return with_detail(text, b);
  const std::string of_type = b.unit == "gpu" && !b.subject.empty() ? " of " + b.subject : "";
  return with_detail(
      fmt::format("{}: {}{} asked, {} free", text, amount_text(b.unit, b.want), of_type, amount_text(b.unit, b.have)),
      b);
}

std::string no_usable_node_text(const Blocker& b) {
  const std::string such = b.subject.empty() ? "" : ", such as " + b.subject;
  return with_detail(fmt::format("{} that would do cannot be used now{}", amount_text("nodes", b.have), such), b);
}

std::string backoff_text(const Blocker& b, const Zone& zone) {
  return with_detail(fmt::format("waits{} before it is tried again{}", until_text(b, zone),
                                 b.subject.empty() ? "" : ", after " + b.subject),
                     b);
}

std::string other_job(const Blocker& b) { return b.subject.empty() ? "other jobs" : "job " + b.subject; }

std::string singleton_text(const Blocker& b) {
  return with_detail(fmt::format("job {} of the same name and user comes first", b.subject), b);
}

}  // namespace

std::string to_text(const Blocker& b, const Zone& zone) {
  switch (b.reason) {
    case HoldReason::user_hold:
      return with_detail(b.subject.empty() ? "held" : "held by " + b.subject, b);
    case HoldReason::begin_time:
      return with_detail("not to begin" + until_text(b, zone), b);
    case HoldReason::backoff:
      return backoff_text(b, zone);
    case HoldReason::dependency:
      return with_detail("waits for " + b.subject, b);
    case HoldReason::dependency_never:
      return with_detail(b.subject + " can no longer be fulfilled", b);
    case HoldReason::singleton:
      return singleton_text(b);
    case HoldReason::array_throttle:
      return fmt::format("its array runs {} at once and {} run", amount_text("", b.want), amount_text("", b.have));
    case HoldReason::queue_off:
      return with_detail(fmt::format("queue {} is off", b.subject), b);
    case HoldReason::queue_limit:
      return queue_limit_text(b);
    case HoldReason::no_such_node:
      return with_detail("no node meets what it asks for", b);
    case HoldReason::never_fits:
      return never_fits_text(b);
    case HoldReason::no_usable_node:
      return no_usable_node_text(b);
    case HoldReason::capacity:
      return capacity_text(b);
    case HoldReason::reserved_room:
      return with_detail("what is free is promised to " + other_job(b), b);
    case HoldReason::behind:
      return with_detail("it is behind " + other_job(b) + ", and the order is strict", b);
    case HoldReason::not_reached:
      return "not looked at yet in this pass";
  }
  return "";
}

}  // namespace berth
