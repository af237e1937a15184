// SPDX-License-Identifier: MIT
#include "multilevel/split_steps.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace procmap::test {
namespace {

bool is_even(std::string const& sizes, std::string const& distances) {
  return procmap::is_even(Topology::hierarchy(sizes, distances));
}

TEST(EvenMachine, IsOneWhoseInnermostLevelMakesAnEighthOfTheCost) {
  EXPECT_FALSE(is_even("4:8:6", "1:10:100"));
  EXPECT_FALSE(is_even("4:8:6", "1:5:25")) << "10 %";
  EXPECT_TRUE(is_even("4:8", "1:10")) << "13 %";
  EXPECT_TRUE(is_even("4:8:6", "1:2:3"));
  EXPECT_TRUE(is_even("8:8", "1:10"));
  EXPECT_FALSE(is_even("8:8", "1:100"));
}

TEST(EvenMachine, IsEveryPartition) {
  for (Block const parts : {1, 2, 7, 64, 4096}) EXPECT_TRUE(procmap::is_even(Topology::flat(parts))) << parts;
  EXPECT_TRUE(is_even("4:8:6", "10:10:10"));
  EXPECT_TRUE(is_even("4:8", "0:0"));
}

TEST(EvenMachine, HasLevelsOfOnePartThatDoNotMatter) {
  EXPECT_TRUE(is_even("1:8:8", "1:100:300")) << "the innermost level with several parts is the second";
  EXPECT_FALSE(is_even("8:8:1", "1:100:300"));
}

TEST(EvenMachine, CostsNothingInside) { EXPECT_FALSE(is_even("4:8", "0:1")); }

TEST(SplitSteps, GoFromTheOutermostLevelInwards) {
  auto const steps = split_steps(Topology::hierarchy("4:1:6", "1:10:100"), 32);

  ASSERT_EQ(steps.size(), 2u) << "a level of size 1 is no step";
  EXPECT_EQ(steps[0].parts, 6);
  EXPECT_EQ(steps[0].level, 2);
  EXPECT_EQ(steps[0].depth, 2);
  EXPECT_EQ(steps[0].place, StepPlace::outermost);
  EXPECT_EQ(steps[1].parts, 4);
  EXPECT_EQ(steps[1].depth, 1);
  EXPECT_EQ(steps[1].place, StepPlace::innermost);
}

TEST(SplitSteps, CutLargeLevelsIntoSeveral) {
  auto const steps = split_steps(Topology::flat(512), 32);

  ASSERT_EQ(steps.size(), 2u);
  Block parts = 1;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_LE(steps[i].parts, 32);
    EXPECT_EQ(steps[i].level, 0);
    EXPECT_EQ(steps[i].inside, static_cast<int>(i));
    parts *= steps[i].parts;
  }
  EXPECT_EQ(parts, 512);
}

TEST(SplitSteps, OfASingleStepIsTheOutermost) {
  auto const steps = split_steps(Topology::flat(7), 32);

  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].place, StepPlace::outermost);
  EXPECT_TRUE(split_steps(Topology::flat(1), 32).empty());
}

TEST(SplitSteps, OfAnEvenMachineDoNotDiffer) {
  for (auto const& topology : {Topology::flat(512), Topology::hierarchy("8:8", "1:10")})
    for (auto const& step : split_steps(topology, 32)) EXPECT_EQ(step.place, StepPlace::even) << topology.describe();
}

}  // namespace
}  // namespace procmap::test
