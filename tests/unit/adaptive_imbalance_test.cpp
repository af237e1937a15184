// SPDX-License-Identifier: MIT
#include "multilevel/adaptive_imbalance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/machines.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

/// Of `parts` children alike, of `num_pes` PEs alike.
Weight equal_child_capacity(Weight weight, Block parts, Block num_pes, Weight pe_capacity, int depth) {
  return child_capacity(weight, num_pes / parts * pe_capacity, num_pes * pe_capacity, depth);
}

TEST(ChildCapacity, SpreadsTheSlackEvenlyOverTheLevels) {
  // 8 PEs of 130 for a weight of 1000: room 1040, 4 % in all; 1.04^(1/3) = 1.01316 at the first of three levels.
  EXPECT_EQ(equal_child_capacity(1000, 2, 8, 130, 3), 506);
  // A child of 506 with 4 PEs: (520 / 506)^(1/2) = 1.01374
  EXPECT_EQ(equal_child_capacity(506, 2, 4, 130, 2), 256);
  // A light child may be split less evenly: (520 / 494)^(1/2) = 1.02598
  EXPECT_EQ(equal_child_capacity(494, 2, 4, 130, 2), 253);
  // 192 PEs, 3 %, outermost of 4:8:6: 1.03^(1/3) = 1.0099016, a sixth of 192000
  EXPECT_EQ(equal_child_capacity(192'000, 6, 192, 1030, 3), 32'316);
}

TEST(ChildCapacity, LeavesTheOuterLevelsMoreOfTheSlackIfAsked) {
  // 1.04^0.75 = 1.02985 instead of 1.04^(1/3); a share below the even one changes nothing.
  EXPECT_EQ(child_capacity(1000, 520, 1040, 3, 0.75), 514);
  EXPECT_EQ(child_capacity(1000, 520, 1040, 3, 0.1), 506);
  EXPECT_EQ(child_capacity(1000, 520, 1040, 3, 1), 520);
}

TEST(ChildCapacity, OfTheLastLevelIsThatOfAPe) {
  EXPECT_EQ(equal_child_capacity(100, 4, 4, 31, 1), 31);
  EXPECT_EQ(equal_child_capacity(0, 4, 4, 31, 1), 31);
  EXPECT_EQ(equal_child_capacity(1000, 4, 4, 31, 1), 31);
}

TEST(ChildCapacity, WithoutSlackIsTheAverage) {
  EXPECT_EQ(equal_child_capacity(1200, 3, 12, 100, 2), 400);
  EXPECT_EQ(equal_child_capacity(1199, 3, 12, 100, 2), 400) << "rounded up";
}

TEST(ChildCapacity, OfAnOverfullParentIsWhatThePesHold) { EXPECT_EQ(equal_child_capacity(2000, 3, 12, 100, 2), 400); }

TEST(ChildCapacity, OfAWeightlessParentIsNotNegative) {
  EXPECT_EQ(equal_child_capacity(0, 3, 12, 100, 2), 0);
  EXPECT_EQ(equal_child_capacity(0, 3, 12, 0, 2), 0);
}

TEST(ChildCapacity, LiesBetweenTheAverageChildAndWhatItsPesHold) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    auto const parts = static_cast<Block>(1 + random_below(9, seed, 0));
    auto const num_pes = parts * static_cast<Block>(1 + random_below(50, seed, 1));
    auto const pe_capacity = 1 + random_below(Weight{1} << (1 + seed % 40), seed, 2);
    auto const weight = random_below(num_pes * pe_capacity + 1, seed, 3);
    auto const depth = 1 + static_cast<int>(random_below(8, seed, 4));

    auto const capacity = equal_child_capacity(weight, parts, num_pes, pe_capacity, depth);

    EXPECT_GE(capacity * parts, weight) << "seed " << seed;
    EXPECT_LE(capacity, num_pes / parts * pe_capacity) << "seed " << seed;
  }
}

TEST(ChildCapacity, OfUnequalChildrenFollowsWhatTheyHold) {
  // Room 1040 for a weight of 1000, half of the slack at each of two levels: 1.04^(1/2) = 1.01980
  EXPECT_EQ(child_capacity(1000, 780, 1040, 2), 764);
  EXPECT_EQ(child_capacity(1000, 260, 1040, 2), 254);
  EXPECT_EQ(child_capacity(1000, 0, 1040, 2), 0) << "forbidden";
  EXPECT_EQ(child_capacity(1000, 780, 1040, 1), 780);
}

TEST(ChildCapacity, OfUnequalChildrenNeverAddsUpToLessThanTheWeight) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    std::vector<Weight> child(1 + static_cast<std::size_t>(random_below(6, seed, 0)));
    Weight room = 0;
    for (std::size_t i = 0; i < child.size(); ++i)
      room += child[i] = random_below(Weight{1} << (seed % 40), seed, 1 + i);
    auto const weight = random_below(room + 1, seed, 10);
    auto const depth = 1 + static_cast<int>(random_below(8, seed, 11));

    Weight sum = 0;
    for (Weight const c : child) {
      auto const capacity = child_capacity(weight, c, room, depth);
      EXPECT_LE(capacity, c) << "seed " << seed;
      sum += capacity;
    }

    EXPECT_GE(sum, weight) << "seed " << seed;
  }
}

/// Splits `weight` down the machine from `level` on, every time as unevenly as the capacities allow. Returns the
/// heaviest PE.
Weight heaviest_pe(Weight weight, Topology const& machine, int level, Block num_pes, Weight pe_capacity, int depth) {
  while (level >= 0 && machine.sizes()[at(level)] == 1) --level;
  if (level < 0) return weight;
  auto const parts = machine.sizes()[at(level)];
  auto const capacity = equal_child_capacity(weight, parts, num_pes, pe_capacity, depth);
  EXPECT_GE(capacity * parts, weight);
  Weight heaviest = 0;
  for (Block part = 0, left = parts; part < parts; ++part, --left) {
    auto const child = std::min(weight, capacity);
    weight -= child;
    // Equal siblings end up equal: only the first, and those that the rest of the weight leaves lighter, matter.
    if (part == 0 || child < capacity)
      heaviest = std::max(heaviest, heaviest_pe(child, machine, level - 1, num_pes / parts, pe_capacity, depth - 1));
  }
  EXPECT_EQ(weight, 0);
  return heaviest;
}

TEST(ChildCapacity, NeverEndsAboveLmaxHoweverUnevenTheSplits) {
  for (auto const& [name, machine] : all_machines())
    for (double const imbalance : {0.0, 0.001, 0.03, 0.3, 5.0})
      for (Weight const weight : {Weight{0}, Weight{1}, Weight{97}, Weight{1000}, Weight{123'457}, Weight{1} << 50}) {
        SCOPED_TRACE(name + ", imbalance " + std::to_string(imbalance) + ", weight " + std::to_string(weight));
        Block const k = machine.num_pes();
        auto const capacity = block_capacity(weight, k, imbalance);
        int depth = 0;
        for (auto const size : machine.sizes()) depth += size > 1 ? 1 : 0;

        EXPECT_LE(heaviest_pe(weight, machine, machine.num_levels() - 1, k, capacity, depth), capacity);
      }
}

}  // namespace
}  // namespace procmap::test
