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

Mapping map_on(std::string device, Graph const& graph, Topology const& machine, Config const& config,
               std::uint64_t seed) {
  Options options;
  options.device = std::move(device);
  options.config = config;
  options.seed = seed;
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

void expect_equal(Graph const& graph, Topology const& machine, Config const& config, std::uint64_t seed,
                  std::string const& where) {
  auto const cpu = map_on("cpu", graph, machine, config, seed);

  auto const gpu = map_on("cuda", graph, machine, config, seed);

  ASSERT_EQ(gpu.stats.device, "cuda:0");
  EXPECT_TRUE(cpu.blocks == gpu.blocks) << where << "\n" << first_difference(cpu.stats, gpu.stats);
  EXPECT_EQ(cpu.report.cost, gpu.report.cost) << where;
  EXPECT_EQ(cpu.report.block_weights, gpu.report.block_weights) << where;
  EXPECT_EQ(cpu.report.level_traffic, gpu.report.level_traffic) << where;
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
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (auto const& [name, graph] : all_shapes(seed)) expect_equal(graph, machine, config, seed, where(name, seed));
}

TEST_P(Equality, OfLargeGraphs) {
  if (preset == "hm-ultra") GTEST_SKIP() << "takes too long";
  for (auto const& [name, graph] : large_shapes(1)) expect_equal(graph, machine, config, 1, where(name, 1));
}

// 1: nothing to map. 4:8:6: the machine of the paper. 4:8:64: tables too large for shared memory.
INSTANTIATE_TEST_SUITE_P(Machines, Equality,
                         ::testing::Combine(::testing::ValuesIn(Config::preset_names()),
                                            ::testing::Values("1", "2", "2:3", "4:8:6", "2:2:2:5", "4:8:64")),
                         [](auto const& test) { return name_of(test.param); });

// Few and small, for compute-sanitizer.
class SanitizerSample : public ::testing::TestWithParam<std::string> {};

TEST_P(SanitizerSample, IsEqual) {
  auto const config = Config::preset(GetParam());
  auto const machine = Topology::hierarchy("2:3", "1:10");
  expect_equal(with_weights(random_geometric(300, 1), 1, 10, 100), machine, config, 1, "weighted geometric");
  expect_equal(star(300), machine, config, 1, "star");  // a table in device memory
}

INSTANTIATE_TEST_SUITE_P(Presets, SanitizerSample, ::testing::Values("fast", "default", "im", "hm"),
                         [](auto const& test) { return test.param; });

}  // namespace
}  // namespace procmap::test
