// SPDX-License-Identifier: MIT
#include "refinement/chains/chain_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

constexpr Weight closed = MoveArcs::closed;

/// Arcs between random blocks; every seventh is closed.
MoveArcs random_arcs(Block k, std::uint64_t seed, Weight least, Weight most) {
  MoveArcs arcs;
  for (std::uint64_t a = 0; a < 4 * static_cast<std::uint64_t>(k); ++a) {
    auto const from = static_cast<Block>(random_below(k, seed, a, 0));
    auto const to = static_cast<Block>(random_below(k, seed, a, 1));
    if (from == to) continue;
    arcs.from.push_back(from);
    arcs.to.push_back(to);
    arcs.cost.push_back(a % 7 == 0 ? closed : least + random_below(most - least + 1, seed, a, 2));
  }
  return arcs;
}

/// The least cost from a source to every block, by relaxing until nothing changes.
std::vector<Weight> least_costs(MoveArcs const& arcs, std::vector<Block> const& sources, Block k) {
  std::vector<Weight> cost(static_cast<std::size_t>(k), closed);
  for (Block const b : sources) cost[static_cast<std::size_t>(b)] = 0;
  for (Block round = 0; round < k; ++round)
    for (std::size_t a = 0; a < arcs.count(); ++a) {
      Weight const before = cost[static_cast<std::size_t>(arcs.from[a])];
      auto& to = cost[static_cast<std::size_t>(arcs.to[a])];
      if (before != closed && arcs.cost[a] != closed) to = std::min(to, before + std::max<Weight>(arcs.cost[a], 0));
    }
  return cost;
}

Weight cost_of(MoveArcs const& arcs, Chain const& chain) {
  Weight sum = 0;
  for (auto const a : chain) sum += arcs.cost[a];
  return sum;
}

/// Does every arc begin where the one before ends?
bool is_connected(MoveArcs const& arcs, Chain const& chain) {
  for (std::size_t i = 1; i < chain.size(); ++i)
    if (arcs.from[chain[i]] != arcs.to[chain[i - 1]]) return false;
  return true;
}

TEST(ChainSearch, FindsTheCheapestChains) {
  constexpr Block k = 20;
  for (auto const seed : each_seed(20)) {
    auto const arcs = random_arcs(k, seed, 0, 100);
    std::vector<Block> const sources{3, 8};
    ChainSearch search(k);
    search.search_from(arcs, sources);
    auto const expected = least_costs(arcs, sources, k);
    for (Block b = 0; b < k; ++b) {
      Weight const cost = expected[static_cast<std::size_t>(b)];
      ASSERT_EQ(search.reaches(b), cost != closed) << "seed " << seed << ", block " << b;
      if (cost == closed) continue;
      auto const chain = search.chain_to(arcs, b);
      EXPECT_EQ(search.cost_to(b), cost);
      EXPECT_EQ(cost_of(arcs, chain), cost);
      EXPECT_TRUE(is_connected(arcs, chain));
      EXPECT_TRUE(chain.empty() || arcs.to[chain.back()] == b);
    }
  }
}

TEST(ChainSearch, EndsThoughArcsThatLowerJGoRound) {
  MoveArcs const arcs{{0, 1, 2, 2}, {1, 2, 0, 3}, {-5, -5, -5, 7}};
  ChainSearch search(4);
  search.search_from(arcs, {0});
  EXPECT_EQ(search.chain_to(arcs, 3), (Chain{0, 1, 3}));
  EXPECT_EQ(search.cost_to(3), 7);
}

TEST(ChainSearch, FindsClosedChainsThatLowerJ) {
  MoveArcs const arcs{{0, 1, 2, 2, 3}, {1, 2, 0, 3, 2}, {-5, 2, 2, 9, -8}};
  ChainSearch search(4);
  auto const chains = search.closed_chains(arcs);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].size(), 3U);
  EXPECT_TRUE(is_connected(arcs, chains[0]));
  EXPECT_LT(cost_of(arcs, chains[0]), 0);
}

TEST(ChainSearch, FindsNoClosedChainWhereNoneLowersJ) {
  MoveArcs const arcs{{0, 1, 1, 0}, {1, 0, 2, 2}, {-5, 5, -9, closed}};
  EXPECT_TRUE(ChainSearch(3).closed_chains(arcs).empty());
  EXPECT_TRUE(ChainSearch(3).closed_chains({}).empty());
}

TEST(ChainSearch, ClosedChainsShareNoBlockAndLowerJ) {
  constexpr Block k = 30;
  int found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {  // of which some have one
    auto const arcs = random_arcs(k, seed, -10, 100);
    std::vector<bool> used(k, false);
    for (auto const& chain : ChainSearch(k).closed_chains(arcs)) {
      ++found;
      EXPECT_LT(cost_of(arcs, chain), 0) << seed;
      EXPECT_TRUE(is_connected(arcs, chain));
      EXPECT_EQ(arcs.to[chain.back()], arcs.from[chain.front()]);
      for (auto const a : chain) {
        EXPECT_FALSE(used[static_cast<std::size_t>(arcs.to[a])]);
        used[static_cast<std::size_t>(arcs.to[a])] = true;
      }
    }
  }
  EXPECT_GT(found, 0);
}

TEST(ChainSearch, SumsStayWithin64Bits) {
  constexpr Block k = 2000;
  MoveArcs dear, cheap;
  for (Block b = 0; b + 1 < k; ++b) {
    for (auto* arcs : {&dear, &cheap}) {
      arcs->from.push_back(b);
      arcs->to.push_back(b + 1);
    }
    dear.cost.push_back(MoveArcs::most);
    cheap.cost.push_back(-MoveArcs::most);
  }
  ChainSearch search(k);
  search.search_from(dear, {0});
  EXPECT_TRUE(search.reaches(k - 1));
  EXPECT_GT(search.cost_to(k - 1), 0);
  EXPECT_TRUE(search.closed_chains(cheap).empty());
}

}  // namespace
}  // namespace procmap::test
