// SPDX-License-Identifier: MIT
#include "multilevel/split/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
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
    for (int const tournament : {1, 4}) {
      auto how = plan(algorithm, targets, tournament, seed);
      how.refined_starts = seed % 2 == 0 ? 1 : 0.5;
      f(how);
    }
}

/// Members on one level: their blocks, and what refining them there comes to.
struct Members {
  Problem problem;
  std::vector<Block> block;  // member after member
  int size;

  std::vector<Block> of(std::vector<Block> const& all, int t) const {
    auto const n = static_cast<std::ptrdiff_t>(problem.block.size());
    std::vector<Block> blocks(all.begin() + n * t, all.begin() + n * (t + 1));
    for (Block& b : blocks) b -= t * problem.num_blocks();
    return blocks;
  }
};

/// Two scopes. A vertex of member t is where it is best, or, the more often the larger t, anywhere in its scope; in the
/// second scope the members come in reverse order.
Members spoiled_members(int size, std::uint64_t seed) {
  Members members{random_problem({grid2d(12, 12), grid2d(10, 14)}, 2, 5, seed), {}, size};
  auto const& problem = members.problem;
  for (int t = 0; t < size; ++t)
    for (std::size_t v = 0; v < problem.block.size(); ++v) {
      Block const scope = scope_of(problem, problem.block[v]);
      auto const place = scope == 0 ? v / 72 : (v - 144) / 70;
      auto const chance = static_cast<Weight>(scope == 0 ? t : size - 1 - t);
      bool const elsewhere = static_cast<Weight>(random_below(100, seed, v, at(t))) < 4 * chance;
      members.block.push_back(t * problem.num_blocks() + scope * 2 + static_cast<Block>(elsewhere ? 1 - place : place));
    }
  return members;
}

struct Refined {
  std::vector<Block> block;
  LevelStats level;
};

Refined refined(Members const& members, StagePlan const& plan, MemberCounts counts) {
  Backend backend;
  auto const graph = backend.put(members.problem.graph);
  auto const scope = backend.put(scopes_of(members.problem));
  Population<Backend::Exec> population{members.size, backend.put(members.block)};
  RefinementScratch<Backend::Exec> scratch(backend.ex, 0, 0);
  refine_members(backend.ex, {graph.view(), {scope.data()}, 1}, targets_of(members.problem), plan, scratch, population,
                 counts);
  EXPECT_EQ(population.size, counts.kept);
  return {backend.get(population.block), backend.run().stats().levels.back()};
}

/// No rounds, so that members keep what they are; minimum cuts, if asked for.
StagePlan unmoved(int flow_rounds) {
  StagePlan plan;
  plan.refinement.rounds = 0;
  plan.flow.rounds = flow_rounds;
  return plan;
}

TEST(RefineMembers, RefinesTheBestOfEveryScopeAsTheyAre) {
  for (auto const seed : each_seed(5)) {
    auto const members = spoiled_members(6, seed);
    auto const objective = CutCase{members.problem.num_blocks()};

    auto const kept = refined(members, unmoved(0), {3, 3});

    EXPECT_EQ(kept.level.members, 3);
    for (std::size_t s = 0; s < 2; ++s) {
      std::vector<std::pair<Weight, Weight>> before, after;
      for (int t = 0; t < 6; ++t) {
        auto const block = members.of(members.block, t);
        before.emplace_back(overloads_of(members.problem, block)[s], costs_of(members.problem, objective, block)[s]);
      }
      for (int t = 0; t < 3; ++t) {
        auto const block = members.of(kept.block, t);
        after.emplace_back(overloads_of(members.problem, block)[s], costs_of(members.problem, objective, block)[s]);
      }
      std::ranges::sort(before);
      before.resize(3);
      EXPECT_EQ(after, before) << "scope " << s;
    }
  }
}

TEST(RefineMembers, CutsOnlyWhatGoesOn) {
  auto const members = spoiled_members(6, 1);

  auto const all = refined(members, unmoved(1), {6, 6}).level;
  auto const some = refined(members, unmoved(1), {6, 2}).level;

  EXPECT_EQ(all.members, 6);
  EXPECT_EQ(some.members, 6) << "the rounds are those of all";
  EXPECT_GT(some.flow_cuts, 0);
  EXPECT_LT(some.flow_cuts, all.flow_cuts);
}

TEST(RefineMembers, ReportsTheCutOfThoseThatAreLeft) {
  for (auto const seed : each_seed(3)) {
    auto const members = spoiled_members(4, seed);
    StagePlan plan;
    plan.filter_coarse = 0.75;

    auto const kept = refined(members, plan, {2, 1});

    auto const costs = costs_of(members.problem, CutCase{members.problem.num_blocks()}, kept.block);
    EXPECT_EQ(kept.level.cost, costs[0] + costs[1]);
    EXPECT_EQ(kept.level.members, 2);
  }
}

TEST(SplitScopes, RefinesHalfOfItsStarts) {
  auto const problem = random_problem({grid2d(40, 40)}, 3, 5, 1);
  auto how = plan(CoarseningAlgorithm::clustering, targets_of(problem), 8, 1);
  how.refined_starts = 0.5;

  auto const levels = split(problem, how).levels;

  EXPECT_EQ(levels.front().members, 4);
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
