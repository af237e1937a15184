// SPDX-License-Identifier: MIT
#include "refinement/jet/jet.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

struct Refined {
  std::vector<Block> block;
  std::vector<ScopeState> scopes;
  int rounds = 0;
};

struct Recipe {
  Rebalancing rebalancing = Rebalancing::sorted;
  double filter = 0.75;
  std::uint64_t seed = 0;
  int annealing_steps = 1;
};

template <class Case>
Refined refine_with(Recipe const& recipe, Problem const& problem, Case const& objective, int threads = 2) {
  Backend backend(threads);
  Stage stage(backend, problem, objective);
  RefinementConfig config;
  config.rebalancing = recipe.rebalancing;
  config.annealing_steps = recipe.annealing_steps;
  refine(backend.ex, stage.problem(), stage.scratch, stage.state.block, {config, recipe.filter, recipe.seed, 0.05});
  return {stage.per_vertex(stage.state.block), stage.scopes(),
          static_cast<int>(backend.ex.read(stage.scratch.summary.data()).rounds)};
}

/// Recipes of the presets: sorted rebalancing and the paper's, with and without a filter, annealed or not.
std::vector<Recipe> recipes(std::uint64_t seed) {
  return {{Rebalancing::sorted, 0, seed},       {Rebalancing::sorted, 0.75, seed},
          {Rebalancing::buckets, 0, seed},      {Rebalancing::buckets, 0.25, seed},
          {Rebalancing::sorted, 0.85, seed, 3}, {Rebalancing::buckets, 0.85, seed, 17}};
}

/// One scope of every shape, with the given slack in percent.
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
                        4, 5, seed);
}

/// Overload, then cost of scope s in `block`.
template <class Case>
std::vector<std::tuple<Weight, Weight>> quality(Problem const& problem, Case const& objective,
                                                std::vector<Block> const& block) {
  auto const overload = overloads_of(problem, block);
  auto const cost = costs_of(problem, objective, block);
  std::vector<std::tuple<Weight, Weight>> both;
  for (std::size_t s = 0; s < cost.size(); ++s) both.emplace_back(overload[s], cost[s]);
  return both;
}

template <class Case>
void expect_sound(Problem const& problem, Case const& objective, Refined const& refined, std::string const& where) {
  auto const before = quality(problem, objective, problem.block);
  auto const after = quality(problem, objective, refined.block);
  for (std::size_t v = 0; v < refined.block.size(); ++v)
    EXPECT_EQ(scope_of(problem, refined.block[v]), scope_of(problem, problem.block[v])) << where << ", vertex " << v;
  for (std::size_t s = 0; s < after.size(); ++s) {
    EXPECT_LE(after[s], before[s]) << where << ", scope " << s << " got worse";
    EXPECT_EQ(std::tuple(refined.scopes[s].best_overload, refined.scopes[s].best_cost), after[s])
        << where << ", scope " << s << " reports something else";
  }
}

TEST(Refine, NeverReturnsWorseThanGivenAndReportsWhatItReturns) {
  for (auto const seed : each_seed(20))
    for_each_problem(seed, 5, [&](Problem const& problem, auto const& objective, std::string const& where) {
      auto const all = recipes(seed);
      auto const& recipe = all[seed % all.size()];
      expect_sound(problem, objective, refine_with(recipe, problem, objective), where);
    });
}

TEST(Refine, NeverReturnsAScopeWorseThanGiven) {
  for (auto const seed : each_seed(20))
    for (auto const& recipe : recipes(seed)) {
      auto const problem = several_scopes(seed);
      CutCase const objective{problem.num_blocks()};
      expect_sound(problem, objective, refine_with(recipe, problem, objective), "seed " + std::to_string(seed));
    }
}

TEST(Refine, KeepsAFeasibleMappingFeasible) {
  for (auto const seed : each_seed(20))
    for_each_problem(seed, 3, [&](Problem problem, auto const& objective, std::string const& where) {
      auto const load = loads_of(problem.graph, problem.block, problem.num_blocks());
      for (std::size_t b = 0; b < load.size(); ++b) problem.capacity[b] = std::max(problem.capacity[b], load[b]);

      auto const refined = refine_with(recipes(seed)[seed % 6], problem, objective);

      EXPECT_EQ(overloads_of(problem, refined.block)[0], 0) << where;
    });
}

