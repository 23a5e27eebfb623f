#include "api/plan_parts.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

Plan plan_of(std::uint64_t version, std::int64_t first) {
  Plan plan;
  plan.version = version;
  plan.starts.push_back({JobId(first), {}, false});
  plan.reservations.push_back({JobId(first + 2), Time(5), {}, HoldReason::capacity, {}});
  for (const std::int64_t id : {first + 3, first + 1})
    plan.holds.push_back({JobId(id), HoldReason::behind, {}, {}, kForever});
  return plan;
}

TEST(PlanParts, AreTheSameByIndexAndBySearchAndFollowThePlan) {
  PlanParts parts;
  for (const std::int64_t first : {1, 2}) {
    const Plan plan = plan_of(static_cast<std::uint64_t>(first), first);
    for (int i = 0; i < 30; ++i) {
      for (std::int64_t id = 1; id < 7; ++id) {
        const Plan part = parts.about(plan, {JobId(id)});
        EXPECT_EQ(part.starts.size(), id == first ? 1u : 0u);
        EXPECT_EQ(part.reservations.size(), id == first + 2 ? 1u : 0u);
        EXPECT_EQ(part.holds.size(), id == first + 1 || id == first + 3 ? 1u : 0u);
        if (!part.holds.empty()) { EXPECT_EQ(part.holds.front().job, JobId(id)); }
      }
      EXPECT_EQ(parts.about(plan, {JobId(1), JobId(2), JobId(3), JobId(4), JobId(5)}).holds.size(), 2u);
    }
  }
}

}  // namespace
}  // namespace berth::api
