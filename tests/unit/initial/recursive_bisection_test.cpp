// SPDX-License-Identifier: MIT
#include "initial/recursive_bisection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "support/bisection.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t num_recursive_seeds = 20;
constexpr auto unlimited = std::numeric_limits<Weight>::max();

std::vector<Block> split(Csr const& csr, std::vector<Weight> const& capacity, std::uint64_t seed, int starts = 1,
                         std::vector<Block> const& fixed = {}, HostTeam const& team = {}) {
  InitialConfig config;
  config.starts = starts;
  std::vector<Block> block(static_cast<std::size_t>(csr.num_vertices()), no_block);
  recursive_bisection(view_of(csr), capacity, config, seed, block, fixed, team);
  return block;
}

std::vector<Block> split(Graph const& graph, std::vector<Weight> const& capacity, std::uint64_t seed, int starts = 1) {
  return split(to_csr(graph), capacity, seed, starts);
}

std::vector<Weight> even(Block k, Weight capacity) {
  return std::vector<Weight>(static_cast<std::size_t>(k), capacity);
}

std::vector<Weight> loads(CsrView graph, std::vector<Block> const& block, std::size_t k) {
  std::vector<Weight> load(k, 0);
  for (Vertex v = 0; v < graph.num_vertices; ++v) load.at(static_cast<std::size_t>(block[v])) += graph.vertex_weight(v);
  return load;
}

void expect_within(Csr const& csr, std::vector<Weight> const& capacity, std::uint64_t seed, std::string const& name) {
  auto const load = loads(view_of(csr), split(csr, capacity, seed), capacity.size());
  for (std::size_t b = 0; b < capacity.size(); ++b)
    EXPECT_LE(load[b], capacity[b]) << name << ", block " << b << " of " << capacity.size();
}

TEST(RecursiveBisection, KeepsEveryShapeWithinCapacitiesThatLeaveRoomForOneVertex) {
  for (auto const seed : each_seed(num_recursive_seeds))
    for (auto const& [name, graph] : all_shapes(seed))
      for (Block const k : {1, 2, 3, 5, 8, 13, 64}) {
        auto const csr = to_csr(graph);
        auto const view = view_of(csr);
        Weight total = 0, heaviest = 0;
        for (Vertex v = 0; v < view.num_vertices; ++v) {
          total += view.vertex_weight(v);
          heaviest = std::max(heaviest, view.vertex_weight(v));
        }

        expect_within(csr, even(k, total / k + heaviest), seed, name);
      }
}

TEST(RecursiveBisection, FillsUnitWeightsExactly) {
  for (auto const seed : each_seed(num_recursive_seeds))
    for (Block const k : {2, 3, 7, 16, 61}) {
      auto const geometric = to_csr(random_geometric(5 * k, seed));
      auto const isolated = to_csr(no_edges(5 * k));
      expect_within(geometric, even(k, 5), seed, "geometric");
      expect_within(isolated, even(k, 5), seed, "isolated");
    }
}

TEST(RecursiveBisection, MeetsThreePercentOnWeightedGraphs) {
  for (auto const seed : each_seed(num_recursive_seeds))
    for (Block const k : {2, 3, 5, 8}) {
      auto const csr = to_csr(with_weights(random_geometric(60 * k, seed), seed, 10, 100));
      auto const total = std::accumulate(csr.vertex_weights.begin(), csr.vertex_weights.end(), Weight{0});

      expect_within(csr, even(k, (total + k - 1) / k * 103 / 100), seed, "geometric");
    }
}

TEST(RecursiveBisection, FillsUnequalCapacitiesExactly) {
  auto const csr = to_csr(grid2d(20, 20));
  std::vector<Weight> const capacity{40, 120, 60, 180};
  for (auto const seed : each_seed(num_recursive_seeds)) expect_within(csr, capacity, seed, "grid");
}

TEST(RecursiveBisection, IsABijectionForAsManyBlocksAsVertices) {
  for (auto const seed : each_seed(num_recursive_seeds))
    for (Vertex const n : {2, 3, 7, 30, 101}) {
      auto const block = split(random_graph(n, 0.2, seed), even(n, 1), seed);

      EXPECT_EQ(std::set(block.begin(), block.end()).size(), static_cast<std::size_t>(n));
    }
}

TEST(RecursiveBisection, CountsVerticesOfEqualWeightWhateverTheSlack) {
  for (auto const seed : each_seed(num_recursive_seeds)) {
    auto csr = to_csr(random_graph(37, 0.2, seed));
    csr.vertex_weights.assign(37, 7);
    auto const block = split(csr, even(37, 13), seed);

    EXPECT_EQ(std::set(block.begin(), block.end()).size(), 37u);
  }
}

TEST(RecursiveBisection, PutsAtMostOneVertexInABlockIfThereAreMoreBlocks) {
  for (auto const seed : each_seed(num_recursive_seeds))
    for (Vertex const n : {1, 2, 5, 30})
      for (Block const k : {n + 1, 2 * n + 1, 10 * n + 3, 1000}) {
        auto const block = split(random_graph(n, 0.3, seed), even(k, 1), seed);

        EXPECT_EQ(std::set(block.begin(), block.end()).size(), block.size()) << n << " in " << k;
      }
}

TEST(RecursiveBisection, PutsTheHeavyVertexWhereItFits) {
  auto const csr = to_csr(with_heavy_vertex(grid2d(5, 5), 12, 1000));
  for (auto const seed : each_seed(num_recursive_seeds)) EXPECT_EQ(split(csr, {20, 20, 1000, 20}, seed)[12], 2);
}

