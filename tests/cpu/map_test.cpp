// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

std::vector<Topology> machines() {
  std::vector<Topology> machines;
  machines.push_back(Topology::hierarchy("4:8:6", "1:10:100"));
  machines.push_back(Topology::hierarchy("2:2", "1:10"));
  machines.push_back(Topology::hierarchy("1:3:1:2", "1:2:2:7"));
  machines.push_back(Topology::hierarchy("7", "3"));
  machines.push_back(Topology::hierarchy("2:2:2:2:2:2:2:2", "0:1:2:4:8:16:32:64"));
  machines.push_back(Topology::flat(1));
  machines.push_back(Topology::flat(500));
  return machines;
}

Options options(std::string_view preset, std::uint64_t seed = 0, double imbalance = 0.03) {
  Options options;
  options.config = Config::preset(preset);
  options.seed = seed;
  options.imbalance = imbalance;
  options.threads = 2;
  return options;
}

/// Every figure of the report is what its definition says about the blocks.
void expect_true(Mapping const& mapping, Graph const& graph, Topology const& topology, double imbalance,
                 std::string const& where) {
  auto const csr = to_csr(graph);
  auto const& report = mapping.report;
  Block const k = topology.num_pes();
  ASSERT_EQ(mapping.blocks.size(), at(graph.num_vertices())) << where;
  for (Block const b : mapping.blocks) ASSERT_TRUE(b >= 0 && b < k) << where << ", block " << b;
  auto const loads = weights_by(csr, mapping.blocks, at(k));
  auto const heaviest = *std::ranges::max_element(loads);
  EXPECT_EQ(report.cost, cost_of(csr, topology, mapping.blocks)) << where;
  EXPECT_EQ(2 * report.edge_cut, cost_of(csr, Topology::flat(k), mapping.blocks)) << where;
  EXPECT_EQ(2 * std::accumulate(report.level_traffic.begin(), report.level_traffic.end(), Weight{0}),
            graph.total_arc_weight())
      << where;
  EXPECT_EQ(report.block_weights, loads) << where;
  EXPECT_EQ(report.max_block_weight, heaviest) << where;
  EXPECT_EQ(report.capacity, block_capacity(graph.total_vertex_weight(), k, imbalance)) << where;
  EXPECT_EQ(report.feasible, heaviest <= report.capacity) << where;
  EXPECT_TRUE(report.feasible || !graph.vertex_weights().empty()) << where << ": unit weights always fit";
}

void expect_all_shapes_map(std::string_view preset, std::uint64_t seed) {
  WorthwhileCases cases;
  for (auto const& [name, graph] : all_shapes(seed))
    for (auto const& topology : machines()) {
      bool const slow = sanitized || preset == "hm-ultra" || preset == "strong";
      if ((slow && (graph.num_vertices() > 120 || topology.num_pes() > 50)) || !cases.next()) continue;
      auto const how = options(preset, seed);
      expect_true(
          map(graph, topology, how), graph, topology, how.imbalance,
          name + " by " + std::string(preset) + " on " + topology.describe() + ", seed " + std::to_string(seed));
    }
}

class EveryPreset : public testing::TestWithParam<std::string> {};

TEST_P(EveryPreset, GivesValidAndTrulyReportedMappings) {
  auto const names = Config::preset_names();
  auto const place = std::find(names.begin(), names.end(), GetParam()) - names.begin();

  expect_all_shapes_map(GetParam(), static_cast<std::uint64_t>(place));
}

std::string test_name(testing::TestParamInfo<std::string> const& info) {
  auto name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Map, EveryPreset, testing::ValuesIn(Config::preset_names()), test_name);

TEST(Map, IsFeasibleForUnitWeightsWithoutAnySlack) {
  for (auto const& preset : {"im", "hm", "fast", "default"})
    for (auto const seed : each_seed(2))
      for (auto const& graph : {grid2d(24, 16), random_geometric(700, seed), star(300), path(193), rmat(8, 900, seed)})
        for (auto const& topology : machines()) {
          auto const how = options(preset, seed, 0.0);
          expect_true(map(graph, topology, how), graph, topology, 0.0,
                      std::string(preset) + " on " + topology.describe() + ", seed " + std::to_string(seed));
        }
}

TEST(Map, IsFeasibleForModeratelyDifferentWeights) {
  for (auto const& preset : {"im", "hm", "fast", "default"})
    for (auto const seed : each_seed(5)) {
      auto const graph = with_weights(random_geometric(2000, seed), seed, 5, 20);
      EXPECT_TRUE(map(graph, Topology::hierarchy("4:8", "1:10"), options(preset, seed)).report.feasible) << preset;
    }
}

