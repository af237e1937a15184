// SPDX-License-Identifier: MIT
#include "multilevel/evolve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/split.hpp"

namespace procmap::test {
namespace {

SplitPlan plan(SplitTask const& task, int population, std::uint64_t seed) {
  auto plan = split_plan_of(task, 2, seed);
  plan.population = population;
  plan.combinations = 2;
  return plan;
}

Problem several_scopes(std::uint64_t seed, Block parts) {
  return random_problem({grid2d(15, 16), random_geometric(300, seed), star(90), no_edges(20), empty()}, parts, 5, seed);
}

/// Random mappings of `problem` one behind the other, as a Population has them.
std::vector<Block> random_members(Problem const& problem, int size, std::uint64_t seed) {
  std::vector<Block> all;
  for (int t = 0; t < size; ++t)
    for (std::size_t v = 0; v < problem.block.size(); ++v)
      all.push_back(t * problem.num_blocks() + scope_of(problem, problem.block[v]) * problem.per_scope +
                    static_cast<Block>(random_below(problem.per_scope, seed, v, static_cast<std::uint64_t>(t))));
  return all;
}

std::vector<Block> member(Problem const& problem, std::vector<Block> const& all, int t) {
  auto const n = problem.block.size();
  std::vector<Block> block(all.begin() + static_cast<std::ptrdiff_t>(n * at(t)),
                           all.begin() + static_cast<std::ptrdiff_t>(n * at(t + 1)));
  for (Block& b : block) b -= t * problem.num_blocks();
  return block;
}

TEST(Overlay, HasALabelForEveryPairOfBlocks) {
  auto const problem = several_scopes(1, 3);
  auto const n = problem.block.size();
  Backend backend;
  auto const all = random_members(problem, 3, 1);
  Population<Backend::Exec> const members{3, backend.put(all)};
  auto child = backend.make<Block>(2 * n);
  auto label = backend.make<Block>(2 * n);
  std::vector<Parents> const pairs{{0, 2}, {2, 1}};

  overlay(backend.ex, members, static_cast<Vertex>(n), problem.num_blocks(), 3, pairs, child.data(), label.data());

  auto const children = backend.get(child);
  auto const labels = backend.get(label);
  for (int c = 0; c < 2; ++c) {
    auto const first = member(problem, all, pairs[at(c)].first);
    auto const second = member(problem, all, pairs[at(c)].second);
    EXPECT_EQ(member(problem, children, c), first);
    for (std::size_t u = 0; u < n; u += 7)
      for (std::size_t v = 0; v < n; ++v)
        ASSERT_EQ(labels[n * at(c) + u] == labels[n * at(c) + v], first[u] == first[v] && second[u] == second[v]);
  }
  for (std::size_t v = 0; v < n; ++v) EXPECT_NE(labels[v], labels[n + v]) << "children share a label";
}

TEST(Combine, MakesNoChildWorseThanItsFirstParentAndSaysHowGoodItIs) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    auto const problem = several_scopes(seed, 3);
    auto const task = split_task_of(problem);
    auto const objective = CutCase{problem.num_blocks()};
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const all = random_members(problem, 3, seed);
    Population<Backend::Exec> const members{3, backend.put(all)};
    RefinementScratch<Backend::Exec> scratch(backend.ex, 0, 0);
    auto const pairs = pairs_with_best(3);

    auto const children =
        combine(backend.ex, graph.view(), nullptr, task, plan(task, 3, seed), 0, scratch, members, pairs);

    auto const blocks = backend.get(children.population.block);
    ASSERT_EQ(children.states.size(), at(problem.num_scopes) * pairs.size());
    for (int c = 0; c < children.population.size; ++c) {
      auto const parent = member(problem, all, pairs[at(c)].first);
      auto const child = member(problem, blocks, c);
      auto const cost = costs_of(problem, objective, child);
      auto const overload = overloads_of(problem, child);
      for (std::size_t v = 0; v < child.size(); ++v)
        ASSERT_EQ(scope_of(problem, child[v]), scope_of(problem, parent[v])) << "seed " << seed;
      for (std::size_t s = 0; s < cost.size(); ++s) {
        auto const& state = children.states[at(c) * cost.size() + s];
        auto const heavy = overloads_of(problem, parent)[s];
        EXPECT_EQ(state.best_cost, cost[s]) << "seed " << seed << ", scope " << s;
        EXPECT_EQ(state.best_overload, overload[s]) << "seed " << seed << ", scope " << s;
        EXPECT_TRUE(overload[s] < heavy || cost[s] <= costs_of(problem, objective, parent)[s]) << "seed " << seed;
        EXPECT_LE(overload[s], heavy) << "seed " << seed << ", scope " << s;
      }
    }
  }
}

TEST(CombineBatch, IsSmallForLargeGraphsAndNeverOverflowsALabel) {
  CsrView graph;
  graph.num_arcs = 1000;
  EXPECT_EQ(combine_batch(graph, 192, 8, 6), 6);
  graph.num_arcs = 1 << 21;
  EXPECT_EQ(combine_batch(graph, 192, 8, 6), 2);
  graph.num_arcs = Edge{1} << 40;
  EXPECT_EQ(combine_batch(graph, 192, 8, 6), 1);
  graph.num_arcs = 0;
  EXPECT_EQ(combine_batch(graph, 1 << 22, 256, 6), 1);
}

