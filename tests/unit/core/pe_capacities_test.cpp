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

TEST(PeCapacities, OfAtMostSoMuchKeepWhatFitsOfFixedLoads) {
  auto const pes = PeCapacities(std::vector<Weight>{5, 5, 5}, std::vector<Weight>{2, 9, 0}).at_most(4);
  EXPECT_EQ(pes.room(0, 3), 12);
  EXPECT_EQ(pes.fixed_load(0, 3), 2 + 4);
}

}  // namespace
}  // namespace procmap::test
