// SPDX-License-Identifier: MIT
#include "multilevel/methods/hierarchy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/mapping_task.hpp"

namespace procmap::test {
namespace {

std::vector<Block> map_on(MappingJob const& job, int threads = 2) {
  Backend backend(threads);
  auto const graph = backend.put(job.graph);
  return backend.get(map_onto_hierarchy(backend.ex, graph.view(), job.task()));
}

TEST(MapGraph, EndsFeasibleWithUnitWeightsInBothMethods) {
  for (auto const seed : each_seed(2))
    for_each_unit_shape(seed, [&](Graph const& graph, std::string const& name) {
      for (auto const& topology : small_machines())
        for (auto const* const preset : {"im", "fast", "hm", "default"}) {
          MappingJob const job(graph, topology, preset, 0.03, seed);

          auto const block = map_on(job);

          ASSERT_EQ(block.size(), at(graph.num_vertices()));
          for (Weight const load : loads_of(graph, block, topology.num_pes()))
            ASSERT_LE(load, job.capacity) << name << ", " << preset << ", " << topology.describe();
        }
    });
}

TEST(IntegratedMapping, PutsEveryVertexOfEveryShapeOnAPe) {
  for (auto const seed : each_seed(3))
    for (auto const& [name, graph] : all_shapes(seed))
      for (auto const& topology : small_machines())
        for (auto const* const preset : {"im", "fast"}) {
          MappingJob const job(graph, topology, preset, 0.03, seed);
          Backend backend;
          auto const on_machine = backend.put(graph);
          for (Block const b : backend.get(integrated_mapping(backend.ex, on_machine.view(), job.task())))
            ASSERT_TRUE(b >= 0 && b < topology.num_pes()) << name << ", " << preset << ", block " << b;
        }
}

TEST(IntegratedMapping, ReportsTheCostItReturnsWithoutSwaps) {
  for (auto const* const preset : {"im", "fast"}) {
    MappingJob job(with_weights(random_geometric(2000, 5), 5, 3, 9), Topology::hierarchy("4:2:3", "1:10:100"), preset,
                   0.05, 5);
    job.config.refinement.subtree_swaps = false;
    Backend backend;
    auto const graph = backend.put(job.graph);

    auto const block = backend.get(integrated_mapping(backend.ex, graph.view(), job.task()));

    EXPECT_EQ(backend.run().stats().levels.back().cost, cost_of(to_csr(job.graph), job.topology, block)) << preset;
  }
}

TEST(IntegratedMapping, MultisectsAShareOfTheVerticesAndCutsOnlyThereByFlow) {
  MappingJob job(random_geometric(6000, 3), Topology::hierarchy("2:2:3", "1:10:100"), "fast", 0.03, 3);
  job.config.integrated.vertices_per_block = 8;
  job.config.integrated.coarsest_share = 0.2;
  job.config.integrated.coarsest_vertices = 0;
  job.config.integrated.fine_splits = 0;
  Backend backend;
  auto const graph = backend.put(job.graph);

  integrated_mapping(backend.ex, graph.view(), job.task());

  Vertex coarsest = 6000;
  std::int64_t cuts = 0;
  for (auto const& level : backend.run().stats().levels) {
    if (level.stage == "mapping") {
      coarsest = std::min(coarsest, level.vertices);
      EXPECT_EQ(level.flow_cuts, 0) << "level " << level.level;
    } else {
      cuts += level.flow_cuts;
    }
  }
  EXPECT_LE(coarsest, 1200);
  EXPECT_GE(coarsest, 1200 / 3) << "a level too many";
  EXPECT_GT(cuts, 0);
}

TEST(IntegratedMapping, SplitsTheFinestGraphFirstAndTheRestOnACoarseOne) {
  MappingJob job(random_geometric(6000, 3), Topology::hierarchy("2:2:3", "1:10:100"), "fast", 0.03, 3);
  job.config.integrated.vertices_per_block = 8;
  job.config.integrated.coarsest_share = 0.2;
  job.config.integrated.coarsest_vertices = 0;
  for (int const splits : {0, 1}) {
    job.config.integrated.fine_splits = splits;
    Backend backend;
    auto const graph = backend.put(job.graph);

    integrated_mapping(backend.ex, graph.view(), job.task());

    std::map<std::string, Vertex> largest;
    for (auto const& level : backend.run().stats().levels)
      largest[level.stage] = std::max(largest[level.stage], level.level == 0 ? level.vertices / level.members : 0);
    for (int step = 0; step < 3; ++step) {
      Vertex const vertices = largest.at("multisection " + std::to_string(3 - step));
      if (step < splits)
        EXPECT_EQ(vertices, 6000) << "step " << step << " of " << splits;
      else
        EXPECT_LE(vertices, 1500) << "step " << step << " of " << splits;
    }
    EXPECT_EQ(largest.at("mapping"), 6000);
  }
}

/// How often each stage refined the finest graph.
std::map<std::string, int> finest_levels(MappingJob const& job) {
  Backend backend;
  auto const graph = backend.put(job.graph);
  integrated_mapping(backend.ex, graph.view(), job.task());
  std::map<std::string, int> count;
  for (auto const& level : backend.run().stats().levels)
    if (level.level == 0 && level.vertices == job.graph.num_vertices()) ++count[level.stage];
  return count;
}

/// A power law, onto a machine of which `fast` splits the outermost level on the finest graph.
MappingJob power_law_job() {
  MappingJob job(rmat(13, 120000, 2), Topology::hierarchy("2:2:2", "1:10:100"), "fast", 0.03, 3);
  job.config.integrated.coarsest_vertices = 2048;
  job.config.integrated.max_arc_share = 1;
  job.config.integrated.least_cost_share = 0;
  return job;
}

std::map<std::string, int> const all_of_finest{{"multisection 3", 1}, {"multisection 2", 1}, {"multisection 1", 1}};
std::map<std::string, int> const outermost_of_finest{{"multisection 3", 1}, {"mapping", 1}};

TEST(IntegratedMapping, MultisectsAllOfAGraphWhoseArcsHardlyShrink) {
  auto job = power_law_job();
  ASSERT_EQ(fine_splits(job.task(), job.graph.num_vertices()), 1);

  EXPECT_EQ(finest_levels(job), outermost_of_finest);
  job.config.integrated.max_arc_share = 0.1;
  EXPECT_EQ(finest_levels(job), all_of_finest);
}

TEST(IntegratedMapping, MultisectsAllOfAGraphOfWhichCoarseOnesTellLittle) {
  auto job = power_law_job();
  MappingJob even(random_geometric(8192, 2), job.topology, "fast", 0.03, 3);
  even.config.integrated.coarsest_vertices = 2048;
  Backend backend;
  auto const graph = backend.put(job.graph);
  auto const cost = [&] {
    auto const block = backend.get(integrated_mapping(backend.ex, graph.view(), job.task()));
    return cost_of(to_csr(job.graph), job.topology, block);
  };
  auto const before = cost();
  job.config.integrated.least_cost_share = 0.5;

  EXPECT_EQ(finest_levels(job), all_of_finest);
  EXPECT_EQ(finest_levels(even), outermost_of_finest);
  EXPECT_LT(static_cast<double>(cost()), 0.9 * static_cast<double>(before));
}

TEST(CoarseGraphsMislead, WhereTheFinestLevelsSaveMostOfWhatASplitCosts) {
  std::vector<LevelCost> const costs{{100, 900}, {400, 800}, {1000, 300}};
  IntegratedConfig config;
  config.least_cost_share = 0.35;

  EXPECT_TRUE(coarse_graphs_mislead(costs, 100, config));
  EXPECT_TRUE(coarse_graphs_mislead(costs, 399, config));
  EXPECT_FALSE(coarse_graphs_mislead(costs, 400, config)) << "300 of 800";
  EXPECT_FALSE(coarse_graphs_mislead(costs, 1000, config)) << "the finest itself";
  EXPECT_FALSE(coarse_graphs_mislead(costs, 99, config)) << "no level is so coarse";
  EXPECT_FALSE(coarse_graphs_mislead({}, 400, config));
}

TEST(IntegratedMapping, KeepsFixedVerticesThroughSplitsOfTheFinestGraph) {
  MappingJob job(random_geometric(4000, 3), Topology::hierarchy("4:2:3", "1:10:100"), "fast", 0.05, 3);
  job.config.integrated.coarsest_vertices = 0;
  std::vector<Block> fixed(4000, no_block);
  for (std::size_t v = 0; v < fixed.size(); v += 97) fixed[v] = static_cast<Block>(v % 24);
  Backend backend;
  auto const graph = backend.put(job.graph);
  auto const on_machine = backend.put(fixed);
  auto const task = with_config(job.task(), job.config, on_machine.data());
  ASSERT_EQ(fine_splits(task, 4000), 1);

  auto const block = backend.get(map_onto_hierarchy(backend.ex, graph.view(), task));

  for (std::size_t v = 0; v < fixed.size(); v += 97) EXPECT_EQ(block[v], fixed[v]) << "vertex " << v;
  for (Weight const load : loads_of(job.graph, block, 24)) EXPECT_LE(load, job.capacity);
}

/// All vertices of a mapping crowded onto one PE.
TEST(RestoreBalance, MakesAnyMappingOfUnitWeightsFeasible) {
  for (auto const seed : each_seed(5))
    for_each_unit_shape(seed, [&](Graph const& graph, std::string const& name) {
      for (auto const& topology : small_machines()) {
        MappingJob const job(graph, topology, "im", 0.03, seed);
        Backend backend;
        auto const on_machine = backend.put(graph);
        auto const block = backend.put(std::vector<Block>(at(graph.num_vertices()), topology.num_pes() - 1));

        restore_balance(backend.ex, on_machine.view(), job.task(), block.data());

        for (Weight const load : loads_of(graph, backend.get(block), topology.num_pes()))
          ASSERT_LE(load, job.capacity) << name << ", " << topology.describe();
      }
    });
}

TEST(RestoreBalance, LeavesAFeasibleMappingAlone) {
  auto const graph = grid2d(12, 10);
  MappingJob const job(graph, Topology::hierarchy("2:3", "1:10"), "im", 0.0, 1);
  std::vector<Block> expected;
  for (Vertex v = 0; v < 120; ++v) expected.push_back(v % 6);  // feasible, and as bad as can be
  Backend backend;
  auto const on_machine = backend.put(graph);
  auto const block = backend.put(expected);

  restore_balance(backend.ex, on_machine.view(), job.task(), block.data());

  EXPECT_EQ(backend.get(block), expected);
}

TEST(MapGraph, GivesTheSameBytesOnAnyNumberOfThreads) {
  for (auto const* const preset : {"im", "fast"}) {
    MappingJob const job(with_weights(rmat(13, 30000, 2), 2, 3, 9), Topology::hierarchy("4:2:3", "1:10:100"), preset,
                         0.03, 2);
    auto const expected = map_on(job, 1);
    for (int const threads : Backend::thread_counts())
      EXPECT_EQ(map_on(job, threads), expected) << preset << ", " << threads << " threads";
  }
}

}  // namespace
}  // namespace procmap::test
