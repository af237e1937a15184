// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/reference.hpp"

// The contract: the GPU gives the mapping of the CPU, bit for bit.

namespace procmap::test {
namespace {

/// With every other seed the host leaves small levels to the GPU, too.
Options options_of(Config const& config, std::uint64_t seed) {
  Options options;
  options.config = config;
  if (seed % 2 == 1) options.config.multisection.max_host_arcs = 0;
  options.seed = seed;
  return options;
}

Mapping map_on(std::string device, Graph const& graph, Topology const& machine, Options options) {
  options.device = std::move(device);
  return map(graph, machine, options);
}

std::string describe(LevelStats const& level) {
  return level.stage + ", level " + std::to_string(level.level) + ": " + std::to_string(level.vertices) +
         " vertices, " + std::to_string(level.arcs) + " arcs, " + std::to_string(level.members) + " members, " +
         std::to_string(level.rounds) + " rounds, cost " + std::to_string(level.cost);
}

/// The first level of the method at which the two differ: where to look for the reason.
std::string first_difference(Stats const& cpu, Stats const& gpu) {
  for (std::size_t i = 0; i < cpu.levels.size() || i < gpu.levels.size(); ++i) {
    auto const at = [&](Stats const& stats) {
      return i < stats.levels.size() ? describe(stats.levels[i]) : std::string("nothing");
    };
    if (at(cpu) != at(gpu)) return "CPU: " + at(cpu) + "\nGPU: " + at(gpu);
  }
  return "all levels agree";
}

void expect_equal(Graph const& graph, Topology const& machine, Options const& options, std::string const& where) {
  auto const cpu = map_on("cpu", graph, machine, options);

  auto const gpu = map_on("cuda", graph, machine, options);

  ASSERT_EQ(gpu.stats.device, "cuda:0");
  EXPECT_TRUE(cpu.blocks == gpu.blocks) << where << "\n" << first_difference(cpu.stats, gpu.stats);
  EXPECT_EQ(cpu.report.cost, gpu.report.cost) << where;
  EXPECT_EQ(cpu.report.block_weights, gpu.report.block_weights) << where;
  EXPECT_EQ(cpu.report.level_traffic, gpu.report.level_traffic) << where;
  EXPECT_EQ(cpu.report.migrated_weight, gpu.report.migrated_weight) << where;
}

using Case = std::tuple<std::string, std::string>;  // preset, machine

std::string name_of(Case const& c) {
  auto name = std::get<0>(c) + "_on_" + std::get<1>(c);
  for (auto& letter : name)
    if (letter == '-' || letter == ':') letter = '_';
  return name;
}

Topology machine_of(std::string const& sizes) {
  static constexpr std::string_view distances = "1:10:100:1000";
  auto levels = static_cast<std::size_t>(std::count(sizes.begin(), sizes.end(), ':')) + 1;
  std::size_t end = 0;
  for (; levels > 0; --levels) end = std::min(distances.find(':', end + 1), distances.size());
  return Topology::hierarchy(sizes, distances.substr(0, end));
}

class Equality : public ::testing::TestWithParam<Case> {
 protected:
  std::string const preset = std::get<0>(GetParam());
  Config const config = Config::preset(preset);
  Topology const machine = machine_of(std::get<1>(GetParam()));

  std::string where(std::string const& shape, std::uint64_t seed) const {
    return shape + ", " + preset + " on " + std::get<1>(GetParam()) + ", seed " + std::to_string(seed);
  }
};

TEST_P(Equality, OfSmallGraphs) {
  std::uint64_t const seeds = preset == "hm-ultra" ? 1 : 3;  // 18 times as long
  for (auto const seed : each_seed(seeds))
    for (auto const& [name, graph] : all_shapes(seed))
      expect_equal(graph, machine, options_of(config, seed), where(name, seed));
}

TEST_P(Equality, OfLargeGraphs) {
  if (preset == "hm-ultra") GTEST_SKIP() << "takes too long";
  for (auto const& [name, graph] : large_shapes(1)) expect_equal(graph, machine, options_of(config, 1), where(name, 1));
}

// 1: nothing to map. 4:8:6: the machine of the paper. 4:8:64: tables too large for shared memory.
INSTANTIATE_TEST_SUITE_P(Machines, Equality,
                         ::testing::Combine(::testing::ValuesIn(Config::preset_names()),
                                            ::testing::Values("1", "2", "2:3", "4:8:6", "2:2:2:5", "4:8:64")),
                         [](auto const& test) { return name_of(test.param); });

struct Machine {
  std::string name;
  Topology topology;
};

/// No hierarchies: distances that are computed, distances in a table, and one that only the guide can split.
std::vector<Machine> other_machines() {
  std::vector<Weight> ring(13 * 13);
  for (Weight a = 0; a < 13; ++a)
    for (Weight b = 0; b < 13; ++b)
      ring[static_cast<std::size_t>(a * 13 + b)] = std::min((a - b + 13) % 13, (b - a + 13) % 13);
  return {{"torus 4x3x2", Topology::torus({4, 3, 2})},
          {"mesh 5x5 with costs", Topology::mesh({5, 5}, {3, 1})},
          {"dragonfly", Topology::dragonfly(5, 4, 2)},
          {"ring of 13 as a matrix", Topology::from_distance_matrix(ring, 13)},
          {"flat", Topology::flat(7)}};
}

class AnyMachine : public ::testing::TestWithParam<std::string> {
 protected:
  Config const config = Config::preset(GetParam());
};

TEST_P(AnyMachine, IsEqual) {
  for (auto const& [name, machine] : other_machines())
    for (auto const& [shape, graph] : all_shapes(3))
      expect_equal(graph, machine, options_of(config, 3), shape + ", " + GetParam() + " on " + name);
}

INSTANTIATE_TEST_SUITE_P(Presets, AnyMachine, ::testing::Values("fast", "default", "im"),
                         [](auto const& test) { return test.param; });

class Constraints : public ::testing::TestWithParam<std::string> {
 protected:
  Config const config = Config::preset(GetParam());
  Graph const graph = with_weights(random_geometric(600, 4), 4, 10, 100);
  Topology const machine = Topology::hierarchy("2:3:2", "1:10:100");
  Options options = options_of(config, 5);

