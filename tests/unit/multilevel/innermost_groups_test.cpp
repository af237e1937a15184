// SPDX-License-Identifier: MIT
#include "multilevel/innermost_groups.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "support/graphs.hpp"
#include "support/placed_blocks.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

std::optional<InnermostGroups> groups_of(std::string_view sizes, std::string_view distances) {
  auto const machine = Topology::hierarchy(sizes, distances);
  return innermost_groups(machine, {machine.num_pes(), 1});
}

TEST(InnermostGroups, AreThePesOfTheLevelsAbove) {
  auto const groups = groups_of("16:8:6", "1:10:100").value();
  EXPECT_EQ(groups.size, 16);
  EXPECT_EQ(groups.hierarchy, Topology::hierarchy("8:6", "9:99"));
  EXPECT_EQ(groups.capacities.num_pes(), 48);
  EXPECT_EQ(groups.capacities.of(7), 16);
}

TEST(InnermostGroups, SpanLevelsThatAddNoDistance) {
  auto const groups = groups_of("1:4:1:8:3:2", "1:5:5:5:7:9").value();
  EXPECT_EQ(groups.size, 32);
  EXPECT_EQ(groups.hierarchy, Topology::hierarchy("3:2", "2:4"));
}

TEST(InnermostGroups, AreLeftAloneWhereTheyAreSmallOrTheWholeMachine) {
  EXPECT_FALSE(groups_of("8:8:6", "1:10:100"));
  EXPECT_FALSE(groups_of("64", "1"));
  EXPECT_FALSE(groups_of("1:8:8:1", "1:2:2:9"));
  EXPECT_FALSE(groups_of("1:1", "1:2"));
}

TEST(InnermostGroups, HoldWhatTheirPesHold) {
  std::vector<Weight> capacity(48, 1);
  capacity[0] = capacity[17] = capacity[18] = 0;
  PeCapacities const pes(capacity, {});
  auto const groups = innermost_groups(Topology::hierarchy("16:3", "1:10"), pes).value();
  EXPECT_EQ(groups.capacities.of(0), 15);
  EXPECT_EQ(groups.capacities.of(1), 14);
  EXPECT_EQ(groups.capacities.of(2), 16);

  std::vector<Block> place{1, 0, 1, 0, 2};
  place_within_groups(groups.size, pes, place);
  EXPECT_EQ(place, (std::vector<Block>{16, 1, 19, 2, 32}));

  std::vector<Block> too_many(16, 0);
  place_within_groups(groups.size, pes, too_many);
  EXPECT_EQ(too_many[14], 15);
  EXPECT_EQ(too_many[15], 15) << "has no PE of its own";
}

TEST(InnermostGroups, CostWhatTheirPesCostLessAConstant) {
  auto const machine = Topology::hierarchy("4:4:3:2", "3:3:10:100");
  auto const groups = innermost_groups(machine, {96, 1}).value();
  auto const csr = to_csr(random_traffic(96, 1));
  Weight within = 0;
  for_each_arc(csr, [&](Vertex, Vertex, Weight weight) { within += 3 * weight; });
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    auto place = shuffled(96, seed);
    for (Block& p : place) p /= groups.size;
    Weight const cost = cost_of(csr, groups.hierarchy, place);
    place_within_groups(groups.size, {96, 1}, place);
    EXPECT_TRUE(is_permutation_of_places(place));
    EXPECT_EQ(cost_of(csr, machine, place), cost + within) << seed;
  }
}

}  // namespace
}  // namespace procmap::test
