// SPDX-License-Identifier: MIT
#include "core/pe_capacities.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace procmap::test {
namespace {

TEST(PeCapacities, OfAtMostOneAreThoseOfRanks) {
  auto const alike = PeCapacities(4, 3).at_most(1);
  EXPECT_TRUE(alike.alike());
  EXPECT_EQ(alike.room(0, 4), 4);

  auto const others = PeCapacities(std::vector<Weight>{3, 0, 1, 7}, std::vector<Weight>{}).at_most(1);
  EXPECT_EQ(others.room(0, 4), 3);
  EXPECT_EQ(others.usable(0, 4), 3);
  EXPECT_TRUE(others.forbidden(1));
}

TEST(PeCapacities, DifferMuchIfOneHoldsMoreThanTwiceTheAverage) {
  auto const differ = [](std::vector<Weight> const& each) { return PeCapacities(each, {}).differ_much(); };
  EXPECT_FALSE(PeCapacities(4, 3).differ_much());
  EXPECT_FALSE(differ({4, 1, 1, 2})) << "twice the average";
  EXPECT_TRUE(differ({6, 1, 1, 2}));
  EXPECT_FALSE(differ({6, 0, 0, 2})) << "forbidden ones do not count";
  EXPECT_FALSE(differ({0, 0}));
}

TEST(PeCapacities, AreAlikeButForForbiddenOnes) {
  auto const alike = [](std::vector<Weight> const& each) { return PeCapacities(each, {}).usable_alike(); };
  EXPECT_TRUE(PeCapacities(4, 3).usable_alike());
  EXPECT_TRUE(alike({3, 3, 3}));
  EXPECT_TRUE(alike({0, 3, 0, 3}));
  EXPECT_TRUE(alike({0, 0}));
  EXPECT_FALSE(alike({3, 2}));
  EXPECT_FALSE(alike({0, 2, 3, 0}));
}

TEST(PeCapacities, OfAtMostSoMuchKeepWhatFitsOfFixedLoads) {
  auto const pes = PeCapacities(std::vector<Weight>{5, 5, 5}, std::vector<Weight>{2, 9, 0}).at_most(4);
  EXPECT_EQ(pes.room(0, 3), 12);
  EXPECT_EQ(pes.fixed_load(0, 3), 2 + 4);
}

TEST(PeCapacities, PlacesWithoutAPeAreForbidden) {
  std::vector<Block> const pe_of_place{1, no_block, 0};
  for (Weight const each : {Weight{5}, Weight{0}}) {  // 0: no load at all
    auto const places = PeCapacities(2, each).reordered(pe_of_place);
    EXPECT_EQ(places.num_pes(), 3);
    EXPECT_FALSE(places.forbidden(0));
    EXPECT_TRUE(places.forbidden(1));
    EXPECT_FALSE(places.forbidden(2));
  }
  auto const others = PeCapacities(std::vector<Weight>{5, 0}, std::vector<Weight>{2, 0}).reordered(pe_of_place);
  EXPECT_TRUE(others.forbidden(0));
  EXPECT_EQ(others.of(2), 5);
  EXPECT_EQ(others.fixed_load(2, 1), 2);
}

}  // namespace
}  // namespace procmap::test
