// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "refinement/flow/pairwise.hpp"
#include "support/refinement.hpp"

// Pairwise flow refinement as a whole.

namespace procmap::test {
namespace {

struct Refined {
  std::vector<Block> start;  // what Jet left
  std::vector<Block> block;  // what flow made of it
  std::vector<ScopeState> before, after;
  FlowResult result;
};

FlowConfig wide_bands() {
  FlowConfig config;
  config.rounds = 3;
  config.band = 0.3;
  config.retries = 4;
  return config;
}

/// A short Jet for balance, then flow. `pull`: what leaving the first block costs; empty: nothing.
template <class Case>
Refined refine_with(FlowConfig const& config, Problem const& problem, Case const& objective, int threads = 2,
                    std::vector<Weight> const& pull = {}) {
  Backend backend(threads);
  Stage stage(backend, problem, objective);
  auto const home = backend.put(pull.empty() ? std::vector<Block>{} : problem.block);
  auto const pulls = backend.put(pull);
  AnchorsView const anchors{nullptr, home.data(), pulls.data()};
  RefinementConfig jet;
  jet.rounds = 2;
  refine(backend.ex, stage.problem(anchors), stage.scratch, stage.state.block, {jet, 0, 1});
  Refined refined{stage.per_vertex(stage.state.block), {}, stage.scopes(), {}, {}};
  refined.result = refine_pairs(backend.ex, stage.problem(anchors), stage.scratch, stage.state.block, config, 1);
  refined.block = stage.per_vertex(stage.state.block);
  refined.after = stage.scopes();
  return refined;
}

template <class F>
void for_each_problem(std::uint64_t seed, Weight slack, F f) {
  for (auto const& [name, graph] : all_shapes(seed))
    for_each_objective([&, &shape = graph, &shape_name = name](auto const& objective) {
      f(random_problem({shape}, objective.num_blocks(), slack, seed), objective,
        shape_name + ", " + objective.name() + ", seed " + std::to_string(seed));
    });
}

Problem several_scopes(std::uint64_t seed) {
  return random_problem({grid2d(11, 12), star(60), with_weights(random_geometric(200, seed), seed, 9, 30), no_edges(9),
                         rmat(7, 500, seed), with_zero_weights(grid2d(7, 8), seed)},
                        4, 8, seed);
}

TEST(Flow, NeverRaisesTheCostOfAScopeAndKnowsIt) {
  for (auto const seed : each_seed(10)) {
    auto const problem = several_scopes(seed);
    CutCase const cut{problem.num_blocks()};

    auto const refined = refine_with(wide_bands(), problem, cut);

    auto const before = costs_of(problem, cut, refined.start), after = costs_of(problem, cut, refined.block);
    for (std::size_t s = 0; s < after.size(); ++s) {
      EXPECT_LE(after[s], before[s]) << "scope " << s;
      EXPECT_EQ(refined.after[s].best_cost, after[s]) << "scope " << s;
    }
  }
}

TEST(Flow, RaisesNeitherTheMappingCostNorAnyOverload) {
  for (auto const seed : each_seed(2))
    for_each_problem(seed, 10, [](Problem const& problem, auto const& objective, std::string const& where) {
      auto const refined = refine_with(wide_bands(), problem, objective);

      EXPECT_LE(costs_of(problem, objective, refined.block)[0], costs_of(problem, objective, refined.start)[0])
          << where;
      EXPECT_LE(overloads_of(problem, refined.block)[0], overloads_of(problem, refined.start)[0]) << where;
      EXPECT_EQ(refined.after[0].best_cost, costs_of(problem, objective, refined.block)[0]) << where;
    });
}

TEST(Flow, CountsWhatLeavingHomeCosts) {
  for_each_problem(3, 10, [](Problem const& problem, auto const& objective, std::string const& where) {
    std::vector<Weight> pull;
    for (std::size_t v = 0; v < problem.block.size(); ++v) pull.push_back(static_cast<Weight>(v % 4));
    auto const cost = [&](std::vector<Block> const& block) {
      Weight total = costs_of(problem, objective, block)[0];
      for (std::size_t v = 0; v < block.size(); ++v) total += block[v] == problem.block[v] ? 0 : 2 * pull[v];
      return total;
    };

    auto const refined = refine_with(wide_bands(), problem, objective, 2, pull);

    EXPECT_LE(cost(refined.block), cost(refined.start)) << where;
    EXPECT_EQ(refined.after[0].best_cost, cost(refined.block)) << where;
  });
}

TEST(Flow, LeavesEveryVertexInItsScope) {
  for (auto const seed : each_seed(5)) {
    auto const problem = several_scopes(seed);

    auto const refined = refine_with(wide_bands(), problem, CutCase{problem.num_blocks()});

    for (std::size_t v = 0; v < refined.block.size(); ++v)
      ASSERT_EQ(scope_of(problem, refined.block[v]), scope_of(problem, problem.block[v])) << "vertex " << v;
  }
}

TEST(Flow, LeavesOverloadedScopesAlone) {
  auto problem = random_problem({grid2d(9, 9), grid2d(9, 9)}, 3, 10, 1);
  for (Block b = 0; b < 3; ++b) problem.capacity[at(b)] = 20;  // 81 vertices do not fit

  auto const refined = refine_with(wide_bands(), problem, CutCase{problem.num_blocks()});

  EXPECT_GT(overloads_of(problem, refined.block)[0], 0);
  for (std::size_t v = 0; v < 81; ++v) EXPECT_EQ(refined.block[v], refined.start[v]) << "vertex " << v;
}

TEST(Flow, ImprovesWhatAShortJetLeaves) {
  auto const problem = random_problem({grid2d(24, 24)}, 4, 5, 1);
  CutCase const cut{4};

  auto const refined = refine_with(wide_bands(), problem, cut);

  EXPECT_GT(refined.result.cuts, 0);
  EXPECT_LT(costs_of(problem, cut, refined.block)[0], costs_of(problem, cut, refined.start)[0]);
}

struct Straightened {
  std::vector<Block> block;
  std::int64_t cuts;
};

/// A problem after flow alone, without Jet. `pull`: what it costs a vertex to leave its block.
Straightened straighten(Problem const& problem, FlowConfig const& config, Weight pull = 0) {
  Backend backend;
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  stage.start();
  auto const home = backend.put(problem.block);
  auto const pulls = backend.put(std::vector<Weight>(problem.block.size(), pull));
  AnchorsView const anchors{nullptr, home.data(), pulls.data()};
  auto const result = refine_pairs(backend.ex, stage.problem(anchors), stage.scratch, stage.state.block, config, 1);
  return {stage.per_vertex(stage.state.block), result.cuts};
}
std::vector<Block> straightened(Problem const& problem, FlowConfig const& config, Weight pull = 0) {
  return straighten(problem, config, pull).block;
}

/// A grid of 12 columns and 8 rows; block 0 reaches two columns further in every other row.
Problem jagged_border() {
  Problem problem{grid2d(12, 8), 2, 1, {}, {50, 50}, {48, 48}};
  for (Vertex v = 0; v < 96; ++v) problem.block.push_back(v % 12 < (v / 12 % 2 == 0 ? 7 : 5) ? 0 : 1);
  return problem;
}

TEST(Flow, MovesWhatSavesMoreThanItsMigrationCosts) {
  auto const problem = jagged_border();
  CutCase const cut{2};

  auto const moved = straightened(problem, wide_bands(), 1);
  auto const stayed = straightened(problem, wide_bands(), 3);

  // In a row between two others every vertex that moves saves two edges, in the first and the last row one.
  EXPECT_EQ(costs_of(problem, cut, problem.block)[0] - costs_of(problem, cut, moved)[0], 2 * 2 * 6);
  EXPECT_EQ(stayed, problem.block);
}

TEST(Flow, StraightensAJaggedBorder) {
  auto const problem = jagged_border();

  auto const block = straightened(problem, wide_bands());

  EXPECT_EQ(costs_of(problem, CutCase{2}, block)[0], 2 * 8);
  EXPECT_EQ(overloads_of(problem, block)[0], 0);
}

/// A grid of 12 columns and 8 rows: block 0 is its upper half, the blocks 1 and 2 share the lower one with a jagged
/// border. Between 0 and 2 no cut is cheaper, between 0 and 1 one that does not fit, around the last two vertices of
/// the upper row of block 1.
Problem two_below_one() {
  Problem problem{grid2d(12, 8), 3, 1, {}, {49, 33, 18}, {48, 32, 16}};
  for (Vertex v = 0; v < 96; ++v) {
    Vertex const row = v / 12, first_of_last = row % 2 == 0 ? 9 : 7;
    problem.block.push_back(row < 4 ? 0 : v % 12 < first_of_last ? 1 : 2);
  }
  return problem;
}

TEST(Flow, APairWithoutACheaperCutIsNotCutAgainThoughOthersChangeItsBorder) {
  auto const problem = two_below_one();
  CutCase const cut{3};

  auto const found = straighten(problem, wide_bands());

  EXPECT_EQ(costs_of(problem, cut, problem.block)[0] - costs_of(problem, cut, found.block)[0], 2 * 6);
  EXPECT_EQ(found.cuts, 3 + 2);
}

/// jagged_border() with one edge only between the columns 3 and 4: to cut it leaves more on its right than block 1 may
/// hold.
Problem with_tempting_edge() {
  auto problem = jagged_border();
  EdgeList edges;
  for (Vertex v = 0; v < 96; ++v) {
    if (v % 12 < 11 && (v % 12 != 3 || v == 3)) edges.push_back({v, v + 1});
    if (v + 12 < 96) edges.push_back({v, v + 12});
  }
  problem.graph = graph_from_edges(96, edges);
  return problem;
}

TEST(Flow, AScopeThatSavesLittleHasNoOtherRound) {
  constexpr double gain = 0.05;
  int again = 0, not_again = 0;
  for (auto const seed : each_seed(10)) {
    auto const problem = several_scopes(seed);
    auto const with = [&](int rounds, double least_gain) {
      auto config = wide_bands();
      config.rounds = rounds;
      config.least_gain = least_gain;
      return refine_with(config, problem, CutCase{problem.num_blocks()});
    };
    auto const once = with(1, 0), twice = with(2, 0), asked = with(2, gain);

    for (std::size_t v = 0; v < asked.block.size(); ++v) {
      auto const s = at(scope_of(problem, problem.block[v]));
      auto const cost = once.before[s].best_cost;
      bool const is_enough = static_cast<double>(cost - once.after[s].best_cost) >= gain * static_cast<double>(cost);
      ASSERT_EQ(asked.block[v], (is_enough ? twice : once).block[v]) << "vertex " << v << ", seed " << seed;
      if (once.block[v] != twice.block[v]) ++(is_enough ? again : not_again);
    }
  }
  EXPECT_GT(again, 0);
  EXPECT_GT(not_again, 0);
}

TEST(Flow, APairWhoseCheapestCutDoesNotFitIsCutAgain) {
  auto const problem = with_tempting_edge();

  auto const found = straighten(problem, wide_bands());

  EXPECT_EQ(costs_of(problem, CutCase{2}, found.block)[0], 2 * 8);
  EXPECT_GT(found.cuts, 1);
}

TEST(Flow, OfTwoEqualCutsTheBetterBalancedWins) {
  // A path of 9 vertices cut after the second: every cut costs the same, within the band the furthest is best.
  Problem problem{path(9), 2, 1, {0, 0, 1, 1, 1, 1, 1, 1, 1}, {7, 7}, {4, 4}};

  auto const block = straightened(problem, wide_bands());

  auto const loads = loads_of(problem.graph, block, 2);
  EXPECT_EQ(costs_of(problem, CutCase{2}, block)[0], 2);
  EXPECT_GE(std::min(loads[0], loads[1]), 4);
}

/// Where the hub of a star goes from block 0, which has fewer of its neighbours than block 1. Further blocks have no
/// room.
Block hub_of_star(Vertex n, Block num_blocks) {
  Vertex const in_first = 3 * n / 8;
  Problem problem{star(n), num_blocks, 1, std::vector<Block>(at(n), 1), {n, n}, {in_first, n - in_first}};
  std::fill_n(problem.block.begin(), in_first, 0);
  problem.capacity.resize(at(num_blocks));
  problem.share.resize(at(num_blocks));
  return straightened(problem, wide_bands())[0];
}

TEST(Flow, MovesAHubUnlessItHasMoreArcsThanBlocksOnAverage) {
  EXPECT_EQ(hub_of_star(1026, 2), 1) << "as many";
  EXPECT_EQ(hub_of_star(1026, 3), 0) << "more";
  EXPECT_EQ(hub_of_star(1025, 3), 1) << "more, but few";
}

TEST(Flow, ABandThatHitsItsLimitIsCounted) {
  auto const problem = random_problem({grid2d(24, 24)}, 2, 5, 1);
  auto config = wide_bands();
  config.max_band_vertices = 10;

  auto const refined = refine_with(config, problem, CutCase{2});

  EXPECT_GT(refined.result.cut_short, 0);
}

TEST(Flow, TheResultDoesNotDependOnTheNumberOfThreads) {
  for (auto const seed : each_seed(3)) {
    auto const problem = several_scopes(seed);
    CutCase const cut{problem.num_blocks()};
    auto const expected = refine_with(wide_bands(), problem, cut, 1).block;

    for (int const threads : Backend::thread_counts())
      EXPECT_EQ(refine_with(wide_bands(), problem, cut, threads).block, expected) << threads;
  }
}

TEST(Flow, TheResultDoesNotDependOnTheOrderOfArcs) {
  for_each_problem(1, 10, [](Problem const& problem, auto const& objective, std::string const& where) {
    auto reversed = problem;
    reversed.graph = with_reversed_rows(to_csr(problem.graph)).graph();

    EXPECT_EQ(refine_with(wide_bands(), reversed, objective).block, refine_with(wide_bands(), problem, objective).block)
        << where;
  });
}

TEST(Flow, AMachineWithOneLevelOfDistanceOneGivesWhatTheEdgeCutGives) {
  for (auto const seed : each_seed(5)) {
    auto const problem = random_problem({with_weights(random_geometric(300, seed), seed, 5, 9)}, 6, 8, seed);

    EXPECT_EQ(refine_with(wide_bands(), problem, machine("6", "1")).block,
              refine_with(wide_bands(), problem, CutCase{6}).block);
  }
}

}  // namespace
}  // namespace procmap::test
