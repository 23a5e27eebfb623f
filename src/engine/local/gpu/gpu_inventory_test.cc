#include "engine/local/gpu/gpu_inventory.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

class Inventory : public testing::Test {
 protected:
  GpuInventory inventory{minutes(10)};
  Time now{1'000'000};

  static GpuReading reading(int index) {
    GpuReading r;
    r.index = index;
    r.uuid = "GPU-" + std::to_string(index);
    r.name = "NVIDIA H100 80GB HBM3";
    r.total_mib = 81559;
    r.reserved_mib = 480;
    r.used_mib = 0;
    r.ecc_uncorrected = 0;
    return r;
  }
  static ProbeReport machine(int count = 2) {
    ProbeReport report;
    report.driver = "580";
    for (int i = 0; i < count; ++i) report.gpus.push_back(reading(i));
    return report;
  }
  void take(const ProbeReport& report, Duration later = seconds(5)) {
    now = now + later;
    inventory.take(
        report, [](std::int64_t pid) { return pid == 1; }, now);
  }
  Gpu gpu(std::size_t i) { return inventory.gpus().at(i); }
};

TEST_F(Inventory, HealthyDevices) {
  take(machine());
  ASSERT_EQ(inventory.gpus().size(), 2U);
  EXPECT_EQ(gpu(0).uuid, "GPU-0");
  EXPECT_EQ(gpu(0).type, "H100-80GB");
  EXPECT_EQ(gpu(0).memory, Mib(81559 - 480));
  EXPECT_EQ(gpu(0).health, GpuHealth::ok);
  EXPECT_FALSE(gpu(0).is_virtual);
}

TEST_F(Inventory, ALostDeviceStaysAndHidesNoOther) {
  take(machine(8));
  ProbeReport report = machine(8);
  report.gpus[3] = {};
  report.gpus[3].index = 3;
  report.gpus[3].error = 15;
  report.gpus[3].failed_call = "HandleByIndex";
  take(report);
  ASSERT_EQ(inventory.gpus().size(), 8U);
  EXPECT_EQ(gpu(3).health, GpuHealth::lost);
  EXPECT_EQ(gpu(3).uuid, "GPU-3");
  EXPECT_EQ(gpu(3).detail, "GPU is lost (NVML 15) in HandleByIndex");
  for (const std::size_t i : {0, 1, 2, 4, 5, 6, 7}) EXPECT_EQ(gpu(i).health, GpuHealth::ok) << i;
}

TEST_F(Inventory, ADeviceThatCannotBeOpenedFromTheStartIsListed) {
  ProbeReport report = machine(3);
  report.gpus[1].uuid.clear();
  report.gpus[1].error = 15;
  take(report);
  ASSERT_EQ(inventory.gpus().size(), 3U);
  EXPECT_EQ(gpu(1).health, GpuHealth::lost);
  take(machine(3));  // it gets its name, at the same place
  EXPECT_EQ(gpu(1).uuid, "GPU-1");
  EXPECT_EQ(inventory.gpus().size(), 3U);
}

TEST_F(Inventory, UnpluggedIsLostAndIndexesDoNotMove) {
  take(machine(3));
  ProbeReport report = machine(3);
  report.gpus.erase(report.gpus.begin() + 1);
  report.gpus[1].index = 1;  // NVML renumbers; the UUID counts
  take(report);
  EXPECT_EQ(gpu(1).health, GpuHealth::lost);
  EXPECT_EQ(gpu(2).uuid, "GPU-2");
  EXPECT_EQ(gpu(2).health, GpuHealth::ok);
  EXPECT_EQ(inventory.cuda_index("GPU-2"), 1);
}

TEST_F(Inventory, WhatComesBackIsTrustedAfterAWhileOfQuiet) {
  take(machine(2));
  take(machine(1));
  EXPECT_EQ(gpu(1).health, GpuHealth::lost);
  take(machine(2));
  EXPECT_EQ(gpu(1).health, GpuHealth::suspect);
  take(machine(2), minutes(9));
  EXPECT_EQ(gpu(1).health, GpuHealth::suspect);
  take(machine(2), minutes(2));
  EXPECT_EQ(gpu(1).health, GpuHealth::ok);
}

TEST_F(Inventory, CountZeroIsUnknownNotLost) {
  take(machine(2));
  take(machine(0));
  EXPECT_EQ(gpu(0).health, GpuHealth::unknown);
  EXPECT_NE(inventory.trouble().find("no GPU although there are 2"), std::string::npos) << inventory.trouble();
  take(machine(2));
  EXPECT_EQ(gpu(0).health, GpuHealth::ok);
  EXPECT_EQ(inventory.trouble(), "");
}