TEST(CombineSurvivors, BeatsTheBestMemberOfEveryScopeAndNeverLoses) {
  int better = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    auto const problem = random_problem({grid2d(15, 16), random_geometric(300, seed)}, 4, 5, seed);
    auto const n = static_cast<Vertex>(problem.block.size());
    auto const task = split_task_of(problem);
    auto how = plan(task, 1, seed);
    how.stage.flow.rounds = 0;
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));
    Population<Backend::Exec> members{3, backend.put(random_members(problem, 3, seed))};
    RefinementScratch<Backend::Exec> scratch(backend.ex, 0, 0);
    refine_members(backend.ex, graph.view(), nullptr, task, how, 0, scratch, members);
    auto const blocks = place_blocks(backend.ex, task, 3);
    auto const best = keep_best(backend.ex, members, 1, n, blocks.view, scope.data(), scratch.scope.data());

    auto const combined =
        combine_survivors(backend.ex, graph.view(), {scope.data()}, task, how, 0, 1, scratch, members);

    CutCase const objective{problem.num_blocks()};
    auto const before = costs_of(problem, objective, backend.get(best.block));
    auto const after = costs_of(problem, objective, backend.get(combined.block));
    for (std::size_t s = 0; s < after.size(); ++s) {
      EXPECT_LE(after[s], before[s]) << "seed " << seed << ", scope " << s;
      better += after[s] < before[s] ? 1 : 0;
    }
  }
  EXPECT_GT(better, 0);
}

TEST(EvolveSplit, IsInEveryScopeAtLeastAsGoodAsItsMembers) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    auto const problem = several_scopes(seed, 4);
    auto const task = split_task_of(problem);
    auto const how = plan(task, 3, seed);
    auto const objective = CutCase{problem.num_blocks()};
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));
    RefinementScratch<Backend::Exec> scratch(backend.ex, 0, 0);
    ClusterHistory<Backend::Exec>* const no_history = nullptr;
    auto const members = split_independently(backend.ex, graph.view(), {scope.data()}, task, how, scratch, no_history);
    auto const best = member(problem, backend.get(members.block), 0);

    auto const block = backend.get(evolve_split(backend.ex, graph.view(), {scope.data()}, task, how));

    EXPECT_EQ(overloads_of(problem, block), std::vector<Weight>(at(problem.num_scopes), 0)) << "seed " << seed;
    auto const cost = costs_of(problem, objective, block);
    for (std::size_t s = 0; s < cost.size(); ++s) {
      EXPECT_LE(cost[s], costs_of(problem, objective, best)[s]) << "seed " << seed << ", scope " << s;
      for (int t = 1; t < members.size; ++t)
        EXPECT_LE(cost[s], costs_of(problem, objective, member(problem, backend.get(members.block), t))[s]) << t;
    }
  }
}

TEST(EvolveSplit, KeepsItsPopulationOnACoarseGraph) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    auto const problem = random_problem({grid2d(30, 30), random_geometric(800, seed)}, 4, 5, seed);
    auto const task = split_task_of(problem);
    auto how = plan(task, 3, seed);
    how.population_share = 0.5;
    Backend backend;
    auto const graph = backend.put(problem.graph);
    auto const scope = backend.put(scopes_of(problem));

    auto const block = backend.get(evolve_split(backend.ex, graph.view(), {scope.data()}, task, how));

    for (std::size_t v = 0; v < block.size(); ++v)
      ASSERT_EQ(scope_of(problem, block[v]), scope_of(problem, problem.block[v])) << "seed " << seed;
    EXPECT_EQ(overloads_of(problem, block), std::vector<Weight>(at(problem.num_scopes), 0)) << "seed " << seed;
    auto const& levels = backend.run().stats().levels;
    auto const finest = [](LevelStats const& level) { return level.level == 0; };
    EXPECT_EQ(std::ranges::count_if(levels, finest), 1) << "seed " << seed;
    auto const costs = costs_of(problem, CutCase{problem.num_blocks()}, block);
    EXPECT_EQ(levels.back().cost, std::accumulate(costs.begin(), costs.end(), Weight{0})) << "seed " << seed;
  }
}

TEST(EvolveSplit, GivesTheSameBytesOnAnyNumberOfThreads) {
  auto const problem = random_problem({grid2d(40, 50), random_geometric(2000, 4)}, 3, 5, 4);
  auto const task = split_task_of(problem);
  for (double const share : {1.0, 0.3}) {
    auto how = plan(task, 2, 4);
    how.population_share = share;
    auto const run = [&](int threads) {
      Backend backend(threads);
      auto const graph = backend.put(problem.graph);
      auto const scope = backend.put(scopes_of(problem));
      return backend.get(evolve_split(backend.ex, graph.view(), {scope.data()}, task, how));
    };
    auto const expected = run(1);
    for (int const threads : Backend::thread_counts())
      EXPECT_EQ(run(threads), expected) << threads << " threads, share " << share;
  }
}

}  // namespace
}  // namespace procmap::test
