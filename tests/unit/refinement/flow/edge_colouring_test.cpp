// SPDX-License-Identifier: MIT
#include "refinement/flow/edge_colouring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

/// The edges of a quotient graph as pairs, with borders of random length.
std::vector<BlockPair> pairs_of(Graph const& quotient, std::uint64_t seed) {
  auto const csr = to_csr(quotient);
  std::vector<BlockPair> pairs;
  for (Block a = 0; a < csr.num_vertices(); ++a)
    for (auto e = csr.offsets[static_cast<std::size_t>(a)]; e < csr.offsets[static_cast<std::size_t>(a) + 1]; ++e)
      if (Block const b = csr.heads[static_cast<std::size_t>(e)]; a < b)
        pairs.push_back({a, b, 0, random_below(9, seed, static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b))});
  return pairs;
}

std::set<std::pair<Block, Block>> names_of(std::vector<BlockPair> const& pairs) {
  std::set<std::pair<Block, Block>> names;
  for (auto const& pair : pairs) names.insert({pair.a, pair.b});
  return names;
}

template <class F>
void for_each_quotient(F f) {
  for (auto const seed : each_seed(10))
    for (auto const& [name, graph] : all_shapes(seed))
      f(pairs_of(graph, seed), name + ", seed " + std::to_string(seed));
}

TEST(EdgeColouring, NoBlockOccursTwiceInAClass) {
  for_each_quotient([](std::vector<BlockPair> pairs, std::string const& where) {
    auto const begin = colour_pairs(pairs);

    for (std::size_t colour = 0; colour + 1 < begin.size(); ++colour) {
      std::set<Block> blocks;
      for (auto i = begin[colour]; i < begin[colour + 1]; ++i)
        EXPECT_TRUE(blocks.insert(pairs[i].a).second && blocks.insert(pairs[i].b).second) << where;
    }
  });
}

TEST(EdgeColouring, EveryPairIsInOneClass) {
  for_each_quotient([](std::vector<BlockPair> pairs, std::string const& where) {
    auto const before = names_of(pairs);
    auto const count = pairs.size();

    auto const begin = colour_pairs(pairs);

    EXPECT_EQ(names_of(pairs), before) << where;
    EXPECT_EQ(pairs.size(), count) << where;
    EXPECT_EQ(begin.front(), 0u) << where;
    EXPECT_EQ(begin.back(), count) << where;
    EXPECT_TRUE(std::is_sorted(begin.begin(), begin.end())) << where;
  });
}

TEST(EdgeColouring, ClassesAreFewerThanTwiceTheMostPartnersOfABlock) {
  for_each_quotient([](std::vector<BlockPair> pairs, std::string const& where) {
    std::map<Block, std::size_t> partners;
    std::size_t most = 0;
    for (auto const& pair : pairs) most = std::max({most, ++partners[pair.a], ++partners[pair.b]});

    auto const begin = colour_pairs(pairs);

    EXPECT_LE(begin.size() - 1, most == 0 ? 0 : 2 * most - 1) << where;
  });
}

TEST(EdgeColouring, DoesNotDependOnTheOrderInWhichPairsCome) {
  for_each_quotient([](std::vector<BlockPair> pairs, std::string const& where) {
    auto backwards = pairs;
    std::reverse(backwards.begin(), backwards.end());

    auto const begin = colour_pairs(pairs);

    EXPECT_EQ(colour_pairs(backwards), begin) << where;
    for (std::size_t i = 0; i < pairs.size(); ++i)
      EXPECT_TRUE(pairs[i].a == backwards[i].a && pairs[i].b == backwards[i].b) << where << ", place " << i;
  });
}

TEST(EdgeColouring, AStarNeedsAClassPerLeaf) {
  auto pairs = pairs_of(star(200), 1);

  EXPECT_EQ(colour_pairs(pairs).size(), 200u);
}

}  // namespace
}  // namespace procmap::test
