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

/// What vertices see as refinement looks at them, from their tables if they have one.
struct Sight {
  std::vector<Weight> weight;  // [v * num_blocks + b]
  std::vector<std::uint8_t> borders;
};

template <HostExecutor Exec, class Objective>
void look(Exec& ex, Refinement const& refinement, Objective objective, Weight* weight, std::uint8_t* borders) {
  auto const graph = refinement.graph;
  auto const state = refinement.state;
  Block const k = refinement.blocks.num_blocks;
  Block const per_scope = refinement.blocks.per_scope;
  ex.for_each_with_table(
      graph.num_vertices,
      [=] PROCMAP_LAMBDA(Edge v) { return see_needs(graph, state, objective, per_scope, static_cast<Vertex>(v)); }, k,
      [=] PROCMAP_LAMBDA(Edge v, auto group, auto& table) {
        bool const sees_others = see_blocks(graph, state, static_cast<Vertex>(v), group, table);
        for (Block b = group.rank(); b < k; b += group.size()) weight[v * k + b] = table.get(b);
        if (group.rank() == 0) borders[v] = sees_others;
      });
}

template <class Case>
Sight look(Backend& backend, Stage<Case>& stage) {
  auto const n = at(stage.graph.num_vertices);
  auto const weight = backend.template make<Weight>(n * at(stage.blocks.num_blocks));
  auto const borders = backend.template make<std::uint8_t>(n);
  look(backend.ex, stage.refinement(), stage.objective, weight.data(), borders.data());
  return {backend.get(weight), backend.get(borders)};
}

/// The same by definition.
Sight look(Problem const& problem, std::vector<Block> const& block) {
  auto const graph = view_of(problem.graph);
  auto const k = at(problem.num_blocks());
  Sight sight{std::vector<Weight>(block.size() * k, 0), std::vector<std::uint8_t>(block.size(), 0)};
  for (Vertex v = 0; v < graph.num_vertices; ++v)
    for (Edge e = graph.begin(v); e < graph.end(v); ++e) {
      Block const other = block[at(graph.heads[e])];
      sight.weight[at(v) * k + at(other)] += graph.arc_weight(e);
      if (other != block[at(v)] && graph.arc_weight(e) != 0) sight.borders[at(v)] = 1;
    }
  return sight;
}

void expect_tables_equal_fresh_sums(Problem const& problem, std::uint64_t seed, std::string const& where) {
  Backend backend;
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  auto const tables = stage.state.tables = stage.scratch.tables_of(backend.ex, stage.graph);
  ASSERT_NE(tables.first, nullptr) << where << ": no hubs";
  stage.start();
  EXPECT_GT(stage.read(tables.used, 1)[0], 0) << where << ": nobody keeps a table";
  auto block = problem.block;
  for (std::uint64_t round = 0; round < 6; ++round) {
    auto const seen = look(backend, stage);
    auto const expected = look(problem, block);
    EXPECT_EQ(seen.weight, expected.weight) << where << ", round " << round;
    EXPECT_EQ(seen.borders, expected.borders) << where << ", round " << round;
    auto const moves = random_moves(problem, block, hash(seed, round));
    apply(stage, moves);
    for (Vertex const v : moves.movers) block[at(v)] = moves.proposal[at(v)];
  }
}

TEST(ApplyMoves, KeepsTheTablesOfHubsEqualToFreshSums) {
  for (auto const seed : each_seed(5))
    for (Block const per_scope : {2, 7, 40}) {
      auto const problem = random_problem({star(300), with_weights(random_graph(150, 0.7, seed), seed, 9, 9),
                                           complete(90), with_zero_weights(power_law(400, seed), seed)},
                                          per_scope, 10, seed);
      expect_tables_equal_fresh_sums(problem, seed,
                                     std::to_string(per_scope) + " blocks, seed " + std::to_string(seed));
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
