// SPDX-License-Identifier: MIT
#include "initial/pack_components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

/// Components of these weights, and other vertices behind them.
SmallComponents components(std::vector<Weight> weights, std::vector<Weight> const& others = {}) {
  SmallComponents small;
  small.count = static_cast<Vertex>(weights.size());
  weights.insert(weights.end(), others.begin(), others.end());
  small.graph.offsets.assign(weights.size() + 1, 0);
  small.graph.vertex_weights = std::move(weights);
  return small;
}

/// What every block holds.
std::vector<Weight> loads(SmallComponents const& small, std::vector<Block> const& block, std::size_t num_blocks) {
  std::vector<Weight> load(num_blocks, 0);
  for (std::size_t v = 0; v < block.size(); ++v)
    load[static_cast<std::size_t>(block[v])] += small.graph.vertex_weights[v];
  return load;
}

std::vector<Weight> packed(SmallComponents const& small, std::vector<Weight> const& capacity, PackingOrder order = {},
                           std::vector<Block> block = {}) {
  block.insert(block.begin(), static_cast<std::size_t>(small.count), no_block);
  bool const fits = pack_components(small, capacity, order, block).empty();
  auto load = loads(small, block, capacity.size());
  bool all_below = true;
  for (std::size_t b = 0; b < load.size(); ++b) all_below = all_below && load[b] <= capacity[b];
  EXPECT_EQ(fits, all_below);
  std::ranges::sort(load);
  return load;
}

TEST(PackComponents, FillsBlocksAlikeWhereNoneIsOverloaded) {
  EXPECT_EQ(packed(components({1, 2, 3, 4, 5, 6}), {12, 12, 12}), (std::vector<Weight>{7, 7, 7}));
}

// The block with most room: 5 + 3, 4 + 3, and no room for the last one. Best fit: 5 + 4, 3 + 3 + 3.
TEST(PackComponents, FillsGapsWhereBlocksWouldBeOverloaded) {
  EXPECT_EQ(packed(components({3, 3, 3, 4, 5}), {9, 9}), (std::vector<Weight>{9, 9}));
}

TEST(PackComponents, KnowsWhatOtherVerticesTake) {
  EXPECT_EQ(packed(components({4, 4}, {5, 1}), {9, 9}, {}, {0, 1}), (std::vector<Weight>{5, 9}));
}

TEST(PackComponents, LeavesBlocksWithoutCapacityEmpty) {
  EXPECT_EQ(packed(components({4, 4, 4}), {0, 5, 0}), (std::vector<Weight>{0, 0, 12}));
}

TEST(PackComponents, OverloadsAsLittleAsTheHeaviestComponent) {
  for (auto const seed : each_seed(3))
    for (double const disorder : {0.0, 0.25}) {
      std::vector<Weight> weights;
      for (std::uint64_t i = 0; i < 200; ++i) weights.push_back(1 + random_below(64, seed, i));
      Weight const total = std::accumulate(weights.begin(), weights.end(), Weight{0});
      constexpr Weight blocks = 16;
      std::vector<Weight> const capacity(blocks, (total + blocks - 1) / blocks);

      auto const load = packed(components(weights), capacity, {disorder, seed});

      EXPECT_EQ(std::accumulate(load.begin(), load.end(), Weight{0}), total);
      EXPECT_LT(load.back(), capacity.front() + 64);
    }
}

// 6 fills the first block, then 5 does not fit into the second one, and 2 into none.
TEST(PackComponents, NamesThoseThatDoNotFit) {
  std::vector<Block> block(3);
  EXPECT_EQ(pack_components(components({5, 2, 6}), std::vector<Weight>{6, 4}, {}, block), (std::vector<Vertex>{0, 1}));
  EXPECT_EQ(block, (std::vector<Block>{1, 0, 0}));
}

TEST(PackComponents, SpreadsThoseThatWeighNothing) {
  auto const small = components({0, 0, 0, 0, 0, 0});
  std::vector<Block> block(6);
  EXPECT_TRUE(pack_components(small, std::vector<Weight>{1, 1, 1}, {}, block).empty());
  for (Block b = 0; b < 3; ++b) EXPECT_EQ(std::ranges::count(block, b), 2) << b;
}

TEST(PackComponents, WithHugeWeightsDoesNotOverflow) {
  constexpr Weight huge = Weight{1} << 61;
  EXPECT_EQ(packed(components({huge, huge, huge}), {huge, huge, huge}), (std::vector<Weight>{huge, huge, huge}));
}

}  // namespace
}  // namespace procmap::test
