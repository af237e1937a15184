// SPDX-License-Identifier: MIT
#include "refinement/jet/settle.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

template <class Case>
std::vector<Block> settled(Problem const& problem, Case const& objective, std::uint64_t seed, int threads = 2,
                           std::vector<Block> const& fixed = {}, Edge most_wishes = -1) {
  Backend backend(threads);
  Stage stage(backend, problem, objective);
  auto const pins = backend.put(fixed);
  auto const given = stage.problem({fixed.empty() ? nullptr : pins.data()});
  if (most_wishes < 0) most_wishes = WishLists::wishes_of(given.graph.num_arcs);
  settle(backend.ex, given, stage.scratch, stage.state.block, {{}, 0, seed}, most_wishes);
  return stage.per_vertex(stage.state.block);
}

/// One scope of every shape, with some slack.
template <class F>
void for_each_problem(std::uint64_t seed, F f) {
  for (auto const& [name, graph] : all_shapes(seed))
    for_each_objective([&, &shape = graph, &shape_name = name](auto const& objective) {
      f(random_problem({shape}, objective.num_blocks(), 5, seed), objective,
        shape_name + ", " + objective.name() + ", seed " + std::to_string(seed));
    });
}

/// A move of one vertex to an adjacent block of its scope that would fit and lower the cost; "" if there is none.
template <class Case>
std::string move_left(Problem const& problem, Case const& objective, std::vector<Block> const& block) {
  auto const graph = view_of(problem.graph);
  auto const load = loads_of(problem.graph, block, problem.num_blocks());
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
      Block const to = block[at(graph.heads[e])];
      if (graph.arc_weight(e) == 0) continue;  // no traffic, nobody to be near to
      if (to == block[at(v)] || load[at(to)] + graph.vertex_weight(v) > problem.capacity[at(to)]) continue;
      if (move_gain(graph, objective, block, v, to) > 0) return std::to_string(v) + " to " + std::to_string(to);
    }
  return "";
}

TEST(Settle, LeavesNoMoveThatFitsAndLowersTheCost) {
  for (auto const seed : each_seed(6))
    for_each_problem(seed, [&](Problem const& problem, auto const& objective, std::string const& where) {
      EXPECT_EQ(move_left(problem, objective, settled(problem, objective, seed)), "") << where;
    });
}

TEST(Settle, RaisesNeitherCostNorOverload) {
  for (auto const seed : each_seed(6))
    for_each_problem(seed, [&](Problem const& problem, auto const& objective, std::string const& where) {
      auto const block = settled(problem, objective, seed);

      EXPECT_LE(costs_of(problem, objective, block)[0], costs_of(problem, objective, problem.block)[0]) << where;
      auto const before = loads_of(problem.graph, problem.block, problem.num_blocks());
      auto const after = loads_of(problem.graph, block, problem.num_blocks());
      for (std::size_t b = 0; b < after.size(); ++b)
        EXPECT_LE(after[b], std::max(before[b], problem.capacity[b])) << where << ", block " << b;
    });
}

TEST(Settle, KeepsVerticesInTheirScopesAndFixedOnesWhereTheyAre) {
  for (auto const seed : each_seed(5)) {
    auto const problem = random_problem({grid2d(11, 12), rmat(7, 500, seed), star(60)}, 4, 5, seed);
    std::vector<Block> fixed(problem.block.size(), no_block);
    for (std::size_t v = seed; v < fixed.size(); v += 3) fixed[v] = problem.block[v];

    auto const block = settled(problem, CutCase{problem.num_blocks()}, seed, 2, fixed);

    for (std::size_t v = 0; v < block.size(); ++v) {
      EXPECT_EQ(scope_of(problem, block[v]), scope_of(problem, problem.block[v])) << "vertex " << v;
      if (fixed[v] != no_block) {
        EXPECT_EQ(block[v], fixed[v]) << "vertex " << v;
      }
    }
  }
}

TEST(Settle, DoesNotMindHowManyWishesAreNoted) {
  for (auto const seed : each_seed(3))
    for_each_problem(seed, [&](Problem const& problem, auto const& objective, std::string const& where) {
      auto const expected = settled(problem, objective, seed);
      for (Edge const most_wishes : {0, 1, 40, 1 << 16})
        EXPECT_EQ(settled(problem, objective, seed, 2, {}, most_wishes), expected) << where << ", " << most_wishes;
    });
}

TEST(Settle, GivesTheSameBytesOnAnyNumberOfThreads) {
  auto const objective = machine("2:3:2", "1:10:100");
  auto const problem = random_problem({rmat(12, 20000, 3)}, objective.num_blocks(), 5, 3);
  auto const expected = settled(problem, objective, 3, 1);
  for (int const threads : Backend::thread_counts()) EXPECT_EQ(settled(problem, objective, 3, threads), expected);
}

}  // namespace
}  // namespace procmap::test
