// The engine with its probe and the fake NVML, end to end: what is injected at one end is seen in the node at the other.
#include <signal.h>
#include <unistd.h>

#include "engine/local/gpu/gpu_inventory.h"
#include "engine/local/rig.h"

namespace berth {
namespace {

class GpuEngine : public testing::Test {
 protected:
  Rig rig;
  std::string file = rig.dir() + "/machine";
  std::string side = rig.dir() + "/side";

  void machine(const std::string& lines) {
    std::ofstream(file + ".new") << "side=" << side << "\n" << lines;
    std::filesystem::rename(file + ".new", file);
  }
  static std::string gpus(int count, const std::string& fields = "") {
    std::string lines;
    for (int i = 0; i < count; ++i) lines += "gpu|uuid=GPU-" + std::to_string(i) + "|switch_links=18" + fields + "\n";
    return lines;
  }
  void open(Duration timeout = seconds(10), const std::string& library = BERTH_TEST_FAKE_NVML) {
    rig.close();
    rig.options().probe_command = {BERTH_TEST_PROBE};
    rig.options().probe_environment = {"BERTH_NVML_LIBRARY=" + library, "BERTH_FAKE_NVML=" + file};
    rig.options().probe_interval = milliseconds(50);
    rig.options().probe_timeout = timeout;
    rig.options().probe_backoff = milliseconds(100);
    rig.options().heal_after = milliseconds(300);
    rig.open();
  }
  // The node as it was reported last.
  std::vector<Gpu> seen() {
    std::vector<Gpu> last;
    rig.count<observation::NodesReported>([&](const auto& r) {
      last = r.nodes.front().gpus;
      return true;
    });
    return last;
  }
  bool soon_gpu(std::size_t index, const std::function<bool(const Gpu&)>& condition) {
    return soon([&] {
      const auto all = seen();
      return index < all.size() && condition(all[index]);
    });
  }
  bool soon_health(std::size_t index, GpuHealth health) {
    return soon_gpu(index, [&](const Gpu& g) { return g.health == health; });
  }
  Launch gpu_job(std::int64_t id, int gpu, const std::string& arguments) {
    JobSpec spec = rig.spec("exec " BERTH_TEST_FAKE_CUDA " " + arguments);
    spec.env["BERTH_FAKE_NVML_SIDE"] = side;
    Launch launch = make_launch(id, spec);
    launch.nodes[NodeId(0)].gpus = seen();
    launch.placement.front().gpus = {{gpu, kWholeGpu, {}}};
    return launch;
  }
};

TEST_F(GpuEngine, ReportsRealDevices) {
  machine(gpus(8));
  open();
  ASSERT_TRUE(soon([&] { return seen().size() == 8; }));
  const Gpu gpu = seen()[7];
  EXPECT_EQ(gpu.uuid, "GPU-7");
  EXPECT_EQ(gpu.type, "H100-80GB");
  EXPECT_EQ(gpu.memory, Mib(81079));
  EXPECT_FALSE(gpu.is_virtual);
  EXPECT_NE(rig.engine().describe().find("8 x H100-80GB by NVML (driver 580.95.05)"), std::string::npos)
      << rig.engine().describe();
}

TEST_F(GpuEngine, WithoutTheLibraryTheNodeHasNoGpus) {
  open(seconds(10), "/no/such/libnvidia-ml.so.1");
  ASSERT_TRUE(rig.wait<observation::NodesReported>([](const auto&) { return true; }));
  EXPECT_TRUE(seen().empty());
  EXPECT_NE(rig.engine().describe().find("no GPUs"), std::string::npos);
}

TEST_F(GpuEngine, OneDeviceThatDoesNotOpenLeavesTheOthers) {
  machine(gpus(2) + "gpu|uuid=GPU-2|open=15\n");
  open();
  ASSERT_TRUE(soon_health(2, GpuHealth::lost));
  EXPECT_EQ(seen()[0].health, GpuHealth::ok);
  EXPECT_EQ(seen()[1].health, GpuHealth::ok);
}

TEST_F(GpuEngine, ADeviceThatIsLostStaysInTheInventoryAndHeals) {
  machine(gpus(2));
  open();
  ASSERT_TRUE(soon_health(1, GpuHealth::ok));
  machine(gpus(1) + "gpu|uuid=GPU-1|lost=1\n");
  ASSERT_TRUE(soon_health(1, GpuHealth::lost));
  EXPECT_EQ(seen()[0].health, GpuHealth::ok);
  machine(gpus(2));
  ASSERT_TRUE(soon_health(1, GpuHealth::ok));
}

TEST_F(GpuEngine, AHangMakesGpusUnknownWhileJobsGoOn) {
  machine(gpus(2));
  open(milliseconds(400));
  ASSERT_TRUE(soon_health(0, GpuHealth::ok));
  const auto key = rig.run(1, "while [ ! -e go ]; do sleep 0.02; done; exit 6");
  ASSERT_TRUE(rig.started(key));
  machine("hang=nvmlDeviceGetMemoryInfo_v2\n" + gpus(2));
  ASSERT_TRUE(soon_health(0, GpuHealth::unknown));
  EXPECT_NE(seen()[0].detail.find("not answered"), std::string::npos) << seen()[0].detail;
  EXPECT_EQ(seen().size(), 2U);
  std::ofstream(rig.dir() + "/go") << "\n";
  const auto ended = rig.ended(key);  // the engine is not held up
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.code, 6);
  machine(gpus(2));
  EXPECT_TRUE(soon_health(0, GpuHealth::ok));  // a new helper took over
}

TEST_F(GpuEngine, AHangFromTheStartDoesNotKeepTheNodeBack) {
  machine("hang=nvmlInit_v2\n" + gpus(2));
  open(milliseconds(300));
  ASSERT_TRUE(rig.wait<observation::NodesReported>([](const auto&) { return true; }));
  machine(gpus(2));
  EXPECT_TRUE(soon([&] { return seen().size() == 2; }));
}

TEST_F(GpuEngine, AHelperThatDiesIsReplaced) {
  machine(gpus(1));
  open();
  ASSERT_TRUE(soon_health(0, GpuHealth::ok));
  rig.close();
  rig.options().probe_command = {
      "/bin/sh", "-c",
      "[ -e " + rig.dir() + "/once ] && exec " BERTH_TEST_PROBE "; touch " + rig.dir() + "/once; exit 1"};
  rig.open();
  EXPECT_TRUE(soon_health(0, GpuHealth::ok));
}

class GpuEngineInit : public GpuEngine, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Codes, GpuEngineInit, testing::Values(9, 18, 999));

