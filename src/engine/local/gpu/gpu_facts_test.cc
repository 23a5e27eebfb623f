// The tables and the small pure parts: product names, NVML codes, XID classes, the lines between probe and engine.
#include <gtest/gtest.h>

#include "engine/local/gpu/gpu_type.h"
#include "engine/local/gpu/nvml_codes.h"
#include "engine/local/gpu/probe_report.h"
#include "engine/local/gpu/xid.h"

namespace berth {
namespace {

struct Product {
  const char* name;
  std::int64_t total_mib;
  const char* type;
};

TEST(GpuType, RealProductsAsDriversReportThem) {
  const Product products[] = {{"NVIDIA H100 80GB HBM3", 81559, "H100-80GB"},
                              {"NVIDIA H100 PCIe", 81559, "H100-80GB"},
                              {"NVIDIA H100 NVL", 95830, "H100-94GB"},
                              {"NVIDIA A100-SXM4-40GB", 40960, "A100-40GB"},
                              {"A100-SXM4-40GB", 40960, "A100-40GB"},
                              {"NVIDIA A100 80GB PCIe", 81920, "A100-80GB"},
                              {"Tesla V100-SXM2-16GB", 16160, "V100-16GB"},
                              {"Tesla V100-SXM2-32GB", 32510, "V100-32GB"},
                              {"Tesla P100-SXM2-16GB", 16280, "P100-16GB"},
                              {"Tesla T4", 15360, "T4-16GB"},
                              {"NVIDIA A10", 23028, "A10-24GB"},
                              {"NVIDIA L4", 23034, "L4-24GB"},
                              {"NVIDIA L40S", 46068, "L40S-48GB"},
                              {"NVIDIA H200", 143771, "H200-141GB"},
                              {"NVIDIA B200", 183359, "B200-180GB"},
                              {"NVIDIA GB200", 189471, "GB200-186GB"},
                              {"NVIDIA GB300", 284208, "GB300-278GB"},
                              {"NVIDIA GH200 480GB", 97871, "GH200-96GB"},
                              {"NVIDIA GeForce RTX 4090", 24564, "RTX4090-24GB"},
                              {"NVIDIA RTX 6000 Ada Generation", 49140, "RTX6000-Ada-48GB"},
                              {"", 0, "GPU"}};
  for (const Product& p : products) EXPECT_EQ(gpu_type(p.name, Mib(p.total_mib)), p.type) << p.name;
}

TEST(NvmlCodes, ClassesOfTheTable) {
  for (const int code : {3, 13, 22, 24, 25, 26}) EXPECT_EQ(class_of(code), NvmlClass::absent) << code;
  for (const int code : {8, 11, 15, 16, 28, 29}) EXPECT_EQ(class_of(code), NvmlClass::dead) << code;
  for (const int code : {10, 14, 17, 20, 21, 27, 999, 12345}) EXPECT_EQ(class_of(code), NvmlClass::transient) << code;
  for (const int code : {9, 12, 18}) EXPECT_EQ(class_of(code), NvmlClass::node) << code;
  EXPECT_EQ(nvml_text(15), "GPU is lost (NVML 15)");
}

TEST(Xid, ClassesOfTheTable) {
  for (const int xid : {13, 31, 68, 131}) EXPECT_EQ(xid_class(xid), XidClass::application) << xid;
  for (const int xid : {43, 45, 63}) EXPECT_EQ(xid_class(xid), XidClass::info) << xid;
  for (const int xid : {48, 62, 95, 119, 140}) EXPECT_EQ(xid_class(xid), XidClass::reset) << xid;
  EXPECT_EQ(xid_class(94), XidClass::contained);
  EXPECT_EQ(xid_class(79), XidClass::reboot);
  EXPECT_EQ(xid_class(64), XidClass::replace);
  EXPECT_EQ(xid_class(74), XidClass::fabric);
  EXPECT_EQ(xid_class(999), XidClass::unknown);
  EXPECT_EQ(xid_text(48), "XID 48 (double-bit ECC error): needs a reset");
}

TEST(ProbeLines, WhatIsWrittenIsRead) {
  ProbeReport report;
  report.driver = "580.95.05";
  report.cuda = 13000;
  report.listed = 2;
  GpuReading good;
  good.uuid = "GPU-a";
  good.name = "a\tname\nof two lines";
  good.total_mib = 81559;
  good.ecc_uncorrected = 0;
  good.processes = {{12, 300}, {13, std::nullopt}};
  GpuReading bad;
  bad.index = 1;
  bad.error = 15;
  bad.failed_call = "HandleByIndex";
  report.gpus = {good, bad};
  report.links = {{0, 1, 20, 18}};
  ProbeReader reader;
  std::optional<std::variant<ProbeReport, XidEvent>> message;
  const std::string lines = to_lines(report);
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
    EXPECT_FALSE(message);
    message = reader.take(lines.substr(at, lines.find('\n', at) - at));
  }
  ASSERT_TRUE(message);
  report.gpus[0].name = "a name of two lines";
  EXPECT_EQ(std::get<ProbeReport>(*message), report);
  const auto xid = reader.take("xid\tuuid=GPU-a\tcode=79");
  ASSERT_TRUE(xid);
  EXPECT_EQ(std::get<XidEvent>(*xid), (XidEvent{"GPU-a", 79}));
}

TEST(ProbeLines, NonsenseIsLeftOut) {
  ProbeReader reader;
  for (const char* line :
       {"", "\t", "process\tpid=4", "gpu\tindex=x\ttotal_mib=9999999999999999999999", "what=ever", "link"})
    EXPECT_FALSE(reader.take(line)) << line;
  const auto message = reader.take("end");
  ASSERT_TRUE(message);
  EXPECT_FALSE(std::get<ProbeReport>(*message).gpus.front().total_mib);
}

}  // namespace
}  // namespace berth