TEST(Refine, BalancesUnitWeightsFromAnyStart) {
  for (auto const seed : each_seed(20))
    for_each_problem(seed, 3, [&](Problem problem, auto const& objective, std::string const& where) {
      if (!problem.graph.vertex_weights().empty()) return;
      problem.block.assign(problem.block.size(), static_cast<Block>(seed) % problem.num_blocks());

      auto const refined = refine_with({Rebalancing::sorted, 0.25, seed}, problem, objective);

      EXPECT_EQ(overloads_of(problem, refined.block)[0], 0) << where;
    });
}

TEST(Refine, HalvesTheCutOfARandomMappingOfAGrid) {
  for (auto const seed : each_seed(20))
    for (auto const& recipe : recipes(seed)) {
      auto const problem = random_problem({grid2d(20, 20)}, 4, 5, seed);
      CutCase const objective{4};

      auto const refined = refine_with(recipe, problem, objective);

      EXPECT_LT(2 * costs_of(problem, objective, refined.block)[0], costs_of(problem, objective, problem.block)[0]);
    }
}

/// The problem with every vertex outside scope s cut off and weightless: nothing to do there.
Problem only_scope(Problem problem, Block s) {
  auto const graph = view_of(problem.graph);
  Csr csr;
  for (Vertex v = 0; v < graph.num_vertices; ++v) {
    bool const inside = scope_of(problem, problem.block[at(v)]) == s;
    for (Edge e = graph.begin(v); inside && e < graph.end(v); ++e) {
      csr.heads.push_back(graph.heads[e]);
      csr.arc_weights.push_back(graph.arc_weight(e));
    }
    csr.offsets.push_back(static_cast<Edge>(csr.heads.size()));
    csr.vertex_weights.push_back(inside ? graph.vertex_weight(v) : 0);
  }
  problem.graph = csr.graph();
  return problem;
}

TEST(Refine, GivesEveryScopeWhatItGetsAlone) {
  for (auto const seed : each_seed(20))
    for (auto const& recipe : recipes(seed)) {
      auto const problem = several_scopes(seed);
      CutCase const objective{problem.num_blocks()};

      auto const together = refine_with(recipe, problem, objective);

      for (Block s = 0; s < problem.num_scopes; ++s) {
        auto const alone = refine_with(recipe, only_scope(problem, s), objective);
        EXPECT_EQ(alone.scopes[at(s)].rounds, together.scopes[at(s)].rounds) << "scope " << s;
        for (std::size_t v = 0; v < problem.block.size(); ++v) {
          if (scope_of(problem, problem.block[v]) != s) continue;
          ASSERT_EQ(alone.block[v], together.block[v]) << "vertex " << v << ", scope " << s;
        }
      }
    }
}

TEST(Refine, GivesTheSameBytesOnAnyNumberOfThreads) {
  for (auto const seed : each_seed(3))
    for_each_objective([&](auto const& objective) {
      auto const graph = seed == 1 ? rmat(13, 30000, seed) : with_weights(random_geometric(6000, seed), seed, 3, 9);
      auto const problem = random_problem({graph}, objective.num_blocks(), 5, seed);
      auto const recipe = recipes(seed)[1 + seed];
      auto const expected = refine_with(recipe, problem, objective, 1).block;
      for (int const threads : Backend::thread_counts())
        EXPECT_EQ(refine_with(recipe, problem, objective, threads).block, expected)
            << objective.name() << ", " << threads << " threads, seed ";
    });
}

TEST(Refine, DependsOnItsSeedOnly) {
  auto const problem = random_problem({random_geometric(1000, 1)}, 8, 5, 1);

  auto const first = refine_with({Rebalancing::sorted, 0.75, 1}, problem, CutCase{8}).block;
  auto const again = refine_with({Rebalancing::sorted, 0.75, 1}, problem, CutCase{8}).block;
  auto const other = refine_with({Rebalancing::sorted, 0.75, 2}, problem, CutCase{8}).block;

  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
}

TEST(Refine, LeavesAPerfectSplitOfTwoCliquesAlone) {
  auto const clique = complete(8);
  Problem problem{side_by_side({clique, clique}), 2, 1, {}, {9, 9}, {8, 8}};
  problem.block.assign(8, 0);
  problem.block.insert(problem.block.end(), 8, 1);

  auto const refined = refine_with({}, problem, CutCase{2});

  EXPECT_EQ(refined.block, problem.block);
}

}  // namespace
}  // namespace procmap::test