TEST_P(GpuEngineInit, ADriverThatDoesNotComeUpIsTriedAgain) {
  machine("init=" + std::to_string(GetParam()) + "\n" + gpus(2));
  open();
  ASSERT_TRUE(rig.wait<observation::NodesReported>([](const auto&) { return true; }));
  EXPECT_TRUE(seen().empty());
  EXPECT_NE(rig.engine().describe().find("NVML " + std::to_string(GetParam())), std::string::npos)
      << rig.engine().describe();
  machine(gpus(2));
  EXPECT_TRUE(soon([&] { return seen().size() == 2; }));
}

TEST_F(GpuEngine, CountZeroMakesThemUnknown) {
  machine(gpus(2));
  open();
  ASSERT_TRUE(soon_health(1, GpuHealth::ok));
  machine("count=0\n" + gpus(2));
  EXPECT_TRUE(soon_health(1, GpuHealth::unknown));
}

TEST_F(GpuEngine, NoSingleDatumIsNeeded) {
  for (const char* call :
       {"nvmlDeviceGetUtilizationRates", "nvmlDeviceGetMemoryInfo_v2", "nvmlDeviceGetTotalEccErrors",
        "nvmlDeviceGetRemappedRows", "nvmlDeviceGetFieldValues", "nvmlDeviceGetMigMode",
        "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetMinorNumber",
        "nvmlDeviceGetPowerUsage", "nvmlDeviceGetTemperature", "nvmlDeviceGetCudaComputeCapability",
        "nvmlEventSetCreate", "nvmlDeviceGetTopologyCommonAncestor"}) {
    machine(gpus(1) + "refuse|call=" + call + "|code=3\n");
    open();
    EXPECT_TRUE(soon([&] { return seen().size() == 1; })) << call;
    ASSERT_FALSE(seen().empty());
    EXPECT_EQ(seen()[0].health, GpuHealth::ok) << call << ": " << seen()[0].detail;
    EXPECT_EQ(seen()[0].type, "H100-80GB") << call;
  }
}

TEST_F(GpuEngine, XidsReachTheNode) {
  machine(gpus(3));
  open();
  ASSERT_TRUE(soon_health(2, GpuHealth::ok));
  machine(gpus(3) + "xid|id=1|uuid=GPU-0|code=31\nxid|id=2|uuid=GPU-1|code=48\nxid|id=3|uuid=GPU-2|code=79\n");
  EXPECT_TRUE(soon_health(1, GpuHealth::suspect));
  EXPECT_TRUE(soon_health(2, GpuHealth::lost));
  EXPECT_EQ(seen()[0].health, GpuHealth::ok);
  EXPECT_NE(seen()[1].detail.find("XID 48"), std::string::npos);
}

