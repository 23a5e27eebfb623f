#include "engine/local/cgroups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char kUnified[] = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr char kHybrid[] =
    "31 30 0:27 / /sys/fs/cgroup/cpu rw shared:5 - cgroup cgroup rw,cpu,cpuacct\n"
    "32 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "33 30 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"
    "34 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
    "35 30 0:31 / /proc rw - proc proc rw\n";

TEST(ReadHierarchies, UnifiedMachine) {
  const auto found = read_hierarchies(kUnified, "0::/system.slice/berth.service\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].v2);
  EXPECT_EQ(found[0].own, "/sys/fs/cgroup/system.slice/berth.service");
}

TEST(ReadHierarchies, HybridMachineHasEachWithItsOwnPlace) {
  const auto found = read_hierarchies(kHybrid, "4:memory:/jobs/a\n1:cpu,cpuacct:/\n9:name=systemd:/x\n0::/\n");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].own, "/sys/fs/cgroup/cpu");
  EXPECT_THAT(found[0].controllers, ElementsAre("cpu", "cpuacct"));
  EXPECT_EQ(found[1].own, "/sys/fs/cgroup/memory/jobs/a");
  EXPECT_EQ(found[3].own, "/sys/fs/cgroup/unified");
}

TEST(ReadHierarchies, AContainerSeesOnlyItsPartOfTheTree) {
  const auto found =
      read_hierarchies("30 24 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "0::/docker/abc/inner\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].own, "/sys/fs/cgroup/inner");
}

TEST(ReadHierarchies, NonsenseIsLeftOut) {
  EXPECT_THAT(read_hierarchies("", ""), IsEmpty());
  EXPECT_THAT(read_hierarchies("garbage - \n - - -\n", "a:b\n::\n"), IsEmpty());
}

TEST(TaskGroupOrders, V2SetsLimitsBeforeTheBirth) {
  const CgroupLayout layout{.track = "/v2/b", .v2_cpu = true, .v2_memory = true, .v2_pids = true};
  const auto orders = task_group_orders(layout, "1.1.0", MilliCpu(4000), Mib(512));
  EXPECT_THAT(orders, Contains("track=/v2/b/1.1.0"));
  EXPECT_THAT(orders, Contains("set=/v2/b/1.1.0/cpu.weight=400"));
  EXPECT_THAT(orders, Contains("set=/v2/b/1.1.0/memory.max=536870912"));
  EXPECT_THAT(orders, Not(Contains(HasSubstr("late"))));
}

TEST(TaskGroupOrders, HybridTracksByV2AndLimitsLateByV1) {
  const CgroupLayout layout{.track = "/v2/b", .cpu = "/cpu/b", .memory = "/mem/b"};
  const auto orders = task_group_orders(layout, "1.1.0", MilliCpu(500), Mib(1));
  EXPECT_THAT(orders, Contains("track=/v2/b/1.1.0"));
  EXPECT_THAT(orders, Contains("late=/cpu/b/1.1.0"));
  EXPECT_THAT(orders, Contains("lateset=/cpu/b/1.1.0/cpu.shares=512"));
  EXPECT_THAT(orders, Contains("lateset=/mem/b/1.1.0/memory.limit_in_bytes=1048576"));
}

TEST(TaskGroupOrders, NoMemoryAskedMeansNoMemoryLimit) {
  const CgroupLayout layout{.track = "/v2/b", .memory = "/mem/b"};
  EXPECT_THAT(task_group_orders(layout, "1.1.0", MilliCpu(1000), Mib{}), Not(Contains(HasSubstr("/mem/"))));
}

TEST(TaskGroupOrders, NoneAtAll) { EXPECT_THAT(task_group_orders({}, "1.1.0", MilliCpu(1000), Mib(5)), IsEmpty()); }

TEST(DescribeCgroups, SaysPlainlyWhatThereIs) {
  EXPECT_THAT(describe(CgroupLayout{}), HasSubstr("not enforced"));
  EXPECT_THAT(describe(CgroupLayout{.track = "/a", .v2_memory = true}), HasSubstr("memory (v2)"));
  EXPECT_THAT(describe(CgroupLayout{.freezer = "/a", .cpu = "/c"}), HasSubstr("cpu weight (v1)"));
}

}  // namespace
}  // namespace berth
