// SPDX-License-Identifier: MIT
#include "support/lagging.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "coarsening/coarsen.hpp"
#include "refinement/flow/pairwise.hpp"
#include "refinement/jet/settle.hpp"
#include "support/clusters.hpp"
#include "support/refinement.hpp"

// Composites give the same answer however late the threads of a GPU are with passes that end without a barrier.

namespace procmap::test {
namespace {

using LaggingBackend = BasicBackend<LaggingExecutor>;

constexpr std::uint64_t lagging_seeds[] = {1, 2};

/// Where the vertices go, level by level.
template <class Where>
std::vector<std::vector<Vertex>> coarsened(Csr const& csr, std::vector<Block> const& scope,
                                           CoarseningAlgorithm algorithm, std::uint64_t seed) {
  Where backend;
  auto const graph = backend.put(csr);
  auto const its_scope = backend.put(scope);
  CoarseningConfig config;
  config.algorithm = algorithm;
  CoarseningGoal const goal{8, 1 + csr.graph().total_vertex_weight() / 8};
  std::vector<std::vector<Vertex>> levels;
  for (auto const& level : coarsen(backend.ex, graph.view(), {its_scope.data()}, {goal, config, seed}))
    levels.push_back(backend.get(level.coarse_of));
  return levels;
}

TEST(Lagging, LevelsAreTheSame) {
  for (auto const seed : each_seed(lagging_seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (auto const algorithm : {CoarseningAlgorithm::matching, CoarseningAlgorithm::clustering})
        for (Block const num_scopes : {1, 4}) {
          auto const csr = to_csr(graph);
          auto const scope = scopes_for(csr, num_scopes);
          auto const inside = scope.empty() ? csr : without_cross_arcs(csr, scope);

          EXPECT_EQ(coarsened<LaggingBackend>(inside, scope, algorithm, seed),
                    coarsened<CpuBackend>(inside, scope, algorithm, seed))
              << shape << ", " << num_scopes << " scopes";
        }
}

/// Moves, cuts and single moves.
template <class Where>
std::vector<Block> refined(Problem const& problem, Rebalancing rebalancing, std::uint64_t seed) {
  Where backend;
  Stage stage(backend, problem, machine("2:3:2", "1:10:100"));
  RefinementConfig config;
  config.rebalancing = rebalancing;
  auto* const block = stage.state.block;
  refine(backend.ex, stage.problem(), stage.scratch, block, {config, 0.75, seed, 0.05});
  refine_pairs(backend.ex, stage.problem(), stage.scratch, block, FlowConfig{}, seed);
  settle(backend.ex, stage.problem(), stage.scratch, block, {config, 0, seed});
  return stage.per_vertex(block);
}

TEST(Lagging, RefinementIsTheSame) {
  for (auto const seed : each_seed(lagging_seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (auto const rebalancing : {Rebalancing::sorted, Rebalancing::buckets}) {
        auto const problem = random_problem({graph}, 12, 3, seed);

        EXPECT_EQ(refined<LaggingBackend>(problem, rebalancing, seed), refined<CpuBackend>(problem, rebalancing, seed))
            << shape;
      }
}

using Entries = std::vector<std::pair<std::uint64_t, Vertex>>;

/// Who borders on whom, in the first search and in a second one after something changed.
template <class Where>
std::vector<Entries> borders(Problem const& problem, std::uint64_t seed) {
  Where backend;
  Stage stage(backend, problem, CutCase{problem.num_blocks()});
  stage.start();
  auto const run = begin_flow(backend.ex, stage.problem(), stage.scratch, stage.state.block, FlowConfig{}, seed);
  std::vector<Entries> found;
  for (int search = 0; search < 2; ++search) {
    auto const border = find_borders(backend.ex, run, stage.scratch.active.data());
    found.emplace_back();
    for (auto const& entry : backend.get(border.entries)) found.back().emplace_back(entry.key, entry.id);
    found.back().resize(border.pairs.empty() ? 0 : at(border.pairs.back().last));
    for (Block b = 0; b < problem.num_blocks(); b += 2) run.state.changed.block[b] = 1;
    for (Block s = 0; s < problem.num_scopes; ++s) run.state.changed.scope[s] = 1;
  }
  return found;
}

TEST(Lagging, BordersAreTheSame) {
  for (auto const seed : each_seed(lagging_seeds))
    for (auto const& [shape, graph] : all_shapes(seed)) {
      auto const problem = random_problem({graph, grid2d(9, 8)}, 4, 1000, seed);

      EXPECT_EQ(borders<LaggingBackend>(problem, seed), borders<CpuBackend>(problem, seed)) << shape;
    }
}

}  // namespace
}  // namespace procmap::test
