// SPDX-License-Identifier: MIT
#include "multilevel/repack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/packing.hpp"

namespace procmap::test {
namespace {

TEST(Repack, LeavesWhatFits) {
  std::vector<Weight> const weight{3, 2, 1}, capacity{3, 3};
  std::vector<Block> block{0, 1, 1};

  EXPECT_FALSE(repack({weight, capacity, {}}, block));
  EXPECT_EQ(block, (std::vector<Block>{0, 1, 1}));
}

TEST(Repack, MovesOnlyWhatOverloads) {
  std::vector<Weight> const weight{4, 4, 2, 5}, capacity{8, 8};
  std::vector<Block> block{0, 0, 0, 1};

  EXPECT_TRUE(repack({weight, capacity, {}}, block));
  EXPECT_EQ(block, (std::vector<Block>{0, 0, 1, 1}));
}

// Nowhere is room for 5 or for 4: they have to change places with lighter ones.
TEST(Repack, DrivesLighterVerticesOut) {
  std::vector<Weight> const weight{5, 4, 3, 3, 2, 1}, capacity{9, 9};
  std::vector<Block> block{0, 0, 0, 1, 1, 1};

  EXPECT_TRUE(repack({weight, capacity, {}}, block));
  EXPECT_EQ(overload_of({weight, capacity, {}}, block), 0);
}

TEST(Repack, KeepsFixedVerticesAndForbiddenBlocks) {
  std::vector<Weight> const weight{6, 3, 3, 0}, capacity{6, 0, 6};
  std::vector<Block> const fixed{2, no_block, no_block, no_block};
  std::vector<Block> block{2, 2, 1, 1};

  EXPECT_TRUE(repack({weight, capacity, fixed}, block));
  EXPECT_EQ(block, (std::vector<Block>{2, 0, 0, 1}));
}

TEST(Repack, ChangesNothingWhereNothingHelps) {
  std::vector<Weight> const weight{7, 7, 7}, capacity{11, 11};
  std::vector<Block> block{0, 0, 1}, none{0, 0, 1};

  EXPECT_FALSE(repack({weight, capacity, {}}, block));
  EXPECT_EQ(block, none);
  std::vector<Weight> const nowhere{0, 0};
  EXPECT_FALSE(repack({weight, nowhere, {}}, block));
  EXPECT_EQ(block, none);
}

// What overloads most goes where most room is, and all else stays, as no packing can fit.
TEST(Repack, PacksNotEverythingWhereAVertexIsTooHeavy) {
  std::vector<Weight> const weight{9, 2, 2, 2, 2}, capacity{5, 5, 5};
  std::vector<Block> block{0, 0, 0, 1, 2};

  EXPECT_TRUE(repack({weight, capacity, {}}, block));
  EXPECT_EQ(block, (std::vector<Block>{2, 0, 0, 1, 2}));
}

// Two heavy vertices cannot share a block, and light ones, each too light to make room for one, are in all the others.
TEST(Repack, MovesOnlyLightVerticesThatHeavyOnesNeedTheRoomOf) {
  std::vector<Weight> weight{6, 6}, capacity{10, 10, 10, 10};
  std::vector<Block> given{0, 0};
  for (Block b = 1; b < 4; ++b)
    for (int i = 0; i < 8; ++i) {
      weight.push_back(1);
      given.push_back(b);
    }
  auto block = given;

  EXPECT_TRUE(repack({weight, capacity, {}}, block));

  int moved = 0;
  for (std::size_t v = 0; v < block.size(); ++v) moved += block[v] != given[v];
  EXPECT_EQ(overload_of({weight, capacity, {}}, block), 0);
  EXPECT_EQ(moved, 1 + 4);
}

TEST(Repack, FillsBlocksWithFewVertices) {
  for (auto const seed : each_seed(20)) {
    constexpr std::size_t blocks = 100;
    std::vector<Weight> weight;
    for (std::uint64_t i = 0; i < 3 * blocks; ++i) weight.push_back(static_cast<Weight>(random_below(50, seed, i)));
    Weight const total = std::accumulate(weight.begin(), weight.end(), Weight{0});
    std::vector<Weight> const capacity(blocks, (103 * total + 100 * Weight{blocks} - 1) / (100 * Weight{blocks}));
    std::vector<Block> block;
    for (std::size_t v = 0; v < weight.size(); ++v) block.push_back(static_cast<Block>(v / 3));

    EXPECT_TRUE(repack({weight, capacity, {}}, block));

    EXPECT_EQ(overload_of({weight, capacity, {}}, block), 0) << seed;
  }
}

}  // namespace
}  // namespace procmap::test
