// SPDX-License-Identifier: MIT
#include "refinement/places/subtree_swaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

constexpr Block all_subtrees = 1024;

std::vector<Topology> machines() {
  std::vector<Topology> machines;
  for (auto const& [sizes, distances] : std::vector<std::pair<std::string, std::string>>{
           {"2:3:2", "1:10:100"},
           {"3:4", "2:5"},
           {"1:3:1:2", "1:2:2:7"},
           {"2:1:3", "0:4:9"},
           {"1:1:6", "1:1:3"},
           {"3:2:1", "1:5:6"},
           {"2:2:2:2", "1:2:3:50"},
       })
    machines.push_back(Topology::hierarchy(sizes, distances));
  return machines;
}

std::vector<Block> improve(Graph const& graph, Topology const& topology, std::vector<Block> const& block,
                           Block max_subtrees = all_subtrees) {
  Backend backend;
  auto const on_machine = backend.put(graph);
  auto const blocks = backend.put(block);
  improve_by_subtree_swaps(backend.ex, on_machine.view(), topology, max_subtrees, blocks.data());
  return backend.get(blocks);
}

/// The mapping with the subtrees p and q of `pes` PEs each exchanged.
std::vector<Block> with_swap(std::vector<Block> block, Block p, Block q, Block pes) {
  for (auto& b : block)
    if (b / pes == p)
      b += (q - p) * pes;
    else if (b / pes == q)
      b += (p - q) * pes;
  return block;
}

/// The least J that one swap of two equal subtrees with at least `min_pes` PEs reaches.
Weight best_single_swap(Graph const& graph, Topology const& topology, std::vector<Block> const& block, Block min_pes) {
  auto best = std::numeric_limits<Weight>::max();
  auto const csr = to_csr(graph);
  Block pes = 1;
  for (Block const size : topology.sizes()) {
    for (Block p = 0; pes >= min_pes && p < topology.num_pes() / pes; ++p)
      for (Block q = p + 1; q < topology.num_pes() / pes; ++q)
        best = std::min(best, cost_of(csr, topology, with_swap(block, p, q, pes)));
    pes *= size;
  }
  return best;
}

template <class F>
void for_each_mapping(std::uint64_t num_seeds, F f) {
  for (auto const seed : each_seed(num_seeds))
    for (auto const& [name, graph] : all_shapes(seed))
      for (auto const& topology : machines())
        f(graph, topology, random_blocks(graph.num_vertices(), topology.num_pes(), seed),
          name + " on " + topology.describe() + ", seed " + std::to_string(seed));
}

TEST(SubtreeSwaps, NeverRaiseTheCost) {
  for_each_mapping(20, [](Graph const& graph, Topology const& topology, auto const& block, std::string const& where) {
    auto const csr = to_csr(graph);

    EXPECT_LE(cost_of(csr, topology, improve(graph, topology, block)), cost_of(csr, topology, block)) << where;
  });
}

TEST(SubtreeSwaps, StopOnlyWhereNoSwapOfEqualSubtreesHelps) {
  for_each_mapping(2, [](Graph const& graph, Topology const& topology, auto const& block, std::string const& where) {
    auto const improved = improve(graph, topology, block);

    EXPECT_GE(best_single_swap(graph, topology, improved, 1), cost_of(to_csr(graph), topology, improved)) << where;
  });
}

// A whole block of threads of a GPU adds up what such a hub exchanges.
TEST(SubtreeSwaps, OfALargeHubStopOnlyWhereNoneHelps) {
  auto const graph = star(2000);
  for (auto const seed : each_seed(2))
    for (auto const& topology : machines()) {
      auto const block = random_blocks(graph.num_vertices(), topology.num_pes(), seed);

      auto const improved = improve(graph, topology, block);

      Weight const cost = cost_of(to_csr(graph), topology, improved);
      EXPECT_LE(cost, cost_of(to_csr(graph), topology, block)) << topology.describe() << ", seed " << seed;
      EXPECT_GE(best_single_swap(graph, topology, improved, 1), cost) << topology.describe() << ", seed " << seed;
    }
}

