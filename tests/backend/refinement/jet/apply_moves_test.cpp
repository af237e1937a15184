// SPDX-License-Identifier: MIT
#include "refinement/jet/apply_moves.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

/// Moves of about a third of the vertices to random other blocks of their scopes.
struct RandomMoves {
  std::vector<Vertex> movers;
  std::vector<Block> proposal;
};

RandomMoves random_moves(Problem const& problem, std::vector<Block> const& block, std::uint64_t seed) {
  RandomMoves moves;
  moves.proposal.assign(block.size(), no_block);
  if (problem.per_scope < 2) return moves;
  for (std::size_t v = 0; v < block.size(); ++v) {
    if (random_below(3, seed, v, 1) != 0) continue;
    Block const first = scope_of(problem, block[v]) * problem.per_scope;
    auto const step = 1 + random_below(problem.per_scope - 1, seed, v, 2);
    moves.proposal[v] = first + static_cast<Block>((block[v] - first + step) % problem.per_scope);
    moves.movers.push_back(static_cast<Vertex>(v));
  }
  return moves;
}

template <class Case>
void apply(Stage<Case>& stage, RandomMoves const& moves) {
  stage.write(moves.proposal, stage.state.proposal);
  stage.write(moves.movers, stage.scratch.movers.data());
  VertexList const movers{stage.scratch.movers.data(), static_cast<Edge>(moves.movers.size())};
  stage.run([refinement = stage.refinement(), objective = stage.objective, movers] PROCMAP_LAMBDA(auto& ex) {
    apply_moves(ex, refinement, objective, movers);
  });
}

std::vector<Weight> costs(std::vector<ScopeState> const& scopes) {
  std::vector<Weight> cost;
  for (auto const& scope : scopes) cost.push_back(scope.cost);
  return cost;
}

/// Applies several rounds of random moves and recomputes everything after each.
template <class Case>
void expect_incremental_equals_recomputed(Problem const& problem, Case const& objective, std::uint64_t seed,
                                          std::string const& where) {
  Backend backend;
  Stage stage(backend, problem, objective);
  stage.start();
  auto expected = problem.block;
  EXPECT_EQ(costs(stage.scopes()), costs_of(problem, objective, expected)) << where << ", at the start";
  for (std::uint64_t round = 0; round < 6; ++round) {
    auto const moves = random_moves(problem, expected, hash(seed, round));
    auto const message = where + ", " + objective.name() + ", round " + std::to_string(round);

    apply(stage, moves);

    for (Vertex const v : moves.movers) expected[at(v)] = moves.proposal[at(v)];
    EXPECT_EQ(stage.per_vertex(stage.state.block), expected) << message;
    EXPECT_EQ(stage.per_vertex(stage.state.previous), expected) << message;
    EXPECT_EQ(stage.loads(), loads_of(problem.graph, expected, problem.num_blocks())) << message;
    EXPECT_EQ(costs(stage.scopes()), costs_of(problem, objective, expected)) << message;
  }
}

TEST(ApplyMoves, KeepsCostAndBlockWeightsEqualToRecomputedOnesOnEveryShape) {
  for (auto const seed : each_seed(20))
    for (auto const& [name, graph] : all_shapes(seed))
      for_each_objective([&, &shape = graph, &shape_name = name](auto const& objective) {
        expect_incremental_equals_recomputed(random_problem({shape}, objective.num_blocks(), 10, seed), objective, seed,
                                             shape_name + ", seed " + std::to_string(seed));
      });
}

TEST(ApplyMoves, KeepsCostAndBlockWeightsOfEveryScopeEqualToRecomputedOnes) {
  for (auto const seed : each_seed(20)) {
    auto const problem =
        random_problem({grid2d(11, 12), star(50), with_weights(random_geometric(150, seed), seed, 9, 9), no_edges(7),
                        with_zero_weights(grid2d(6, 6), seed)},
                       3, 10, seed);
    expect_incremental_equals_recomputed(problem, CutCase{problem.num_blocks()}, seed,
                                         "five scopes, seed " + std::to_string(seed));
  }
}

TEST(ApplyMoves, KeepsCostEqualToRecomputedOnesOnSeveralThreads) {
  auto const problem = random_problem({rmat(13, 40000, 4)}, 12, 10, 4);

  expect_incremental_equals_recomputed(problem, machine("2:3:2", "1:10:100"), 4, "rmat, seed 4");
}

TEST(ApplyMoves, MarksMoversAndDirtiesTheirNeighbours) {
  for (auto const mode : {ScopeMode::propagate, ScopeMode::rebalance_weak, ScopeMode::rebalance_sorted}) {
    auto const problem = random_problem({grid2d(12, 12)}, 4, 10, 8);
    auto const graph = view_of(problem.graph);
    auto const moves = random_moves(problem, problem.block, 8);
    Backend backend;
    Stage stage(backend, problem, CutCase{4});
    stage.start();
    stage.write(std::vector<std::uint8_t>(problem.block.size(), 0), stage.state.dirty);
    stage.set_modes(mode);

    apply(stage, moves);

    std::vector<std::uint8_t> dirty(problem.block.size(), 0), mark(problem.block.size(), 0);
    for (Vertex const v : moves.movers) {
      dirty[at(v)] = 1;
      for (Edge e = graph.begin(v); e < graph.end(v); ++e) dirty[at(graph.heads[e])] = 1;
      mark[at(v)] = mode == ScopeMode::propagate ? Mark::changed | Mark::locked : Mark::changed;
    }
    EXPECT_EQ(stage.per_vertex(stage.state.dirty), dirty) << "mode " << static_cast<int>(mode);
    EXPECT_EQ(stage.per_vertex(stage.state.mark), mark) << "mode " << static_cast<int>(mode);
    EXPECT_EQ(stage.scopes()[0].moves, static_cast<std::int32_t>(moves.movers.size()));
  }
}

}  // namespace
}  // namespace procmap::test
