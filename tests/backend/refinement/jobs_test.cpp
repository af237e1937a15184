// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "refinement/flow/pairwise.hpp"
#include "refinement/jet/jet.hpp"
#include "support/refinement.hpp"

// Refinement in parts and cuts of free pairs, which is how a CPU shares them out, against everything at once.

namespace procmap::test {

/// The edge cut without saying that all its distances are equal: pairs are cut by colour classes.
struct CutByClasses : EdgeCut {};

namespace {

RefinementRules const to_the_end{{}, 0.25, 7};

RefinementRules first_rounds(int rounds) {
  auto rules = to_the_end;
  rules.config.max_rounds = rounds;
  return rules;
}

struct Outcome {
  std::vector<Block> block;
  std::vector<Weight> cost;
  Weight rounds = 0;

  bool operator==(Outcome const&) const = default;
};

template <class Stage_>
Outcome outcome_of(Stage_ const& stage) {
  Outcome outcome{stage.per_vertex(stage.state.block), {}, stage.read(stage.scratch.summary.data(), 1)[0].rounds};
  for (auto const& scope : stage.scopes()) outcome.cost.push_back(scope.best_cost);
  return outcome;
}

Outcome refined_as_a_whole(Problem const& problem, RefinementRules const& rules = to_the_end) {
  Backend backend;
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  auto refinement = stage.refinement();
  refinement.rules = rules;
  refine_part(backend.ex, refinement, stage.objective, stage.scratch, &stage.scratch.summary.data()->rounds);
  return outcome_of(stage);
}

/// The loop begins with the start, whatever the size.
Outcome refined_in_one_go(Problem const& problem, RefinementRules const& rules) {
  Backend backend;
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  auto refinement = stage.refinement();
  refinement.rules = rules;
  auto const needs =
      needs_of_part<decltype(backend.ex)>(refinement.part, refinement.graph, refinement.blocks, stage.objective);
  backend.ex.resident(needs,
                      whole_loop(refinement, stage.objective, stage.scratch, &stage.scratch.summary.data()->rounds));
  return outcome_of(stage);
}

Outcome refined(Problem const& problem, int copies, int threads, RefinementRules const& rules = to_the_end) {
  Backend backend(threads);
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  auto task = stage.problem();
  task.copies = copies;
  refine(backend.ex, task, stage.scratch, stage.state.block, rules);
  return outcome_of(stage);
}

TEST(RefinementJobs, OfScopesAreRefinedAsTheWhole) {
  for (auto const seed : each_seed(2))
    for (Weight const slack : {1, 10}) {
      auto const problem = random_problem({grid2d(60, 61), star(3000), no_edges(5), random_geometric(2500, seed),
                                           with_weights(grid2d(40, 30), seed, 9, 30), rmat(11, 9000, seed)},
                                          5, slack, seed);
      auto const expected = refined_as_a_whole(problem);

      for (int const threads : Backend::thread_counts()) EXPECT_EQ(refined(problem, 1, threads), expected);
    }
}

TEST(RefinementJobs, OfCopiesAreRefinedAsTheWhole) {
  for (auto const seed : each_seed(2)) {
    auto const graph = with_weights(random_geometric(1500, seed), seed, 5, 20);
    auto const problem = random_problem(std::vector<Graph>(6, graph), 4, 3, seed);
    auto const expected = refined_as_a_whole(problem);

    for (int const threads : Backend::thread_counts())
      for (int const copies : {2, 3, 6}) EXPECT_EQ(refined(problem, copies, threads), expected) << copies << " copies";
  }
}

TEST(RefinementJobs, OfLargeGraphsAreStartedApart) {
  std::vector<std::vector<Graph>> cases{std::vector<Graph>(4, grid2d(256, 257))};
  if (!sanitized) cases.push_back({grid2d(513, 512)});
  for (auto const& scopes : cases) {
    auto const problem = random_problem(scopes, 2, 4, 11);
    ASSERT_GE(problem.graph.num_vertices(), RefinementStart<EdgeCut>::apart);
    auto const rules = first_rounds(2);  // what differs is the start
    auto const expected = refined_in_one_go(problem, rules);

    EXPECT_EQ(refined_as_a_whole(problem, rules), expected);
    EXPECT_EQ(refined(problem, 1, 2, rules), expected);
  }
}

template <class Objective>
Outcome cut(Problem const& problem, int threads) {
  Backend backend(threads);
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  auto const task = stage.problem();
  RefinementProblem<Objective> const as{task.graph, Objective{{problem.num_blocks()}}, task.blocks};
  RefinementConfig jet;
  jet.rounds = 2;
  refine(backend.ex, as, stage.scratch, stage.state.block, {jet, 0, 1});
  FlowConfig config;
  config.rounds = 3;
  config.band = 0.2;
  auto const result = refine_pairs(backend.ex, as, stage.scratch, stage.state.block, config, 1);
  auto outcome = outcome_of(stage);
  outcome.rounds = result.cuts + 1000 * result.cut_short;
  return outcome;
}

struct CutFree : EdgeCut {};

}  // namespace
}  // namespace procmap::test

template <>
struct procmap::ObjectiveTraits<procmap::test::CutFree> : procmap::ObjectiveTraits<procmap::EdgeCut> {};

namespace procmap::test {
namespace {

TEST(PairJobs, AreCutAsByClasses) {
  for (auto const seed : each_seed(3)) {
    auto const problem = random_problem(
        {grid2d(50, 50), with_weights(random_geometric(2000, seed), seed, 9, 30), rmat(9, 3000, seed), grid2d(30, 30)},
        7, 8, seed);
    auto const expected = cut<CutByClasses>(problem, 1);

    for (int const threads : Backend::thread_counts()) EXPECT_EQ(cut<CutFree>(problem, threads), expected);
  }
}

}  // namespace
}  // namespace procmap::test