TEST_F(Inventory, ADriverThatDoesNotFitMakesAllUnknown) {
  take(machine(2));
  ProbeReport report;
  report.error = 18;
  report.message = "why";
  take(report);
  EXPECT_EQ(gpu(1).health, GpuHealth::unknown);
  EXPECT_EQ(gpu(1).detail, "why");
}

TEST_F(Inventory, ForeignMemoryIsSeenAndOursIsNot) {
  ProbeReport report = machine(3);
  report.gpus[0].used_mib = 7000;
  report.gpus[0].processes = {{1, 4000}, {77, 3000}};
  report.gpus[1].used_mib = 5000;  // used, and in nobody's list
  report.gpus[2].used_mib = 9000;  // one of ours explains it
  report.gpus[2].processes = {{1, std::nullopt}};
  take(report);
  EXPECT_EQ(gpu(0).foreign, Mib(3000));
  EXPECT_EQ(gpu(1).foreign, Mib(5000));
  EXPECT_EQ(gpu(2).foreign, Mib{});
  take(machine(3));
  EXPECT_EQ(gpu(0).foreign, Mib{});
}

TEST_F(Inventory, XidsByClass) {
  take(machine(4));
  inventory.take(XidEvent{"GPU-0", 31}, now);
  inventory.take(XidEvent{"GPU-1", 48}, now);
  inventory.take(XidEvent{"GPU-2", 79}, now);
  inventory.take(XidEvent{"GPU-3", 45}, now);
  inventory.take(XidEvent{"GPU-nobody", 79}, now);
  EXPECT_EQ(gpu(0).health, GpuHealth::ok);
  EXPECT_EQ(gpu(1).health, GpuHealth::suspect);
  EXPECT_EQ(gpu(2).health, GpuHealth::lost);
  EXPECT_EQ(gpu(3).health, GpuHealth::ok);
  take(machine(4), hours(2));  // without a reset, time heals nothing
  EXPECT_EQ(gpu(1).health, GpuHealth::suspect);
  EXPECT_EQ(gpu(1).detail, "XID 48 (double-bit ECC error): needs a reset");
}

TEST_F(Inventory, EccGrowthIsABadSignAndItsFallAReset) {
  take(machine());
  ProbeReport report = machine();
  report.gpus[0].ecc_uncorrected = 2;
  report.gpus[1].ecc_corrected = 5000;  // corrected ones are only counted
  take(report);
  EXPECT_EQ(gpu(0).health, GpuHealth::suspect);
  EXPECT_EQ(gpu(1).health, GpuHealth::ok);
  take(machine());
  take(machine(), minutes(11));
  EXPECT_EQ(gpu(0).health, GpuHealth::ok);
}

TEST_F(Inventory, OldErrorsOfBeforeOurTimeAreNoGrowth) {
  ProbeReport report = machine(1);
  report.gpus[0].ecc_uncorrected = 40;
  take(report);
  EXPECT_EQ(gpu(0).health, GpuHealth::ok);
}

TEST_F(Inventory, TransientErrorsCountOnlyInARow) {
  take(machine(1));
  ProbeReport report = machine(1);
  report.gpus[0].error = 999;
  for (int i = 0; i < 2; ++i) take(report);
  take(machine(1));
  for (int i = 0; i < 2; ++i) take(report);
  EXPECT_EQ(gpu(0).health, GpuHealth::ok);
  take(report);
  EXPECT_EQ(gpu(0).health, GpuHealth::suspect);
}

TEST_F(Inventory, MissingDataNeverMakesADeviceUnhealthy) {
  GpuReading bare;
  bare.uuid = "GPU-0";
  ProbeReport report;
  report.gpus = {bare};
  take(report);
  EXPECT_EQ(gpu(0).health, GpuHealth::ok);
  EXPECT_EQ(gpu(0).type, "GPU");
}

TEST_F(Inventory, WhatTheDriverAdvises) {
  ProbeReport report = machine(4);
  report.gpus[0].recovery_action = 1;
  report.gpus[1].recovery_action = 2;
  report.gpus[2].recovery_action = 3;
  report.gpus[3].mig = 1;
  take(report);
  EXPECT_EQ(gpu(0).health, GpuHealth::suspect);
  EXPECT_EQ(gpu(1).health, GpuHealth::lost);
  EXPECT_EQ(gpu(2).health, GpuHealth::ok);
  EXPECT_NE(gpu(2).detail, "");
  EXPECT_EQ(gpu(3).health, GpuHealth::suspect);
}

TEST_F(Inventory, LinksFollowTheDevices) {
  ProbeReport report = machine(3);
  report.links = {{0, 1, 10, 18}, {1, 2, 50, 0}};
  take(report);
  ASSERT_EQ(inventory.links().size(), 2U);
  EXPECT_EQ(inventory.links()[0], (GpuLink{0, 1, 10, 18}));
}

}  // namespace
}  // namespace berth
