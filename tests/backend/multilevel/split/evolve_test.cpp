// SPDX-License-Identifier: MIT
#include "multilevel/split/evolve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/split.hpp"

namespace procmap::test {
namespace {

SplitPlan plan(BlockTargets const& targets, int population, std::uint64_t seed) {
  auto plan = split_plan_of(targets, 2, seed);
  plan.population = population;
  return plan;
}

Problem several_scopes(std::uint64_t seed, Block parts) {
  return random_problem({grid2d(15, 16), random_geometric(300, seed), star(90), no_edges(20), empty()}, parts, 5, seed);
}

/// Mappings of `problem` one behind the other, as a Population has them: v is in part part_of(t, v) of its scope.
template <class PartOf>
std::vector<Block> members_of(Problem const& problem, int size, PartOf part_of) {
  std::vector<Block> all;
  for (int t = 0; t < size; ++t)
    for (std::size_t v = 0; v < problem.block.size(); ++v)
      all.push_back(t * problem.num_blocks() + scope_of(problem, problem.block[v]) * problem.per_scope +
                    static_cast<Block>(part_of(t, v)));
  return all;
}

std::vector<Block> random_members(Problem const& problem, int size, std::uint64_t seed) {
  return members_of(problem, size, [&](int t, std::size_t v) {
    return random_below(problem.per_scope, seed, v, static_cast<std::uint64_t>(t));
  });
}

/// Members that agree on many vertices: ranges of them, a little longer in every member.
std::vector<Block> striped_members(Problem const& problem, int size) {
  return members_of(problem, size, [&](int t, std::size_t v) { return v / (40 + 3 * at(t)) % at(problem.per_scope); });
}

std::vector<Block> member(Problem const& problem, std::vector<Block> const& all, int t) {
  auto const n = problem.block.size();
  std::vector<Block> block(all.begin() + static_cast<std::ptrdiff_t>(n * at(t)),
                           all.begin() + static_cast<std::ptrdiff_t>(n * at(t + 1)));
  for (Block& b : block) b -= t * problem.num_blocks();
  return block;
}

TEST(Overlay, HasALabelForEveryCombinationOfBlocks) {
  auto const problem = several_scopes(1, 3);
  auto const n = problem.block.size();
  Backend backend;
  auto const all = random_members(problem, 3, 1);
  Population<Backend::Exec> const members{3, backend.put(all)};

  auto const labels = backend.get(overlay(backend.ex, members, static_cast<Vertex>(n), 3));

  for (std::size_t u = 0; u < n; u += 7)
    for (std::size_t v = 0; v < n; ++v) {
      bool same = true;
      for (int t = 0; t < 3; ++t) same = same && all[n * at(t) + u] == all[n * at(t) + v];
      ASSERT_EQ(labels[u] == labels[v], same) << u << " and " << v;
    }
}

TEST(OverlaySize, IsAllMembersIfTheirLabelsFit) {
  BlockTargets targets;
  targets.parts = 8;
  EXPECT_EQ(overlay_size(targets, 1), 1);
  EXPECT_EQ(overlay_size(targets, 6), 6);
  EXPECT_EQ(overlay_size(targets, 64), 10);  // 8^10 labels
  targets.parts = 1 << 10;
  targets.num_scopes = 1 << 10;
  EXPECT_EQ(overlay_size(targets, 6), 2);
  targets.num_scopes = 1 << 12;
  EXPECT_EQ(overlay_size(targets, 6), 1);
}

TEST(RestrictMembers, GivesACoarseVertexTheBlocksOfItsVertices) {
  auto const problem = several_scopes(2, 3);
  auto const n = static_cast<Vertex>(problem.block.size());
  Backend backend;
  auto const graph = backend.put(problem.graph);
  auto const all = striped_members(problem, 2);
  Population<Backend::Exec> const members{2, backend.put(all)};
  auto const label = overlay(backend.ex, members, n, 3);
  auto const levels = coarsen(backend.ex, graph.view(), {label.data(), nullptr, true}, {{1, 100}, {}, 1});
  ASSERT_FALSE(levels.empty());

  auto const coarse = backend.get(restrict_members(backend.ex, members, n, levels[0]).block);

  auto const coarse_of = backend.get(levels[0].coarse_of);
  auto const num_coarse = at(levels[0].graph.num_vertices);
  ASSERT_EQ(coarse.size(), 2 * num_coarse);
  for (std::size_t v = 0; v < at(n); ++v)
    for (std::size_t t = 0; t < 2; ++t) ASSERT_EQ(coarse[t * num_coarse + at(coarse_of[v])], all[t * at(n) + v]) << v;
}

TEST(Combine, IsInNoScopeWorseThanAnyMember) {
  for (auto const seed : each_seed(5)) {
    auto const problem = several_scopes(seed, 3);
    auto const targets = targets_of(problem);
    auto const objective = CutCase{problem.num_blocks()};
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));
    auto const all = seed % 2 == 0 ? striped_members(problem, 3) : random_members(problem, 3, seed);