TEST_F(GpuEngine, EccGrowthReachesTheNode) {
  machine(gpus(1));
  open();
  ASSERT_TRUE(soon_health(0, GpuHealth::ok));
  machine(gpus(1, "|ecc=3"));
  EXPECT_TRUE(soon_health(0, GpuHealth::suspect));
}

TEST_F(GpuEngine, ForeignProcessesAreSubtractedAndOursAreNot) {
  machine(gpus(2));
  open();
  ASSERT_TRUE(soon_health(1, GpuHealth::ok));
  const auto key = rig.run(gpu_job(1, 0, "--mib 5000 --seconds 60"));
  ASSERT_TRUE(rig.started(key));
  ASSERT_TRUE(soon([&] { return text_of(side).find("GPU-0") != std::string::npos; }));
  // This test's own process is nobody's job.
  machine(gpus(2) + "process|uuid=GPU-1|pid=" + std::to_string(getpid()) + "|mib=30000\n");
  EXPECT_TRUE(soon_gpu(1, [](const Gpu& g) { return g.foreign == Mib(30000); }));
  EXPECT_EQ(seen()[0].foreign, Mib{});
  machine(gpus(2));
  EXPECT_TRUE(soon_gpu(1, [](const Gpu& g) { return g.foreign == Mib{}; }));
  rig.stop(key, seconds(10));
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::succeeded);
}

TEST_F(GpuEngine, AFakeCudaJobWithoutGpusFails) {
  machine(gpus(1));
  open();
  ASSERT_TRUE(soon_health(0, GpuHealth::ok));
  Launch launch = gpu_job(1, 0, "--seconds 1");
  launch.placement.front().gpus.clear();
  const auto ended = rig.ended(rig.run(launch));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit.code, 3);
}

TEST_F(GpuEngine, AJobsXidHitsItsDevice) {
  machine(gpus(2));
  open();
  ASSERT_TRUE(soon_health(1, GpuHealth::ok));
  rig.run(gpu_job(1, 1, "--seconds 1 --xid 95"));
  EXPECT_TRUE(soon_health(1, GpuHealth::suspect));
  EXPECT_EQ(seen()[0].health, GpuHealth::ok);
}

TEST_F(GpuEngine, AJobThatFailsOnABrokenDeviceIsLostNotFailed) {
  machine(gpus(2));
  open();
  ASSERT_TRUE(soon_health(1, GpuHealth::ok));
  const auto key = rig.run(gpu_job(1, 1, "--seconds 2 --xid 48 --exit 1"));
  const auto good = rig.run(gpu_job(2, 0, "--seconds 1 --xid 31 --exit 1"));
  const auto ended = rig.ended(key);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::lost);
  EXPECT_EQ(ended->node, "here");
  EXPECT_NE(ended->message.find("XID 48"), std::string::npos) << ended->message;
  const auto own = rig.ended(good);  // a page fault is the program's own
  ASSERT_TRUE(own);
  EXPECT_EQ(own->outcome, Outcome::failed);
}

TEST_F(GpuEngine, ADeviceThatVanishesEndsTheJobThatHoldsIt) {
  machine(gpus(2));
  open();
  ASSERT_TRUE(soon_health(1, GpuHealth::ok));
  const auto hit = rig.run(gpu_job(1, 1, "--seconds 300 --exit 1"));
  const auto other = rig.run(gpu_job(2, 0, "--seconds 300"));
  ASSERT_TRUE(rig.started(hit));
  ASSERT_TRUE(rig.started(other));
  machine(gpus(1) + "gpu|uuid=GPU-1|lost=1\n");
  const auto ended = rig.ended(hit);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->outcome, Outcome::lost);
  EXPECT_NE(ended->message.find("GPU-1 failed under it"), std::string::npos) << ended->message;
  EXPECT_TRUE(rig.any_lives());
}

TEST_F(GpuEngine, VirtualGpusNeedNoProbe) {
  rig.close();
  rig.options().virtual_gpus = {
      Gpu{.uuid = {}, .type = "H100-80GB", .memory = Mib(81920), .foreign = {}, .detail = {}}};
  rig.options().probe_command = {"/bin/false"};
  rig.open();
  ASSERT_TRUE(soon([&] { return seen().size() == 1; }));
  EXPECT_TRUE(seen()[0].is_virtual);
  EXPECT_EQ(seen()[0].uuid, "GPU-virtual-here-0");
  EXPECT_NE(rig.engine().describe().find("virtual"), std::string::npos);
}

}  // namespace
}  // namespace berth
