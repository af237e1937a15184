// SPDX-License-Identifier: MIT
#include "support/lagging.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coarsening/clustering.hpp"
#include "refinement/jet/settle.hpp"
#include "support/clusters.hpp"
#include "support/refinement.hpp"

// Composites give the same answer however late the threads of a GPU are with passes that end without a barrier.

namespace procmap::test {
namespace {

constexpr std::uint64_t lagging_seeds[] = {1, 2};

TEST(Lagging, ClustersAreTheSame) {
  CoarseningConfig const config;
  for (auto const seed : each_seed(lagging_seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (Weight const averages : {2, 1000}) {
        auto const csr = to_csr(graph);
        Backend backend;
        auto const on_backend = backend.put(csr);
        auto const n = csr.num_vertices();
        PairLimits const limits{1 + averages * graph.total_vertex_weight() / std::max(1, n), nullptr};
        auto leader = backend.make<Vertex>(at(n));
        auto late_leader = backend.make<Vertex>(at(n));
        ClusteringRules const rules{config.clustering_rounds, config.clustering_subrounds, config.shrink_factor,
                                    config.shrink_tolerance,  config.min_shrink,           config.two_hop_above};
        Clustering const late{on_backend.view(), limits, rules, seed, late_leader.data()};

        cluster(backend.ex, on_backend.view(), limits, config, seed, leader.data());
        run_lagging(backend.ex, {n, late.scratch_bytes<CpuExecutor>(), n, graph.num_arcs()}, late);

        EXPECT_EQ(backend.get(late_leader), backend.get(leader)) << shape << ", " << averages << " averages";
      }
}

template <class Case>
std::vector<Block> refined(Problem const& problem, Case const& objective, RefinementRules const& rules, bool lagging) {
  Backend backend;
  Stage stage(backend, problem, objective);
  auto const all = whole_part(stage.graph, stage.blocks);
  Refinement const refinement{stage.graph, stage.blocks, stage.state, rules, all};
  auto const loop = whole_loop(refinement, stage.objective, stage.scratch, nullptr);
  SettleLoop<decltype(loop.objective)> const settling{refinement, loop.objective, loop.active, loop.movers,
                                                      loop.accepted};
  auto const run = [&](auto const& composite) {
    auto const bytes = rebalance_bytes<CpuExecutor>(all, stage.blocks, stage.objective);
    ResidentNeeds const needs{stage.graph.num_vertices, bytes, stage.objective.num_keys(), stage.graph.num_arcs};
    if (lagging)
      run_lagging(backend.ex, needs, composite);
    else
      backend.ex.resident(needs, composite);
  };
  run(loop);
  run(settling);
  return stage.per_vertex(stage.state.block);
}

TEST(Lagging, RefinementIsTheSame) {
  auto const objective = machine("2:3:2", "1:10:100");
  for (auto const seed : each_seed(lagging_seeds))
    for (auto const& [shape, graph] : all_shapes(seed))
      for (auto const rebalancing : {Rebalancing::sorted, Rebalancing::buckets}) {
        auto const problem = random_problem({graph}, objective.num_blocks(), 3, seed);
        RefinementConfig config;
        config.rebalancing = rebalancing;
        RefinementRules const rules{config, 0.75, seed, 0.05};

        EXPECT_EQ(refined(problem, objective, rules, true), refined(problem, objective, rules, false)) << shape;
      }
}

}  // namespace
}  // namespace procmap::test
