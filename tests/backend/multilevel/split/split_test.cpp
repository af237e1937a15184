// SPDX-License-Identifier: MIT
#include "multilevel/split/split.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/mapping_task.hpp"
#include "support/split.hpp"

namespace procmap::test {
namespace {

struct Split {
  std::vector<Block> block;
  std::vector<LevelStats> levels;
};

SplitPlan plan(CoarseningAlgorithm algorithm, BlockTargets const& targets, int tournament, std::uint64_t seed) {
  auto plan = split_plan_of(targets, tournament, seed);
  plan.coarsening.config.algorithm = algorithm;
  return plan;
}

Split split(Problem const& problem, SplitPlan const& how, int threads = 2) {
  Backend backend(threads);
  auto const graph = backend.put(problem.graph);
  auto const scope = backend.put(scopes_of(problem));
  VertexLabels const labels{problem.num_scopes > 1 ? scope.data() : nullptr};
  auto const block = split_scopes(backend.ex, graph.view(), labels, targets_of(problem), how);
  return {backend.get(block), backend.run().stats().levels};
}

Problem many_scopes(std::uint64_t seed, Block parts) {
  return random_problem({grid2d(15, 16), random_geometric(300, seed), star(120), no_edges(40), path(130),
                         rmat(7, 400, seed), single_vertex(), empty()},
                        parts, 5, seed);
}

template <class F>
void for_each_plan(BlockTargets const& targets, std::uint64_t seed, F f) {
  for (auto const algorithm : {CoarseningAlgorithm::matching, CoarseningAlgorithm::clustering})
    for (int const tournament : {1, 4}) f(plan(algorithm, targets, tournament, seed));
}

TEST(SplitScopes, PutsEveryVertexIntoABlockOfItsScopeWithinItsCapacity) {
  for (auto const seed : each_seed(5))
    for (Block const parts : {2, 3, 5}) {
      auto const problem = many_scopes(seed, parts);
      for_each_plan(targets_of(problem), seed, [&](SplitPlan const& how) {
        auto const where = "parts " + std::to_string(parts) + ", tournament " + std::to_string(how.tournament) +
                           ", seed " + std::to_string(seed);

        auto const block = split(problem, how).block;

        ASSERT_EQ(block.size(), problem.block.size());
        for (std::size_t v = 0; v < block.size(); ++v)
          ASSERT_EQ(scope_of(problem, block[v]), scope_of(problem, problem.block[v])) << where << ", vertex " << v;
        EXPECT_EQ(overloads_of(problem, block), std::vector<Weight>(at(problem.num_scopes), 0)) << where;
      });
    }
}

TEST(SplitScopes, FillsOnlyValidBlocksOnEveryShape) {
  for (auto const seed : each_seed(5))
    for (auto const& [name, graph] : all_shapes(seed)) {
      auto const problem = random_problem({graph}, 4, 5, seed);
      for_each_plan(targets_of(problem), seed, [&, &shape = name](SplitPlan const& how) {
        for (Block const b : split(problem, how).block) {
          ASSERT_GE(b, 0) << shape;
          ASSERT_LT(b, 4) << shape;
        }
      });
    }
}

TEST(SplitScopes, ReportsTheCutItReturns) {
  for (auto const seed : each_seed(5)) {
    auto const problem = many_scopes(seed, 3);
    for_each_plan(targets_of(problem), seed, [&](SplitPlan const& how) {
      auto const result = split(problem, how);

      auto const costs = costs_of(problem, CutCase{problem.num_blocks()}, result.block);
      EXPECT_EQ(result.levels.back().cost, std::accumulate(costs.begin(), costs.end(), Weight{0}))
          << "tournament " << how.tournament;
      EXPECT_EQ(result.levels.back().level, 0);
    });
  }
}

TEST(SplitScopes, SeparatesTwoCliquesJoinedByAnEdge) {
  auto const clique = complete(20);
  auto csr = to_csr(side_by_side({clique, clique}));
  Problem problem{csr.graph(), 2, 1, {}, {21, 21}, {20, 20}};
  problem.block.assign(40, 0);

  auto const block = split(problem, plan(CoarseningAlgorithm::clustering, targets_of(problem), 1, 0)).block;

  EXPECT_EQ(costs_of(problem, CutCase{2}, block)[0], 0);
  EXPECT_EQ(loads_of(problem.graph, block, 2), (std::vector<Weight>{20, 20}));
}

TEST(SplitScopes, GivesTheSameBytesOnAnyNumberOfThreads) {
  auto const problem = random_problem({grid2d(70, 70), random_geometric(3000, 4)}, 3, 5, 4);
  for_each_plan(targets_of(problem), 4, [&](SplitPlan const& how) {
    auto const expected = split(problem, how, 1).block;
    for (int const threads : Backend::thread_counts())
      EXPECT_EQ(split(problem, how, threads).block, expected) << threads << " threads, tournament " << how.tournament;
  });
}

}  // namespace
}  // namespace procmap::test