TEST(Map, GainsByALastRefinementAndNeverLoses) {
  Weight with = 0;
  Weight without = 0;
  for (auto const seed : each_seed(3)) {
    auto const graph = random_geometric(3000, seed);
    auto const topology = Topology::hierarchy("4:3:2", "1:10:100");
    auto how = options("hm", seed);  // which leaves something to gain with every seed
    auto const cost = map(graph, topology, how).report.cost;
    how.config.multisection.final_rounds = 12;
    auto const refined = map(graph, topology, how);

    EXPECT_TRUE(refined.report.feasible);
    EXPECT_LE(refined.report.cost, cost);
    without += cost;
    with += refined.report.cost;
  }
  EXPECT_LT(with, without);
}

TEST(Map, FlagsAVertexHeavierThanAPeAsInfeasible) {
  auto const graph = with_heavy_vertex(grid2d(12, 12), 7, 10000);
  for (auto const& preset : {"im", "hm", "fast", "default"}) {
    auto const report = map(graph, Topology::hierarchy("2:2", "1:10"), options(preset)).report;

    EXPECT_FALSE(report.feasible) << preset;
    EXPECT_EQ(report.max_block_weight, 10000) << preset << ": nothing but the heavy vertex should lie on its PE";
  }
}

TEST(Map, UsesEveryPeWhenThereAreMorePesThanVertices) {
  auto const graph = path(30);
  for (auto const& preset : {"im", "hm", "fast", "default"}) {
    auto const mapping = map(graph, Topology::flat(500), options(preset));

    auto blocks = mapping.blocks;
    std::ranges::sort(blocks);
    EXPECT_EQ(std::unique(blocks.begin(), blocks.end()), blocks.end()) << preset << ": capacity is one vertex";
    EXPECT_EQ(mapping.report.capacity, 1 + (30 * 1.03 / 500 > 1));
  }
}

TEST(Map, PutsEverythingOnTheOnlyPe) {
  for (auto const& preset : Config::preset_names()) {
    auto const report = map(grid2d(9, 9), Topology::flat(1), options(preset)).report;

    EXPECT_EQ(report.cost, 0) << preset;
    EXPECT_EQ(report.max_block_weight, 81) << preset;
  }
}

TEST(Map, OfTheEmptyGraphIsEmptyAndFeasible) {
  for (auto const& preset : Config::preset_names())
    for (auto const& topology : machines()) {
      auto const mapping = map(Graph(), topology, options(preset));

      EXPECT_TRUE(mapping.blocks.empty()) << preset;
      EXPECT_TRUE(mapping.report.feasible) << preset;
      EXPECT_EQ(mapping.report.cost, 0) << preset;
      EXPECT_EQ(mapping.report.imbalance, 0) << preset;
    }
}

TEST(Map, AcceptsAnyImbalance) {
  WorthwhileCases cases;
  for (auto const& preset : {"im", "hm", "fast", "default"})
    for (double const imbalance : {0.0, 1e-9, 0.5, 10.0, 1e6, 1e18, 1e300}) {
      if (!cases.next()) continue;
      auto const graph = with_weights(grid2d(12, 12), 1, 9, 9);
      auto const how = options(preset, 1, imbalance);
      expect_true(map(graph, machines()[0], how), graph, machines()[0], imbalance,
                  std::string(preset) + ", eps " + std::to_string(imbalance));
    }
}

TEST(Map, AcceptsThreeHugeCapacitiesThatOverflowTogether) {
  auto const graph = with_weights(grid2d(10, 10), 1, Weight{1} << 54, 5);
  for (auto const& preset : {"im", "hm", "fast", "default"})
    expect_true(map(graph, machines()[0], options(preset, 1, 50.0)), graph, machines()[0], 50.0, preset);
}

TEST(Partition, IsTheMappingOntoAFlatMachine) {
  WorthwhileCases cases;
  for (auto const& [name, graph] : all_shapes(7))
    for (Block const k : {1, 2, 13}) {
      if (!cases.next()) continue;
      auto const parts = partition(graph, k, options("default", 7));

      EXPECT_EQ(parts.blocks, map(graph, Topology::flat(k), options("default", 7)).blocks) << name;
      EXPECT_EQ(parts.report.cost, 2 * parts.report.edge_cut) << name;
    }
}

TEST(Evaluate, EqualsTheDefinitionForRandomBlocks) {
  for (auto const seed : each_seed(5))
    for (auto const& [name, graph] : all_shapes(seed))
      for (auto const& topology : machines()) {
        Mapping mapping;
        mapping.blocks = random_blocks(graph.num_vertices(), topology.num_pes(), seed);
        mapping.report = evaluate(graph, topology, mapping.blocks, {.imbalance = 1e9, .threads = 2});
        expect_true(mapping, graph, topology, 1e9, name + ", seed " + std::to_string(seed));
      }
}

}  // namespace
}  // namespace procmap::test