  std::vector<Block> some_mapping() const {
    std::vector<Block> blocks(static_cast<std::size_t>(graph.num_vertices()));
    for (std::size_t v = 0; v < blocks.size(); ++v) blocks[v] = static_cast<Block>(v % 12);
    return blocks;
  }
  void expect_equal_mappings(std::string const& what) const {
    expect_equal(graph, machine, options, GetParam() + ", " + what);
  }
};

TEST_P(Constraints, Capacities) {
  auto const each = graph.total_vertex_weight() / 8;
  options.capacities.assign(12, each);
  options.capacities[3] = 0;
  options.capacities[7] = each / 2;

  expect_equal_mappings("capacities");
}

TEST_P(Constraints, FixedVertices) {
  options.fixed.assign(static_cast<std::size_t>(graph.num_vertices()), no_block);
  for (std::size_t v = 0; v < options.fixed.size(); v += 9) options.fixed[v] = static_cast<Block>(v / 9 % 12);

  expect_equal_mappings("fixed vertices");
}

TEST_P(Constraints, AnInitialMappingAndMigrationCost) {
  options.initial = some_mapping();
  options.migration_cost = 3.5;

  expect_equal_mappings("initial mapping");
}

TEST_P(Constraints, NoEmptyBlocks) {
  options.allow_empty = false;
  options.imbalance = 3;

  expect_equal_mappings("no empty blocks");
}

TEST_P(Constraints, FullPes) {
  options.imbalance = 0;

  for (Vertex const tasks : {600, 12 * 220})
    expect_equal(random_geometric(tasks, 4), machine, options, GetParam() + ", full PEs");
}

TEST_P(Constraints, WeightsOfWhichFewAreHeavy) {
  auto csr = to_csr(with_weights(random_geometric(3000, 4), 4, 20, 20));
  for (auto* const weights : {&csr.vertex_weights, &csr.arc_weights})
    for (auto& weight : *weights) weight = weight == 20 ? 50 : 1;

  expect_equal(csr.graph(), machine, options, GetParam() + ", few heavy weights");
}

TEST_P(Constraints, Repeats) {
  options.repeats = 3;

  expect_equal_mappings("repeats");
}

INSTANTIATE_TEST_SUITE_P(Presets, Constraints, ::testing::Values("fast", "default", "im", "hm"),
                         [](auto const& test) { return test.param; });

// Few and small, for compute-sanitizer.
class SanitizerSample : public ::testing::TestWithParam<std::string> {
 protected:
  /// All phases of the preset, each with as little to do as there can be: a twelfth of its visits of vertices.
  static Config short_config() {
    auto config = Config::preset(GetParam());
    config.refinement.rounds = 4;
    config.multisection.inner_rounds = 2;
    config.multisection.tournament_outer = 4;
    config.multisection.tournament_middle = 4;
    config.multisection.few_vertices = 0;  // else `default` maps a second time, as `fast`
    config.multisection.final_rounds = 2;  // ... and would not refine J
    return config;
  }
};

TEST_P(SanitizerSample, IsEqual) {
  auto const options = options_of(short_config(), 1);
  auto const machine = Topology::hierarchy("2:3", "1:10");
  expect_equal(with_weights(random_geometric(300, 1), 1, 10, 100), machine, options, "weighted geometric");
  expect_equal(star(300), machine, options, "star");  // a table in device memory
}

INSTANTIATE_TEST_SUITE_P(Presets, SanitizerSample, ::testing::Values("fast", "default", "im", "hm"),
                         [](auto const& test) { return test.param; });

}  // namespace
}  // namespace procmap::test