    auto const how = plan(targets, 3, seed);
    Population<Backend::Exec> members{3, backend.put(all)};
    RefinementScratch<Backend::Exec> scratch(backend.ex, 0, 0);
    auto unrefined = how.stage;
    unrefined.refinement.rounds = unrefined.flow.rounds = 0;
    refine_members(backend.ex, {graph.view(), {}, 0}, targets, unrefined, scratch, members, {3, 3});
    auto const n = static_cast<Vertex>(problem.block.size());
    auto const states = scope_states(backend.ex, scratch, targets.num_scopes * 3);
    auto ranked = keep_best(backend.ex, members, 3, {n, scope.data()}, targets.num_blocks(), states);

    auto const combined = combine(backend.ex, graph.view(), {scope.data()}, targets, how, std::move(ranked));

    ASSERT_EQ(combined.size, 1);
    auto const child = backend.get(combined.block);
    auto const cost = costs_of(problem, objective, child);
    auto const overload = overloads_of(problem, child);
    for (int t = 0; t < 3; ++t) {
      auto const parent = member(problem, all, t);
      auto const cost_before = costs_of(problem, objective, parent);
      auto const overload_before = overloads_of(problem, parent);
      for (std::size_t v = 0; v < child.size(); ++v)
        ASSERT_EQ(scope_of(problem, child[v]), scope_of(problem, parent[v]));
      for (std::size_t s = 0; s < cost.size(); ++s) {
        EXPECT_LE(overload[s], overload_before[s]) << "scope " << s;
        EXPECT_TRUE(overload[s] < overload_before[s] || cost[s] <= cost_before[s]) << "scope " << s;
      }
    }
  }
}

TEST(Combine, BeatsRefinedMembers) {
  int better = 0;
  for (auto const seed : each_seed(3)) {
    auto const problem = random_problem({grid2d(15, 16), random_geometric(300, seed)}, 4, 5, seed);
    auto const n = static_cast<Vertex>(problem.block.size());
    auto const targets = targets_of(problem);
    auto how = plan(targets, 1, seed);
    how.stage.flow.rounds = 0;
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));
    Population<Backend::Exec> members{3, backend.put(random_members(problem, 3, seed))};
    RefinementScratch<Backend::Exec> scratch(backend.ex, 0, 0);
    refine_members(backend.ex, {graph.view(), {}, 0}, targets, how.stage, scratch, members, {3, 3});
    auto const states = scope_states(backend.ex, scratch, targets.num_scopes * 3);
    auto ranked = keep_best(backend.ex, members, 3, {n, scope.data()}, targets.num_blocks(), states);
    auto const best = member(problem, backend.get(ranked.block), 0);

    auto const combined = combine(backend.ex, graph.view(), {scope.data()}, targets, how, std::move(ranked));

    CutCase const objective{problem.num_blocks()};
    auto const before = costs_of(problem, objective, best);
    auto const after = costs_of(problem, objective, backend.get(combined.block));
    for (std::size_t s = 0; s < after.size(); ++s) {
      EXPECT_LE(after[s], before[s]) << "scope " << s;
      better += after[s] < before[s] ? 1 : 0;
    }
  }
  EXPECT_GT(better, 0);
}

