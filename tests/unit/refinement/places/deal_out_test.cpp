// SPDX-License-Identifier: MIT
#include "refinement/places/deal_out.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "procmap/types.hpp"

namespace procmap::test {
namespace {

TEST(DealOut, MovesOnlyTheExcessToTheNearestRoom) {
  std::vector<Block> block{2, 2, 2, 2, 4};

  deal_out_excess({1, 1, 1, 1, 1}, block);

  EXPECT_EQ(block, (std::vector<Block>{2, 1, 3, 0, 4}));
}

TEST(DealOut, LeavesForbiddenBlocks) {
  std::vector<Block> block{0, 0, 3, 3, 3};

  deal_out_excess({0, 3, 0, 2}, block);

  EXPECT_EQ(block, (std::vector<Block>{1, 1, 3, 3, 1}));
}

}  // namespace
}  // namespace procmap::test
