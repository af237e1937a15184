// SPDX-License-Identifier: MIT
#include "refinement/flow/pair_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "support/traced.hpp"

namespace procmap::test {
namespace {

/// Pairs in the order of their blocks, with borders of random lengths: most short, some of thousands of entries.
std::vector<BlockPair> pairs_of_all_lengths(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<BlockPair> pairs;
  for (Block a = 0; a < 30; ++a)
    for (Block b = a + 1; b < 30; ++b) {
      auto const longest = std::uint64_t{1} << random() % 15;
      if (random() % 3 == 0) pairs.push_back({a, b, Edge{a}, Edge{a} + static_cast<Edge>(random() % longest)});
    }
  return pairs;
}

std::vector<std::pair<Block, Block>> blocks_of(std::vector<BlockPair> const& pairs) {
  std::vector<std::pair<Block, Block>> blocks;
  for (auto const& pair : pairs) blocks.emplace_back(pair.a, pair.b);
  return blocks;
}

TEST(PairOrder, PutsTheLongestBordersFirstAndOfEqualOnesTheFirstBlocks) {
  for (auto const seed : each_seed(20)) {
    auto pairs = pairs_of_all_lengths(seed);
    auto shuffled = pairs;
    std::ranges::shuffle(shuffled, std::mt19937_64(seed + 1));
    auto expected = pairs;
    std::ranges::sort(expected, longer_border);

    put_longest_first(pairs);
    put_longest_first(shuffled);

    EXPECT_EQ(blocks_of(pairs), blocks_of(expected));
    EXPECT_EQ(blocks_of(shuffled), blocks_of(expected));
    put_longest_first(pairs);
    EXPECT_EQ(blocks_of(pairs), blocks_of(expected)) << "in order already";
  }
}

TEST(PairOrder, OfNoPairIsNone) {
  std::vector<BlockPair> none;

  put_longest_first(none);

  EXPECT_TRUE(none.empty());
  EXPECT_EQ(end_of_blocks(none), 0);
}

TEST(EndOfBlocks, IsAboveAllBlocks) { EXPECT_EQ(end_of_blocks({{0, 7}, {3, 5}}), 8); }

}  // namespace
}  // namespace procmap::test