TEST(EvolveSplit, IsInEveryScopeAtLeastAsGoodAsItsMembers) {
  for (auto const seed : each_seed(4)) {
    auto const problem = several_scopes(seed, 4);
    auto const targets = targets_of(problem);
    auto const how = plan(targets, 3, seed);
    auto const objective = CutCase{problem.num_blocks()};
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));
    ClusterHistory<Backend::Exec>* const no_history = nullptr;
    auto const members = split_independently(backend.ex, graph.view(), {scope.data()}, targets, how, no_history);
    auto const best = member(problem, backend.get(members.block), 0);

    auto const block = backend.get(evolve_split(backend.ex, graph.view(), {scope.data()}, targets, how));

    EXPECT_EQ(overloads_of(problem, block), std::vector<Weight>(at(problem.num_scopes), 0));
    auto const cost = costs_of(problem, objective, block);
    for (std::size_t s = 0; s < cost.size(); ++s) {
      EXPECT_LE(cost[s], costs_of(problem, objective, best)[s]) << "scope " << s;
      for (int t = 1; t < members.size; ++t)
        EXPECT_LE(cost[s], costs_of(problem, objective, member(problem, backend.get(members.block), t))[s]) << t;
    }
  }
}

TEST(EvolveSplit, KeepsItsPopulationOnACoarseGraph) {
  for (auto const seed : each_seed(4)) {
    auto const problem = random_problem({grid2d(30, 30), random_geometric(800, seed)}, 4, 5, seed);
    auto const targets = targets_of(problem);
    auto how = plan(targets, 3, seed);
    how.population_share = 0.5;
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));

    auto const block = backend.get(evolve_split(backend.ex, graph.view(), {scope.data()}, targets, how));

    for (std::size_t v = 0; v < block.size(); ++v)
      ASSERT_EQ(scope_of(problem, block[v]), scope_of(problem, problem.block[v]));
    EXPECT_EQ(overloads_of(problem, block), std::vector<Weight>(at(problem.num_scopes), 0));
    auto const& levels = backend.run().stats().levels;
    auto const finest = [](LevelStats const& level) { return level.level == 0; };
    EXPECT_EQ(std::ranges::count_if(levels, finest), 1);
    auto const costs = costs_of(problem, CutCase{problem.num_blocks()}, block);
    EXPECT_EQ(levels.back().cost, std::accumulate(costs.begin(), costs.end(), Weight{0}));
  }
}

/// The levels that a split of all scopes was refined on.
std::vector<LevelStats> levels_of(Problem const& problem, BlockTargets const& targets, SplitPlan const& how) {
  Backend backend;
  auto const graph = backend.put(problem.graph);
  auto const scope = backend.put(scopes_of(problem));
  evolve_split(backend.ex, graph.view(), {scope.data()}, targets, how);
  return backend.run().stats().levels;
}

TEST(EvolveSplit, RefinesLevelsBelowItsPopulationInFewRounds) {
  auto const problem = random_problem({grid2d(30, 30)}, 4, 5, 1);
  auto const targets = targets_of(problem);
  auto how = plan(targets, 2, 1);
  how.population_share = 0.5;
  how.stage.refinement.rounds = 12;
  auto const rounds_of_finest = [&](int most) {
    how.fine_rounds = most;
    return levels_of(problem, targets, how).back().rounds;
  };

  EXPECT_GE(rounds_of_finest(12), 12);
  EXPECT_LT(rounds_of_finest(2), rounds_of_finest(12));
  EXPECT_EQ(rounds_of_finest(20), rounds_of_finest(12));
}

TEST(EvolveSplit, LevelsBelowItsPopulationAreCutAgainWhereThatSavesEnough) {
  auto const problem = random_problem({grid2d(40, 40)}, 4, 5, 1);
  auto const targets = targets_of(problem);
  auto how = plan(targets, 2, 1);
  how.population_share = 0.5;
  how.stage.refinement.rounds = 1;
  how.stage.flow.rounds = 4;
  auto const with_gain = [&](double gain) {
    how.fine_flow_gain = gain;
    return levels_of(problem, targets, how);
  };

  auto const always = with_gain(0), never = with_gain(1);

  ASSERT_EQ(always.size(), never.size());
  EXPECT_LT(never.back().flow_cuts, always.back().flow_cuts);
  EXPECT_EQ(never.front().flow_cuts, always.front().flow_cuts);
}

