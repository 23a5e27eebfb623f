// The JSON that people and programs are shown, over states that events led to.
#include "wire/view_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "conformance/random_history.h"
#include "wire/json_document.h"

namespace berth {
namespace {

namespace json = boost::json;

QueueSpec named(const std::string& name, const std::string& parent = "") {
  QueueSpec spec;
  spec.name = name;
  spec.parent = parent;
  return spec;
}

class Views : public testing::Test {
 protected:
  void SetUp() override {
    QueueSpec root = named("lab");
    root.quota = MilliGpu(4000);
    QueueSpec leaf = named("nlp", "lab");
    leaf.default_time_limit = hours(2);
    leaf.priority = 5;
    on(event::QueueSet{QueueId(0), root, ""});
    on(event::QueueSet{QueueId(1), leaf, ""});
    Gpu gpu{"GPU-0", "H100-80GB", Mib(81920), Mib(100), GpuHealth::ok, "", true};
    on(event::NodeSeen{NodeId(0), {"n0", NodeState::up, MilliCpu(64'000), Mib(512'000), {"ib"}, {gpu, gpu}}});
    auto spec = std::make_shared<JobSpec>();
    spec->name = "train";
    spec->user = "ann";
    spec->priority = 2;
    spec->groups[0].gpus.count = 2;
    on(event::JobSubmitted{JobId(1), QueueId(1), spec});
    const std::vector<GpuSlice> both{{0, kWholeGpu, Mib(81920)}, {1, kWholeGpu, Mib(81920)}};
    const TaskPlacement task{0, 0, NodeId(0), MilliCpu(1000), {}, both};
    on(event::AttemptPlaced{{JobId(1), 1}, {task}, hours(2), 2000, false});
    on(event::AttemptStarted{{JobId(1), 1}});
    auto array = std::make_shared<JobSpec>(*spec);
    array->array = ArraySpec{{3, 7}, 1};
    on(event::JobSubmitted{JobId(2), QueueId(1), array});
    plan_.at = now_;
    plan_.reservations = {{JobId(2), now_ + hours(2), {task}, HoldReason::capacity, {}}};
    plan_.holds = {{JobId(3), HoldReason::array_throttle, JobId(2), kNoQueue, kForever}};
  }
  void on(event::Body body) { apply(state_, {now_, std::move(body)}); }
  json::object row(std::int64_t id, Duration later = {}) {
    return job_row(state_, PlanIndex(plan_), state_.jobs.at(JobId(id)), now_ + later);
  }

