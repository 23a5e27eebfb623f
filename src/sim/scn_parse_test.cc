#include <gtest/gtest.h>

#include "sim/scenario.h"

namespace berth {
namespace {

using namespace scn;

Scenario read(const std::string& text) {
  auto scenario = parse_scenario(text, "story.scn");
  EXPECT_TRUE(scenario.ok()) << (scenario.ok() ? "" : scenario.error().message);
  return scenario.ok() ? *scenario : Scenario{};
}

Error refused(const std::string& text) {
  const auto scenario = parse_scenario(text, "story.scn");
  EXPECT_FALSE(scenario.ok()) << text;
  return scenario.ok() ? Error{} : scenario.error();
}

const Submit& submit(const Scenario& scenario, std::size_t step = 0) {
  return std::get<Submit>(scenario.steps.at(step).action);
}

TEST(ScnParse, ReadsTheExampleOfTheDesign) {
  const auto scenario = read(R"(# a small job may run ahead
node n0..n3 gpus=8
at 0s   submit wide  gang=3x8 for=60m queue=a
at 11m  submit late  gang=1x8 for=90m queue=a
expect 1s  hold whole reserved_at=60m
expect 2s  run brief on n3
expect 11m hold late reason=would_delay_reservation
)");
  ASSERT_EQ(scenario.nodes.size(), 4u);
  EXPECT_EQ(scenario.nodes[3].name, "n3");
  EXPECT_EQ(scenario.nodes[3].gpus.size(), 8u);
  ASSERT_EQ(scenario.queues.size(), 1u);
  EXPECT_EQ(scenario.queues[0].name, "a");
  EXPECT_EQ(submit(scenario).spec.groups.at(0).count, 3);
  EXPECT_EQ(submit(scenario).spec.groups.at(0).gpus.count, 8);
  EXPECT_EQ(submit(scenario).spec.time_limit, minutes(60));
  EXPECT_EQ(submit(scenario).behaviour.runs, std::vector{minutes(60)});
  ASSERT_EQ(scenario.expectations.size(), 3u);
  const auto& hold = std::get<ExpectJob>(scenario.expectations[0].expected);
  EXPECT_EQ(hold.fields.at(0), (std::pair<std::string, std::string>{"reserved_at", "1h"}));
  EXPECT_EQ(std::get<ExpectJob>(scenario.expectations[1].expected).on, std::vector<std::string>{"n3"});
  EXPECT_EQ(std::get<ExpectJob>(scenario.expectations[2].expected).fields.at(0).second, "reserved_room");
}

TEST(ScnParse, SortsByTimeAndKeepsTheOrderOfLines) {
  const auto scenario = read("at 5m submit late\nat 0s submit a\nat 0s submit b\n");
  EXPECT_EQ(submit(scenario, 0).name, "a");
  EXPECT_EQ(submit(scenario, 1).name, "b");
  EXPECT_EQ(submit(scenario, 2).name, "late");
}

TEST(ScnParse, ReadsSharesAndGroups) {
  const auto scenario = read(
      "at 0s submit a gpus=0.5\nat 0s submit b gang=2x20G\nat 0s submit c group=1x8,cpus=16,mem=64G "
      "group=4x0,exclusive\n");
  EXPECT_EQ(submit(scenario, 0).spec.groups[0].gpus.milli, MilliGpu(500));
  EXPECT_EQ(submit(scenario, 1).spec.groups[0].gpus.memory, Mib(20 * 1024));
  ASSERT_EQ(submit(scenario, 2).spec.groups.size(), 2u);
  EXPECT_EQ(submit(scenario, 2).spec.groups[0].cpus, MilliCpu(16'000));
  EXPECT_TRUE(submit(scenario, 2).spec.groups[1].exclusive);
}

TEST(ScnParse, ReadsBareIds) {
  const auto scenario = read("at 0s submit a after=ok:@99\nat 0s cancel @44\n");
  EXPECT_EQ(submit(scenario).after.at(0).job.id, 99);
  EXPECT_EQ(std::get<OnJob>(scenario.steps.at(1).action).job.id, 44);
}

TEST(ScnParse, RetryRulesAloneMeanNothingElseIsTriedAgain) {
  const auto scenario = read("at 0s submit a retries=3 retry_on=1,10-20\n");
  const auto& rules = submit(scenario).spec.retry.rules;
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules[1].last_exit, 20);
  EXPECT_EQ(rules[2].action, RetryAction::fail);
}

struct Wrong {
  const char* text;
  const char* message;
  const char* hint;
};

class ScnParseErrors : public testing::TestWithParam<Wrong> {};

TEST_P(ScnParseErrors, NameThePlaceTheValueAndWhatIsRight) {
  const auto error = refused(GetParam().text);
  EXPECT_NE(error.message.find(GetParam().message), std::string::npos) << error.message;
  EXPECT_NE(error.hint.find(GetParam().hint), std::string::npos) << error.hint;
}

INSTANTIATE_TEST_SUITE_P(
    All, ScnParseErrors,
    testing::Values(Wrong{"nodes n0", "story.scn:1:1: \"nodes\" is no directive", "node, queue, policy"},
                    Wrong{"\nnode n0 gpu=8", "story.scn:2:9: \"gpu=8\" is not known here", "gpus="},
                    Wrong{"node n0 gpus=many", "story.scn:1:14: gpus=many is not understood", "from 0 to 64"},
                    Wrong{"node n5..n2", "names no nodes", "n0..n3"},
                    Wrong{"node n0\nnode n0", "node n0 is there already", "another name"},
                    Wrong{"at noon submit a", "story.scn:1:4: \"noon\" is not a time", "2h30m"},
                    Wrong{"at 0s", "story.scn:1:6: what happens is missing", "say it here"},
                    Wrong{"at 0s explode n0", "\"explode\" cannot happen", "submit"},
                    Wrong{"at 0s submit a\nat 1s submit a", "story.scn:2:14: job a is submitted twice", "another name"},
                    Wrong{"at 0s submit a for=60", "for=60 is not understood", "60m"},
                    Wrong{"at 0s submit a gpus=1.5", "gpus=1.5 is not understood", "0.5 for a share"},
                    Wrong{"at 0s submit a gpus=1 gpus=2", "gpus= is given twice", "once"},
                    Wrong{"at 0s submit a after=b", "\"b\" is no dependency", "ok:job"},
                    Wrong{"at 0s submit a array=3-1", "array=3-1 is not understood", "0-9%2"},
                    Wrong{"at 0s submit a reason=\"x", "quotation mark is not closed", "\""},
                    Wrong{"expect 0s hold a reason=tired", "reason=tired is not understood", "capacity"},
                    Wrong{"expect 0s dance a", "\"dance\" cannot be expected", "run, hold"},
                    Wrong{"expect 0s pending some", "\"some\" is no count", "how many"},
                    Wrong{"at 0s submit a refused=maybe", "\"maybe\" is no error code", "infeasible"}));

}  // namespace
}  // namespace berth