TEST(SubtreeSwaps, OnlyRenameBlocks) {
  for_each_mapping(20, [](Graph const& graph, Topology const& topology, auto const& block, std::string const& where) {
    auto const improved = improve(graph, topology, block);

    Block const k = topology.num_pes();
    std::vector<Block> name(at(k), no_block), former(at(k), no_block);
    for (std::size_t v = 0; v < block.size(); ++v) {
      auto& new_name = name[at(block[v])];
      auto& old_name = former[at(improved[v])];
      if (new_name == no_block) new_name = improved[v];
      if (old_name == no_block) old_name = block[v];
      ASSERT_EQ(improved[v], new_name) << where << ", vertex " << v;
      ASSERT_EQ(block[v], old_name) << where << ", vertex " << v;
    }
  });
}

TEST(SubtreeSwaps, RepairAPathThatWasLaidOutBadly) {
  // A path over 2 nodes of 2 PEs, where only one edge has to leave a node, but three do.
  auto const topology = Topology::hierarchy("2:2", "1:10");
  auto const graph = path(4);

  auto const improved = improve(graph, topology, {0, 2, 1, 3});

  EXPECT_EQ(cost_of(to_csr(graph), topology, improved), 2 * (1 + 10 + 1));
}

TEST(SubtreeSwaps, LeaveSubtreesBelowTheLimitTogether) {
  for (auto const seed : each_seed(10)) {
    auto const topology = Topology::hierarchy("2:2:2:2", "1:2:3:50");
    auto const graph = random_geometric(300, seed);
    auto const block = random_blocks(300, 16, seed);

    auto const improved = improve(graph, topology, block, 4);

    Block const pes = smallest_subtree(topology, 4);
    EXPECT_EQ(pes, 4);
    std::vector<Block> subtree(4, no_block);
    for (std::size_t v = 0; v < block.size(); ++v) {
      EXPECT_EQ(improved[v] % pes, block[v] % pes) << "vertex " << v;
      auto& moved_to = subtree[at(block[v] / pes)];
      if (moved_to == no_block) moved_to = improved[v] / pes;
      EXPECT_EQ(improved[v] / pes, moved_to) << "vertex " << v;
    }
    EXPECT_GE(best_single_swap(graph, topology, improved, pes), cost_of(to_csr(graph), topology, improved));
  }
}

TEST(SmallestSubtree, IsTheFirstLevelWithFewEnoughSubtrees) {
  auto const topology = Topology::hierarchy("4:8:6", "1:10:100");

  EXPECT_EQ(smallest_subtree(topology, 1024), 1);
  EXPECT_EQ(smallest_subtree(topology, 192), 1);
  EXPECT_EQ(smallest_subtree(topology, 191), 4);
  EXPECT_EQ(smallest_subtree(topology, 47), 32);
  EXPECT_EQ(smallest_subtree(topology, 5), 192);
}

TEST(SwapSubtrees, ReturnsAPermutationForAnyTraffic) {
  for (auto const seed : each_seed(20))
    for (auto const& topology : machines()) {
      Block const k = topology.num_pes();
      std::vector<Weight> traffic(at(k) * at(k), 0);
      for (Block a = 0; a < k; ++a)
        for (Block b = 0; b < a; ++b)
          traffic[at(a * k + b)] = traffic[at(b * k + a)] =
              random_below(1000, seed, static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));

      auto place = swap_subtrees(traffic, topology, 1);

      std::ranges::sort(place);
      std::vector<Block> identity(at(k));
      std::iota(identity.begin(), identity.end(), 0);
      EXPECT_EQ(place, identity) << topology.describe();
    }
}

}  // namespace
}  // namespace procmap::test