TEST(RecursiveBisection, TakesCapacitiesWithoutLimit) {
  auto const csr = to_csr(with_weights(grid2d(20, 20), 1, Weight{1} << 46, Weight{1} << 46));
  auto const block = split(csr, even(512, unlimited), 1);
  EXPECT_GT(std::set(block.begin(), block.end()).size(), 100u);
}

TEST(RecursiveBisection, IgnoresSelfLoops) {
  auto const without = to_csr(with_weights(grid2d(16, 16), 1, 3, 9));
  Csr with{{0}, {}, {}, without.vertex_weights};
  for (Vertex v = 0; v < without.num_vertices(); ++v) {
    for (auto e = without.offsets[v]; e < without.offsets[v + 1]; ++e) {
      with.heads.push_back(without.heads[e]);
      with.arc_weights.push_back(without.arc_weights[e]);
    }
    with.heads.push_back(v);
    with.arc_weights.push_back(100 * v);
    with.offsets.push_back(static_cast<Edge>(with.heads.size()));
  }

  EXPECT_EQ(split(with, even(4, 140), 1), split(without, even(4, 140), 1));
}

TEST(RecursiveBisection, SplitsHugeStarsAndIsolatedVertices) {
  expect_within(to_csr(star(100'001)), even(512, 196), 1, "star");
  expect_within(to_csr(no_edges(1'000'000)), even(8, 125'000), 1, "no edges");
}

TEST(RecursiveBisection, DependsOnTheSeedOnly) {
  auto const csr = to_csr(grid2d(16, 16));
  auto const capacity = even(8, 33);

  EXPECT_EQ(split(csr, capacity, 1, 3), split(csr, capacity, 1, 3));
  EXPECT_NE(split(csr, capacity, 1, 3), split(csr, capacity, 2, 3));
}

TEST(RecursiveBisection, DoesNotDependOnTheOrderOfArcs) {
  for (auto const seed : each_seed(num_recursive_seeds))
    for (auto const& shape : all_shapes(seed)) {
      auto csr = to_csr(shape.graph);
      auto const capacity = even(6, unlimited / 64);
      auto const before = split(csr, capacity, seed, 3);

      for (Vertex v = 0; v < csr.num_vertices(); ++v) {
        std::reverse(csr.heads.begin() + csr.offsets[v], csr.heads.begin() + csr.offsets[v + 1]);
        if (!csr.arc_weights.empty())
          std::reverse(csr.arc_weights.begin() + csr.offsets[v], csr.arc_weights.begin() + csr.offsets[v + 1]);
      }

      EXPECT_EQ(split(csr, capacity, seed, 3), before) << shape.name;
    }
}

// At first threads share the starts of a part; once there are many parts, each has one.
TEST(RecursiveBisection, DoesNotDependOnTheTeam) {
  constexpr Block k = 24;
  for (auto const seed : each_seed(num_recursive_seeds))
    for (auto const& shape : all_shapes(seed)) {
      auto const csr = to_csr(shape.graph);
      std::vector<Block> fixed(static_cast<std::size_t>(csr.num_vertices()), no_block);
      for (std::size_t v = 0; v < fixed.size(); v += 7) fixed[v] = static_cast<Block>(v % k);
      for (auto const& pinned : {std::vector<Block>{}, fixed}) {
        auto const alone = split(csr, even(k, unlimited / 64), seed, 3, pinned);

        for (int const size : worthwhile_threads({2, 3, 16})) {
          EXPECT_EQ(split(csr, even(k, unlimited / 64), seed, 3, pinned, backwards(size)), alone)
              << shape.name << ", team of " << size;
        }
      }
    }
}

TEST(RecursiveBisection, CutsAGridAlmostStraight) {
  auto const csr = to_csr(grid2d(16, 16));
  Weight one = 0, four = 0;
  for (auto const seed : each_seed(num_recursive_seeds)) {
    one += cut_of(view_of(csr), split(csr, even(2, 131), seed, 1));
    four += cut_of(view_of(csr), split(csr, even(2, 131), seed, 4));
  }
  EXPECT_LE(one, 18 * static_cast<Weight>(num_recursive_seeds));
  EXPECT_LE(four, 17 * static_cast<Weight>(num_recursive_seeds));
}

TEST(RecursiveBisection, FindsTheBridge) {
  EdgeList edges{{3, 12}};
  for (Vertex u = 0; u < 12; ++u)
    for (Vertex v = 0; v < u; ++v) edges.insert(edges.end(), {{u, v}, {u + 12, v + 12}});
  auto const csr = csr_from_edges(24, edges);

  for (auto const seed : each_seed(num_recursive_seeds))
    EXPECT_EQ(cut_of(view_of(csr), split(csr, even(2, 13), seed)), 1);
}

TEST(RecursiveBisection, MoreStartsCutLess) {
  Weight one = 0, eight = 0;
  for (auto const seed : each_seed(num_recursive_seeds)) {
    auto const csr = to_csr(with_weights(random_geometric(300, seed), seed, 3, 50));
    auto const cut = [&](int starts) {
      InitialConfig config;
      config.starts = starts;
      config.clustered_starts = 0;
      std::vector<Block> block(300);
      recursive_bisection(view_of(csr), even(4, 160), config, seed, block);
      return cut_of(view_of(csr), block);
    };
    one += cut(1);
    eight += cut(8);
  }
  EXPECT_LT(eight * 100, one * 95);
}

}  // namespace
}  // namespace procmap::test