TEST(EvolveSplit, TellsWhatTheCutCostOnTheLevelsBelowItsPopulation) {
  auto const problem = random_problem({random_geometric(3000, 1)}, 4, 5, 1);
  auto const targets = targets_of(problem);
  auto how = plan(targets, 2, 1);
  how.population_share = 0.1;
  Backend backend;
  auto const graph = backend.put(problem.graph);
  auto const scope = backend.put(scopes_of(problem));
  ClusterHistory<Backend::Exec>* const no_history = nullptr;
  std::vector<LevelCost> costs;

  auto const block =
      backend.get(evolve_split(backend.ex, graph.view(), {scope.data()}, targets, how, no_history, &costs));

  ASSERT_GE(costs.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(costs, {}, &LevelCost::vertices));
  EXPECT_GT(costs.front().vertices, 300);
  EXPECT_EQ(costs.back().vertices, 3000);
  auto const left = costs_of(problem, CutCase{problem.num_blocks()}, block);
  EXPECT_EQ(costs.back().cost, std::accumulate(left.begin(), left.end(), Weight{0}));
}

TEST(EvolveSplit, SplitsTheFinestGraphWhereTheCoarseGraphHasMostOfItsArcs) {
  auto const levels_of_graph = [](Graph const& graph, std::vector<LevelCost>* costs) {
    auto const problem = random_problem({graph}, 4, 5, 1);
    auto const targets = targets_of(problem);
    auto how = plan(targets, 3, 1);
    how.population_share = 0.3;
    how.finest_annealing = 2;
    Backend backend;
    auto const finest = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));
    ClusterHistory<Backend::Exec> history;
    evolve_split(backend.ex, finest.view(), {scope.data()}, targets, how, &history, costs);
    return backend.run().stats().levels;
  };
  auto const on_finest = [](std::vector<LevelStats> const& levels) {
    return std::ranges::count(levels, 0, &LevelStats::level);
  };
  auto const random = random_graph(1200, 0.008, 1);
  std::vector<LevelCost> costs;

  EXPECT_EQ(on_finest(levels_of_graph(random, nullptr)), 3 + 1) << "members, and what they agree on";
  EXPECT_EQ(on_finest(levels_of_graph(grid2d(30, 40), nullptr)), 1);
  EXPECT_EQ(on_finest(levels_of_graph(random, &costs)), 1) << "somebody wants to know what coarse graphs are worth";
  EXPECT_GE(costs.size(), 2u);
}

TEST(EvolveSplit, CombinesWithFewNewSplits) {
  auto const problem = random_problem({random_geometric(800, 1)}, 4, 5, 1);
  auto const targets = targets_of(problem);
  auto how = plan(targets, 3, 1);
  how.tournament = 8;
  how.refined_starts = 1;
  how.combine_starts = 2;
  Backend backend;
  auto const graph = backend.put(problem.graph);
  auto const scope = backend.put(scopes_of(problem));

  evolve_split(backend.ex, graph.view(), {scope.data()}, targets, how);

  auto const& levels = backend.run().stats().levels;
  auto const with_members = [&](int members) { return std::ranges::count(levels, members, &LevelStats::members); };
  EXPECT_EQ(with_members(8), 3) << "coarsest graphs of three splits";
  EXPECT_EQ(with_members(3 + 2), 1) << "the coarsest graph of what they agree on";
}

TEST(EvolveSplit, GivesTheSameBytesOnAnyNumberOfThreads) {
  auto const problem = random_problem({grid2d(40, 50), random_geometric(2000, 4)}, 3, 5, 4);
  auto const targets = targets_of(problem);
  for (double const share : {1.0, 0.3}) {
    auto how = plan(targets, 2, 4);
    how.population_share = share;
    auto const run = [&](int threads) {
      Backend backend(threads);
      auto const graph = backend.put(problem.graph);
      auto const scope = backend.put(scopes_of(problem));
      return backend.get(evolve_split(backend.ex, graph.view(), {scope.data()}, targets, how));
    };
    auto const expected = run(1);
    for (int const threads : Backend::thread_counts())
      EXPECT_EQ(run(threads), expected) << threads << " threads, share " << share;
  }
}

}  // namespace
}  // namespace procmap::test
