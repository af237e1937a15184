// SPDX-License-Identifier: MIT
#include "multilevel/targets.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/mapping_task.hpp"

namespace procmap::test {
namespace {

TEST(SplitTargets, GiveEveryChildTheCapacityAndShareOfItsParent) {
  auto const targets = split_targets({120, 60, 0}, 3, PeCapacities(18, 22), {2, 0});

  EXPECT_EQ(targets.num_scopes, 3);
  EXPECT_EQ(targets.parts, 3);
  EXPECT_EQ(targets.num_blocks(), 9);
  EXPECT_EQ(targets.pes_per_block, 2);
  // sqrt(6 * 22 / 120) = 1.0488; sqrt(6 * 22 / 60) = 1.4832
  EXPECT_EQ(targets.capacity, (std::vector<Weight>{41, 41, 41, 29, 29, 29, 1, 1, 1})) << "only 0 forbids";
  EXPECT_EQ(targets.share, (std::vector<Weight>{40, 40, 40, 20, 20, 20, 0, 0, 0}));
}

TEST(SplitTargets, OfTheLastLevelGiveEveryPeItsOwnCapacity) {
  auto const targets = split_targets({120, 60}, 4, PeCapacities(8, 31), {1, 0});

  EXPECT_EQ(targets.capacity, std::vector<Weight>(8, 31));
}

TEST(SplitTargets, HaveRoomForWhatIsFixed) {
  std::vector<Weight> const capacity{50, 50, 50, 50}, fixed_load{45, 0, 0, 0};

  auto const targets = split_targets({50}, 2, PeCapacities(capacity, fixed_load), {2, 0});

  EXPECT_GE(targets.capacity[0], 45);
}

TEST(MachineTargets, AreTheCapacitiesOfThePesAndTheirPartOfTheWeight) {
  MappingJob const job(path(100), Topology::flat(4), "default", 0.2, 1);

  auto const targets = machine_targets(job.task());

  EXPECT_EQ(targets.capacity, std::vector<Weight>(4, 30));
  EXPECT_EQ(targets.share, std::vector<Weight>(4, 25));
}

TEST(TargetsOfLevel, LeaveTheFinestLevelAsItIs) {
  BlockTargets const targets{1, 2, {10, 10}, {10, 10}};
  EXPECT_EQ(targets_of_level(targets, 0, 5).capacity, targets.capacity);
}

TEST(TargetsOfLevel, HaveRoomForAnAverageVertexBesideTheShare) {
  BlockTargets const targets{2, 2, {10, 13, 0, 40}, {10, 10, 0, 20}};
  auto const coarse = targets_of_level(targets, 1, 8);
  EXPECT_EQ(coarse.capacity, (std::vector<Weight>{15, 15, 0, 40})) << "average 5; nothing in a forbidden block";
  EXPECT_EQ(coarse.share, targets.share);
  EXPECT_EQ(coarse.finest_capacity, targets.capacity);
  EXPECT_EQ(targets_of_level(targets, 2, 40).capacity, (std::vector<Weight>{11, 13, 0, 40}));
}

TEST(TargetsOfLevel, KeepLimitsOfSeveralWeights) {
  BlockTargets targets{1, 2, {10, 10}, {10, 10}};
  targets.limits = {5, 5, 5, 5};
  EXPECT_EQ(targets_of_level(targets, 3, 4).capacity, targets.capacity);
  EXPECT_EQ(targets_of_level(targets, 3, 4).limits, targets.limits);
}

TEST(LargestCoarseVertex, FitsIntoAnAverageChildOfEveryScope) {
  BlockTargets targets{2, 3, {30, 30, 30, 0, 40, 10}, {}};

  EXPECT_EQ(largest_coarse_vertex(targets), 25) << "children that hold nothing do not count";
  targets.capacity = {0, 0, 0, 7, 7, 7};
  EXPECT_EQ(largest_coarse_vertex(targets), 7);
}

TEST(AllFit, LooksAtEveryPe) {
  PeCapacities const pes(3, 10);

  EXPECT_TRUE(all_fit({10, 0, 10}, pes));
  EXPECT_FALSE(all_fit({10, 11, 0}, pes));
}

}  // namespace
}  // namespace procmap::test
