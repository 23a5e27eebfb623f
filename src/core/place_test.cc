#include "core/place.h"

#include <gtest/gtest.h>

#include "core/decide.h"
#include "core/feasible.h"

namespace berth {
namespace {

constexpr Window kNow{Time(0), Time(1)};

ClusterState fleet(std::initializer_list<int> gpus_per_node, std::int64_t cores = 64) {
  ClusterState state;
  for (const int gpus : gpus_per_node) {
    const NodeId id(static_cast<std::int32_t>(state.nodes.size()));
    NodeReport report;
    report.name = "n" + std::to_string(id.value());
    report.cpus = MilliCpu(cores * 1000);
    report.memory = Mib(512 * 1024);
    for (int g = 0; g < gpus; ++g) {
      Gpu gpu;
      gpu.uuid = report.name + "/" + std::to_string(g);
      gpu.type = "H100-80GB";
      gpu.memory = Mib(80'000);
      report.gpus.push_back(gpu);
    }
    apply(state, {Time(0), event::NodeSeen{id, report}});
  }
  return state;
}

ShapeGroup group(std::int32_t count, std::int32_t gpus, std::int64_t cores = 1) {
  ShapeGroup g;
  g.count = count;
  g.gpus.count = gpus;
  g.cpus = MilliCpu(cores * 1000);
  return g;
}

std::optional<Placement> try_place(const ClusterState& state, Shape shape) {
  return place(Timeline(state, Time(0)), shape, candidates(state, shape), kNow);
}

TEST(Place, TakesTheNodeWhereLeastIsLeft) {
  const auto placement = try_place(fleet({8, 2, 4}), Shape{{group(1, 2)}, {}, {}});
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->at(0).node, NodeId(1));
}

TEST(Place, AGangTakesTheFewestNodes) {
  const auto placement = try_place(fleet({2, 8, 2, 8}), Shape{{group(6, 2)}, {}, {}});
  ASSERT_TRUE(placement);
  std::set<NodeId> nodes;
  for (const TaskPlacement& t : *placement) nodes.insert(t.node);
  EXPECT_EQ(nodes.size(), 2U);
}

TEST(Place, WholeOrNotAtAll) { EXPECT_FALSE(try_place(fleet({8, 8}), Shape{{group(3, 8)}, {}, {}})); }

// Greedy by hardness puts the two-GPU task on the node that the one with many cores needs; only a search finds the way.
TEST(Place, SearchesWhereGreedyFails) {
  ClusterState state = fleet({2}, 4);
  NodeReport big;
  big.name = "n1";
  big.cpus = MilliCpu(64'000);
  big.memory = Mib(512 * 1024);
  big.gpus = state.nodes[0].gpus;
  for (Gpu& g : big.gpus) g.uuid += "b";
  apply(state, {Time(0), event::NodeSeen{NodeId(1), big}});
  Shape shape{{group(1, 2, 4), group(1, 1, 60)}, {}, {}};
  const auto placement = try_place(state, shape);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->at(0).node, NodeId(0));
  EXPECT_EQ(placement->at(1).node, NodeId(1));
}

TEST(Place, RanksFollowGroupsAndNodes) {
  const auto placement = try_place(fleet({4, 4}), Shape{{group(1, 0, 2), group(4, 2)}, {}, {}});
  ASSERT_TRUE(placement);
  for (std::size_t i = 0; i < placement->size(); ++i) EXPECT_EQ(placement->at(i).rank, static_cast<std::int32_t>(i));
  EXPECT_EQ(placement->at(0).group, 0);
  EXPECT_LE(placement->at(1).node, placement->at(4).node);
}

TEST(Place, SharesFillAnOpenedGpuFirst) {
  ShapeGroup half;
  half.gpus.milli = MilliGpu(400);
  half.count = 3;
  half.cpus = MilliCpu(1000);
  const auto placement = try_place(fleet({2}), Shape{{half}, {}, {}});
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->at(0).gpus[0].gpu, placement->at(1).gpus[0].gpu);
  EXPECT_NE(placement->at(0).gpus[0].gpu, placement->at(2).gpus[0].gpu);
}

ShapeGroup share(std::int32_t count, std::int64_t milli) {
  ShapeGroup g;
  g.count = count;
  g.gpus.milli = MilliGpu(milli);
  return g;
}

// 0.4 + 0.4 on one card would leave 0.2 of it to nobody; 0.4 + 0.3 + 0.3 on each fills both.
TEST(Place, SharesOfTwoSizesFillCardsInTheOneWayThatFits) {
  EXPECT_TRUE(try_place(fleet({2}), Shape{{share(2, 400), share(4, 300)}, {}, {}}));
  EXPECT_FALSE(try_place(fleet({2}), Shape{{share(2, 400), share(5, 300)}, {}, {}}));
}

TEST(Place, SharesFoundCardByCardKeepToTasksPerNode) {
  Shape shape{{share(2, 400), share(4, 300)}, {}, {}};
  shape.groups[1].max_per_node = 3;
  EXPECT_FALSE(try_place(fleet({2}), shape));
  EXPECT_TRUE(try_place(fleet({2, 1}), shape));
}

}  // namespace
}  // namespace berth
