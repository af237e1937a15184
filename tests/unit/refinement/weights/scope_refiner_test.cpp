// SPDX-License-Identifier: MIT
#include "refinement/weights/scope_refiner.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "graph/host_graph.hpp"
#include "objective/edge_cut.hpp"
#include "support/graphs.hpp"

namespace procmap::test {
namespace {

constexpr Block k = 4;

HostGraph random_problem(int num_loads, std::uint64_t seed) {
  auto const csr = to_csr(random_graph(120, 0.05, seed));
  HostGraph graph{csr.offsets,
                  csr.heads,
                  std::vector<Weight>(csr.heads.size(), 1),
                  std::vector<Weight>(static_cast<std::size_t>(csr.num_vertices()), 1),
                  {},
                  num_loads};
  for (int at = 0; at < csr.num_vertices() * num_loads; ++at)
    graph.loads.push_back(random_below(10, seed, static_cast<std::uint64_t>(at)));
  return graph;
}

/// Runs on one scope with limits of `slack` percent above the average, from random blocks.
class Refined {
 public:
  Refined(HostGraph const& graph, int slack, std::vector<Block> blocks, std::vector<Block> fixed = {},
          bool explores = false)
      : block(std::move(blocks)), graph_(graph) {
    auto const view = graph.view();
    for (Block b = 0; b < k; ++b)
      for (int i = 0; i < view.num_loads; ++i) {
        Weight total = 0;
        for (Vertex v = 0; v < view.num_vertices; ++v) total += view.load(v, i);
        limits_.push_back((total * (100 + slack) + 100 * k - 1) / (100 * k));
      }
    std::vector<Weight> const capacity(k, 1);
    std::vector<Vertex> vertices(block.size());
    std::iota(vertices.begin(), vertices.end(), 0);
    std::vector<Weight> bound(block.size());
    std::vector<std::uint8_t> mark(block.size());
    RefinementProblem<EdgeCut> const problem{
        view, EdgeCut{k}, {k, k, capacity.data(), nullptr, limits_.data()}, {fixed.empty() ? nullptr : fixed.data()}};
    ScopeRefiner<EdgeCut> refiner(problem, 0, k, vertices, block.data(), {bound.data(), mark.data()}, 7);
    refiner.run({}, state);
    if (explores) refiner.explore(state);
  }

  Weight cost() const {
    Weight sum = 0;
    for (Vertex v = 0; v < graph_.view().num_vertices; ++v)
      sum += vertex_cost(graph_.view(), EdgeCut{k}, block.data(), v);
    return sum;
  }
  bool fits() const {
    auto const view = graph_.view();
    auto left = limits_;
    for (Vertex v = 0; v < view.num_vertices; ++v)
      for (int i = 0; i < view.num_loads; ++i)
        left[static_cast<std::size_t>(block[static_cast<std::size_t>(v)] * view.num_loads + i)] -= view.load(v, i);
    return std::ranges::all_of(left, [](Weight room) { return room >= 0; });
  }

  std::vector<Block> block;
  ScopeState state;

 private:
  HostGraph const& graph_;
  std::vector<Weight> limits_;
};

std::vector<Block> all_in_one(Vertex n) { return std::vector<Block>(static_cast<std::size_t>(n), 0); }

TEST(ScopeRefiner, BringsEverythingIntoOneBlockIntoBalance) {
  for (int const num_loads : {1, 2, 3, 8})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(std::to_string(num_loads) + " weights, seed " + std::to_string(seed));
      auto const graph = random_problem(num_loads, seed);

      Refined const run(graph, 10, all_in_one(120));

      EXPECT_EQ(run.state.best_overload, 0);
      EXPECT_TRUE(run.fits());
      EXPECT_EQ(run.state.best_cost, run.cost());
    }
}

TEST(ScopeRefiner, NeverMakesABalancedMappingWorse) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    auto const graph = random_problem(2, seed);
    Refined const first(graph, 10, all_in_one(120));

    Refined const second(graph, 10, first.block);

    EXPECT_TRUE(second.fits());
    EXPECT_LE(second.cost(), first.cost());
    EXPECT_EQ(second.state.best_cost, second.cost());
  }
}

TEST(ScopeRefiner, ExploringFindsMoreWhereBlocksAreNearlyFull) {
  Weight before = 0, after = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    auto const graph = random_problem(2, seed);
    Refined const run(graph, 3, all_in_one(120));

    Refined const explored(graph, 3, all_in_one(120), {}, true);

    EXPECT_TRUE(explored.fits());
    EXPECT_LE(explored.cost(), run.cost());
    EXPECT_EQ(explored.state.best_cost, explored.cost());
    before += run.cost();
    after += explored.cost();
  }
  EXPECT_LT(after, before);
}

TEST(ScopeRefiner, FixedVerticesStay) {
  auto const graph = random_problem(2, 3);
  std::vector<Block> fixed(120, no_block), blocks = all_in_one(120);
  for (std::size_t v = 0; v < 120; v += 10) fixed[v] = blocks[v] = static_cast<Block>(v / 10 % k);

  for (bool const explores : {false, true}) {
    Refined const run(graph, 20, blocks, fixed, explores);

    for (std::size_t v = 0; v < 120; v += 10) EXPECT_EQ(run.block[v], fixed[v]);
    EXPECT_TRUE(run.fits());
  }
}

TEST(ScopeRefiner, WhatCannotFitIsLeftAsItIsBest) {
  auto graph = random_problem(2, 1);
  graph.loads[0] = 10000;  // heavier than a block of its own with 10 % slack

  Refined const run(graph, 10, all_in_one(120)), explored(graph, 10, all_in_one(120), {}, true);

  EXPECT_GT(run.state.best_overload, 0);
  EXPECT_EQ(run.state.best_cost, run.cost());
  EXPECT_EQ(run.block, explored.block);
}

}  // namespace
}  // namespace procmap::test
