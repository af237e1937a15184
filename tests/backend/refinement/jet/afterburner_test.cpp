// SPDX-License-Identifier: MIT
#include "refinement/jet/afterburner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/refinement.hpp"

namespace procmap::test {
namespace {

struct Burned {
  std::vector<Block> proposal;
  std::vector<Weight> gain;
  std::vector<std::uint8_t> accepted;
};

/// Proposes with Jet's coarse filter and runs the afterburner over all vertices.
template <class Case>
Burned burn(Problem const& problem, Case const& objective, std::uint64_t seed, int threads = 2) {
  Backend backend(threads);
  Stage stage(backend, problem, objective);
  stage.start();
  stage.set_modes(ScopeMode::propagate);
  stage.propose(0.75, seed);
  VertexList const active{stage.scratch.active.data(), stage.graph.num_vertices};
  stage.run([refinement = stage.refinement(), objective = stage.objective, active,
             accepted = stage.scratch.accepted.data()] PROCMAP_LAMBDA(auto& ex) {
    afterburner(ex, refinement, objective, active, accepted);
  });
  return {stage.per_vertex(stage.state.proposal), stage.per_vertex(stage.state.gain),
          backend.get(stage.scratch.accepted)};
}

/// The moves that are no loss, each judged where all candidates before it in (gain, id) order have moved.
template <class Case>
std::vector<std::uint8_t> one_after_the_other(Problem const& problem, Case const& objective, Burned const& burned) {
  std::vector<Vertex> order;
  for (Vertex v = 0; v < problem.graph.num_vertices(); ++v)
    if (burned.proposal[at(v)] != no_block) order.push_back(v);
  std::ranges::stable_sort(order, [&](Vertex u, Vertex v) { return burned.gain[at(u)] > burned.gain[at(v)]; });
  std::vector<std::uint8_t> accepted(problem.block.size(), 0);
  auto moved = problem.block;
  for (Vertex const v : order) {
    accepted[at(v)] = move_gain(view_of(problem.graph), objective, moved, v, burned.proposal[at(v)]) >= 0;
    moved[at(v)] = burned.proposal[at(v)];  // thought to have moved even if rejected
  }
  return accepted;
}

TEST(Afterburner, AcceptsWhatAOneByOneEvaluationInGainOrderAccepts) {
  for (auto const seed : each_seed(20))
    for (auto const& [name, graph] : all_shapes(seed))
      for_each_objective([&, &shape = graph, &shape_name = name](auto const& objective) {
        auto const problem = random_problem({shape}, objective.num_blocks(), 10, seed);

        auto const burned = burn(problem, objective, seed);

        EXPECT_EQ(burned.accepted, one_after_the_other(problem, objective, burned))
            << shape_name << ", " << objective.name();
      });
}

TEST(Afterburner, BothAcceptsAndRejectsOnARandomMapping) {
  auto const problem = random_problem({random_geometric(400, 1)}, 4, 10, 1);

  auto const burned = burn(problem, CutCase{4}, 1);

  auto const candidates = std::ranges::count_if(burned.proposal, [](Block b) { return b != no_block; });
  auto const accepted = std::ranges::count(burned.accepted, 1);
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, candidates);
}

TEST(Afterburner, LetsOnlyOneOfTwoNeighboursMoveTowardsTheOther) {
  Problem const problem{path(2), 2, 1, {0, 1}, {2, 2}, {1, 1}};

  auto const burned = burn(problem, CutCase{2}, 0);

  EXPECT_EQ(burned.gain, (std::vector<Weight>{1, 1}));
  EXPECT_EQ(burned.accepted, (std::vector<std::uint8_t>{1, 0}));
}

TEST(Afterburner, DoesNotDependOnTheNumberOfThreads) {
  for (auto const seed : each_seed(5))
    for_each_objective([&](auto const& objective) {
      auto const problem = random_problem({rmat(13, 30000, seed)}, objective.num_blocks(), 10, seed);
      auto const expected = burn(problem, objective, seed, 1).accepted;
      for (int const threads : Backend::thread_counts())
        EXPECT_EQ(burn(problem, objective, seed, threads).accepted, expected)
            << objective.name() << ", " << threads << " threads, seed ";
    });
}

TEST(MovesBefore, IsAStrictTotalOrderByGainThenId) {
  for (Weight gain_u = -2; gain_u <= 2; ++gain_u)
    for (Weight gain_v = -2; gain_v <= 2; ++gain_v)
      for (Vertex u = 0; u < 3; ++u)
        for (Vertex v = 0; v < 3; ++v)
          EXPECT_EQ(moves_before(gain_u, u, gain_v, v), std::pair(-gain_u, u) < std::pair(-gain_v, v))
              << gain_u << ", " << u << " before " << gain_v << ", " << v;
}

}  // namespace
}  // namespace procmap::test
