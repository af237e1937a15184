// SPDX-License-Identifier: MIT
#include "core/imbalance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/machines.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

// The same integers on every machine: none of them may change.
TEST(SlackRoot, IsWhatItWasOnTheMachineThatRecordedIt) {
  Weight const three_percent = slack_one * 103 / 100;
  EXPECT_EQ(three_percent, 1'105'954'078);
  EXPECT_EQ(slack_root(three_percent, 1), 1'105'954'078);
  EXPECT_EQ(slack_root(three_percent, 2), 1'089'728'934);
  EXPECT_EQ(slack_root(three_percent, 3), 1'084'373'622);
  EXPECT_EQ(slack_root(three_percent, 8), 1'077'716'477);
  EXPECT_EQ(slack_root(2 * slack_one, 2), 1'518'500'250);
  EXPECT_EQ(slack_root(max_slack, 16), 2'147'483'648);
}

TEST(SlackPower, IsWhatItWasOnTheMachineThatRecordedIt) {
  Weight const three_percent = slack_one * 103 / 100;
  EXPECT_EQ(slack_power(three_percent, 0.85), 1'101'061'331);
  EXPECT_EQ(slack_power(three_percent, 0.5), 1'089'728'933);
  EXPECT_EQ(slack_power(2 * slack_one, 0.85), 1'935'420'630);
  EXPECT_EQ(slack_power(max_slack, 0.85), 13'332'383'859'243);
}

TEST(ChildCapacity, IsWhatItWasOnTheMachineThatRecordedIt) {
  std::vector<Weight> found;
  for (Weight const weight : {Weight{1000}, Weight{156'317}, Weight{4'194'304}, Weight{1} << 50})
    for (int const depth : {2, 3, 7})
      for (double const share : {0.0, 0.85})
        found.push_back(child_capacity(weight, weight / 5, weight + weight / 30, depth, share));

  EXPECT_EQ(found, (std::vector<Weight>{196,
                                        199,
                                        195,
                                        199,
                                        194,
                                        199,
                                        30'754,
                                        31'109,
                                        30'587,
                                        31'109,
                                        30'396,
                                        31'109,
                                        825'219,
                                        834'744,
                                        820'721,
                                        834'744,
                                        815'611,
                                        834'744,
                                        221'518'274'190'037,
                                        224'075'158'642'422,
                                        220'310'985'185'477,
                                        224'075'158'642'422,
                                        218'939'281'358'318,
                                        224'075'158'642'422}));
}

TEST(SlackRoot, IsTheLargestFactorWhosePowerFits) {
  for (Weight const ratio : {slack_one, slack_one + 1, slack_one * 103 / 100, 2 * slack_one, 7 * slack_one})
    for (int depth = 1; depth < 9; ++depth) {
      auto const root = static_cast<double>(slack_root(ratio, depth)) / slack_one;
      auto const exact = std::pow(static_cast<double>(ratio) / slack_one, 1.0 / depth);
      EXPECT_NEAR(root, exact, 4e-9 * depth) << ratio << ", depth " << depth;
    }
}

TEST(SlackPower, IsCloseToTheRealPower) {
  for (Weight const ratio : {slack_one, slack_one + 1, slack_one * 103 / 100, 2 * slack_one, 7 * slack_one, max_slack})
    for (double const share : {0.0, 0.1, 0.5, 0.85, 0.99, 1.0}) {
      auto const power = static_cast<double>(slack_power(ratio, share)) / slack_one;
      auto const exact = std::pow(static_cast<double>(ratio) / slack_one, share);
      EXPECT_NEAR(power / exact, 1, 2e-8) << ratio << ", share " << share;
    }
}

TEST(SlackRatio, IsBetweenOneAndTheMost) {
  EXPECT_EQ(slack_ratio(50, 100), slack_one);
  EXPECT_EQ(slack_ratio(150, 100), slack_one * 3 / 2);
  EXPECT_EQ(slack_ratio(Weight{1} << 62, 1), max_slack);
  EXPECT_EQ(slack_ratio(10, 0), 10 * slack_one) << "of nothing: as of one";
}

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
  for (auto const seed : each_seed(5000)) {
    auto const parts = static_cast<Block>(1 + random_below(9, seed, 0));
    auto const num_pes = parts * static_cast<Block>(1 + random_below(50, seed, 1));
    auto const pe_capacity = 1 + random_below(Weight{1} << (1 + seed % 40), seed, 2);
    auto const weight = random_below(num_pes * pe_capacity + 1, seed, 3);
    auto const depth = 1 + static_cast<int>(random_below(8, seed, 4));

    auto const capacity = equal_child_capacity(weight, parts, num_pes, pe_capacity, depth);

    EXPECT_GE(capacity * parts, weight);
    EXPECT_LE(capacity, num_pes / parts * pe_capacity);
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
  for (auto const seed : each_seed(5000)) {
    std::vector<Weight> child(1 + static_cast<std::size_t>(random_below(6, seed, 0)));
    Weight room = 0;
    for (std::size_t i = 0; i < child.size(); ++i)
      room += child[i] = random_below(Weight{1} << (seed % 40), seed, 1 + i);
    auto const weight = random_below(room + 1, seed, 10);
    auto const depth = 1 + static_cast<int>(random_below(8, seed, 11));

    Weight sum = 0;
    for (Weight const c : child) {
      auto const capacity = child_capacity(weight, c, room, depth);
      EXPECT_LE(capacity, c);
      sum += capacity;
    }

    EXPECT_GE(sum, weight);
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

TEST(MuchSlack, IsAnEighthOfTheWeight) {
  BlockTargets const targets{1, 2, {46, 46}, {40, 40}};
  EXPECT_TRUE(has_much_slack(targets, 80));
  EXPECT_FALSE(has_much_slack(targets, 81));
}

TEST(MuchSlack, IsThatOfTheFinestLevel) { EXPECT_FALSE(has_much_slack({1, 2, {60, 60}, {40, 40}, {42, 42}}, 80)); }

TEST(MuchSlack, IsNoneThatComesFromRoundingUp) {
  EXPECT_FALSE(has_much_slack({1, 2, {6, 6}, {4, 4}, {}, {}, 2}, 8));
  EXPECT_TRUE(has_much_slack({1, 2, {7, 7}, {4, 4}, {}, {}, 2}, 8));
}

TEST(MuchSlack, DoesNotOverflow) {
  constexpr auto most = std::numeric_limits<Weight>::max();
  EXPECT_TRUE(has_much_slack({1, 2, {most, most}, {most / 2, most / 2}}, most));
}

}  // namespace
}  // namespace procmap::test