  Time now_{1'000'000};
  ClusterState state_;
  Plan plan_;
};

TEST_F(Views, ARunningJob) {
  EXPECT_EQ(
      to_text(row(1, minutes(1))),
      R"({"id":1,"display_id":"1","array_first":null,"array_index":null,"name":"train","user":"ann","queue":"nlp",)"
      R"("class":"batch","state":"running","priority":7,"held_by":null,"submitted_ms":1000000,)"
      R"("eligible_ms":1000000,"started_ms":1000000,"ended_ms":null,"elapsed_ms":60000,"time_limit_ms":7200000,)"
      R"("ends_by_ms":8200000,"tasks":1,"gpus_milli":2000,"gpu_memory_mib":0,"cpus_milli":1000,"memory_mib":0,)"
      R"("gpu_types":[],"nodes":["n0"],"gpus":["n0/0","n0/1"],"reason":null,"reason_text":"",)"
      R"("expected_start_ms":null,"expected_exact":false,"backfilled":false,"attempt":1,"retries":0,)"
      R"("exit_code":null,"exit_signal":null})");
}

TEST_F(Views, AReservedElementOfAnArray) {
  const json::object shown = row(2);
  EXPECT_EQ(shown.at("display_id"), "2_3");
  EXPECT_EQ(shown.at("array_first"), 2);
  EXPECT_EQ(shown.at("reason"), "capacity");
  EXPECT_FALSE(shown.at("reason_text").as_string().empty());
  EXPECT_EQ(shown.at("expected_start_ms"), (now_ + hours(2)).ms());
  EXPECT_EQ(shown.at("expected_exact"), true);
  EXPECT_EQ(shown.at("nodes"), json::array());
}

TEST_F(Views, AHeldElementOfAnArray) {
  const json::object shown = row(3);
  EXPECT_EQ(shown.at("reason"), "array_throttle");
  EXPECT_EQ(shown.at("expected_start_ms"), nullptr);
  EXPECT_EQ(shown.at("expected_exact"), false);
}

TEST_F(Views, AJobThatEnded) {
  on(event::AttemptEnded{{JobId(1), 1}, Outcome::failed, {3, 0}, "", 0, {}});
  now_ = now_ + minutes(5);
  on(event::JobEnded{JobId(1), JobState::failed, "exit code 3"});
  const json::object shown = row(1, hours(9));
  EXPECT_EQ(shown.at("state"), "failed");
  EXPECT_EQ(shown.at("exit_code"), 3);
  EXPECT_EQ(shown.at("reason_text"), "exit code 3");
  EXPECT_EQ(shown.at("elapsed_ms"), minutes(5).ms());
  EXPECT_EQ(shown.at("gpus"), json::array());
}

TEST_F(Views, DetailsShowSpecPlaceAndPromise) {
  const json::object running = job_detail(state_, PlanIndex(plan_), state_.jobs.at(JobId(1)), now_);
  EXPECT_EQ(running.at("spec").at("groups").at(0).at("gpus").at("count"), 2);
  const json::value& task = running.at("allocation").at("tasks").at(0);
  EXPECT_EQ(task.at("node"), "n0");
  EXPECT_EQ(task.at("gpus").at(1).at("index"), 1);
  EXPECT_EQ(task.at("gpus").at(1).at("is_virtual"), true);
  EXPECT_EQ(running.at("reservation"), nullptr);
  const json::object waiting = job_detail(state_, PlanIndex(plan_), state_.jobs.at(JobId(2)), now_);
  EXPECT_EQ(waiting.at("allocation"), nullptr);
  EXPECT_EQ(waiting.at("reservation").at("gpus"), (json::array{"n0/0", "n0/1"}));
}

TEST_F(Views, NodesAndGpus) {
  on(event::NodeDrained{NodeId(0), "admin", "fan"});
  EXPECT_EQ(to_text(node_rows(state_)),
            R"([{"id":0,"name":"n0","state":"up","usable":false,"drains":[{"owner":"admin","reason":"fan"}],)"
            R"("features":["ib"],"gpus":2,"gpus_ok":2,"gpus_milli":2000,"gpus_held_milli":2000,"cpus_milli":64000,)"
            R"("cpus_held_milli":1000,"memory_mib":512000,"memory_held_mib":0,)"
            R"("gpu_types":[{"type":"H100-80GB","count":2}],"is_virtual":true,"jobs":[1],"launch_failures":0}])");
  const json::array gpus = gpu_rows(state_, PlanIndex(plan_));
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(to_text(gpus[1]),
            R"({"node":"n0","index":1,"uuid":"GPU-0","type":"H100-80GB","health":"ok","detail":null,"is_virtual":true,)"
            R"("memory_mib":81920,"foreign_mib":100,"held_milli":1000,"held_memory_mib":81920,"free_milli":0,)"
            R"("holders":[{"job":1,"display_id":"1","user":"ann","rank":0,"milli":1000,"memory_mib":81920}],)"
            R"("reserved":[{"job":2,"at_ms":8200000}]})");
  EXPECT_EQ(gpus[0], gpu_row(state_, PlanIndex(plan_), state_.nodes[0], 0));
}

TEST_F(Views, QueuesAsATree) {
  on(event::QueueSet{QueueId(2), named("alpha"), ""});
  on(event::QueueSet{QueueId(3), named("gone"), ""});
  on(event::QueueRemoved{QueueId(3)});
  const json::array rows = queue_rows(state_);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].at("name"), "alpha");
  EXPECT_EQ(rows[1].at("name"), "lab");
  EXPECT_EQ(rows[1].at("depth"), 0);
  EXPECT_EQ(rows[1].at("held_gpus_milli"), 2000);
  EXPECT_EQ(rows[2].at("name"), "nlp");
  EXPECT_EQ(rows[2].at("parent"), "lab");
  EXPECT_EQ(rows[2].at("depth"), 1);
  EXPECT_EQ(rows[2].at("running"), 1);
  EXPECT_EQ(rows[2].at("pending"), 2);
  EXPECT_EQ(rows[2].at("default_time_limit_ms"), hours(2).ms());
  EXPECT_EQ(rows[2].at("quota_milli"), nullptr);
}

TEST_F(Views, ThePlan) {
  const json::object shown = plan_view(state_, plan_, 10);
  EXPECT_EQ(shown.at("next_wake_ms"), nullptr);
  EXPECT_EQ(shown.at("running").at(0).at("job"), 1);
  EXPECT_EQ(shown.at("reservations").at(0).at("display_id"), "2_3");
  EXPECT_EQ(shown.at("reservations").at(0).at("nodes"), json::array{"n0"});
  EXPECT_EQ(shown.at("holds").at(0).at("reason"), "array_throttle");
  EXPECT_EQ(plan_view(state_, plan_, 0).at("holds"), json::array());
  EXPECT_EQ(plan_view(state_, plan_, 0).at("holds_total"), 1);
}

TEST_F(Views, AnExplanation) {
  Blocker blocker;
  blocker.unit = "gpu";
  blocker.want = 2000;
  const Explanation why{JobId(2), {blocker}, now_ + hours(2), true, {"wait"}};
  const json::object shown = explanation_view(state_, why);
  EXPECT_EQ(shown.at("display_id"), "2_3");
  EXPECT_EQ(shown.at("state"), "pending");
  EXPECT_EQ(shown.at("blockers").at(0).at("reason"), "capacity");
  EXPECT_EQ(shown.at("blockers").at(0).at("want"), 2000);
  EXPECT_FALSE(shown.at("blockers").at(0).at("text").as_string().empty());
  EXPECT_EQ(shown.at("fixes"), json::array{"wait"});
}

// Whatever the state, every view can be made, and is JSON that our own reader takes.
TEST(ViewsOfRandomStates, AreAlwaysWhole) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RandomHistory history(seed);
    for (int i = 0; i < 10; ++i) {
      (void)history.take(40);
      const ClusterState& state = history.state();
      const Plan plan = decide(state, state.now);
      const PlanIndex index(plan);
      json::array all{node_rows(state), gpu_rows(state, index), queue_rows(state), plan_view(state, plan, 5)};
      for (const auto& [id, job] : history.all_jobs()) {
        all.push_back(job_detail(state, index, job, state.now));
        if (state.jobs.contains(id)) all.push_back(explanation_view(state, explain(state, plan, id, state.now)));
      }
      const auto back = parse_json(to_text(all), "views", kNoByteBound);
      ASSERT_TRUE(back.ok()) << back.error().message;
    }
  }
}

}  // namespace
}  // namespace berth
