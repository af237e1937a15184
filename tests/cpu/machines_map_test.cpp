// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.hpp"
#include "procmap/procmap.hpp"
#include "support/machines.hpp"
#include "support/options.hpp"
#include "support/reference.hpp"
#include "topology/guide.hpp"

// Mappings onto machines that are no hierarchies.

namespace procmap::test {
namespace {

/// With fewer exchanges of blocks, enough to see that they are right.
Options options(std::string_view preset, double imbalance, std::uint64_t seed = 0, int threads = 2) {
  auto options = cpu_options(preset, imbalance, seed, threads);
  options.config.machine.block_kicks = 50;
  options.config.machine.annealing = 1;
  return options;
}

TEST(MapOntoMachines, IsValidAndTrulyReported) {
  WorthwhileCases cases;
  for (auto const& [name, machine] : other_machines())
    for (auto const& [shape, graph] : all_shapes(1)) {
      if ((sanitized && graph.num_vertices() > 150) || !cases.next()) continue;
      auto const where = shape + " on " + name;
      auto const mapping = map(graph, machine, options("default", 0.1));

      for (Block const b : mapping.blocks) ASSERT_TRUE(b >= 0 && b < machine.num_pes()) << where;
      EXPECT_EQ(mapping.report.cost, cost_of(to_csr(graph), machine, mapping.blocks)) << where;
      EXPECT_TRUE(mapping.report.feasible || !graph.vertex_weights().empty()) << where;
    }
}

TEST(MapOntoMachines, DoesNotDependOnTheNumberOfThreads) {
  auto const graph = random_geometric(sanitized ? 2500 : 6000, 3);
  for (auto const& machine : {Topology::torus({4, 4, 3}), Topology::dragonfly(5, 3, 2)}) {
    auto const expected = map(graph, machine, options("default", 0.03, 0, 1)).blocks;
    for (int const threads : worthwhile_threads({2, 7}))
      EXPECT_EQ(map(graph, machine, options("default", 0.03, 0, threads)).blocks, expected) << machine.describe();
  }
}

// Stencils fit grids of the same shape: every edge goes one step or none.
TEST(MapOntoMachines, FindsGoodMappingsOfMeshesOntoMeshes) {
  auto const graph = grid2d(64, 64);
  auto const machine = Topology::mesh({8, 8});

  std::vector<Weight> costs;
  for (std::uint64_t const seed : {0, 1, 2, 3, 4}) {
    auto how = options("default", 0.03, seed);
    how.config = Config::preset("default");
    costs.push_back(map(graph, machine, how).report.cost);
  }

  std::ranges::sort(costs);
  Weight const tiles = 2 * 2 * 7 * 64;  // of 8 x 8 vertices
  EXPECT_LE(costs[2], tiles * 9 / 8) << "the one in the middle";
  EXPECT_LE(costs[4], tiles * 5 / 4) << "the worst";
}

// What is left of a cluster is no table to be cut into equal parts, which would lie across its nodes.
TEST(MapOntoMachines, PartsOfAHierarchyAreMappedAsTheWholeWithoutTheRest) {
  auto const whole = Topology::hierarchy("4:4:3", "1:10:100");
  std::vector<Block> const left{4, 4, 4, 4, 4, 2, 3, 0, 1, 4, 2, 0};  // of every node, the first ones
  std::vector<Block> pes;
  auto on_whole = options("default", 0.03), on_part = on_whole;
  auto const graph = random_geometric(1600, 5);
  for (Block pe = 0; pe < whole.num_pes(); ++pe) {
    bool const is_there = pe % 4 < left[static_cast<std::size_t>(pe / 4)];
    on_whole.capacities.push_back(is_there ? 52 : 0);
    if (!is_there) continue;
    on_part.capacities.push_back(52);
    pes.push_back(pe);
  }

  auto const expected = map(graph, whole, on_whole).blocks;
  auto found = map(graph, whole.sub(pes), on_part).blocks;

  for (Block& block : found) block = pes[static_cast<std::size_t>(block)];
  EXPECT_EQ(found, expected);
}

// A preset makes what the one before it makes, too, and keeps the better mapping.
TEST(MapOntoMachines, PresetsAreInOrder) {
  bool is_better = false;
  for (auto const& [name, machine] : other_machines())
    for (int const tasks_per_pe : {3, 20}) {
      auto const graph = random_geometric(tasks_per_pe * machine.num_pes(), 4);
      auto const cost_by = [&](std::string const& preset) {
        auto how = options(preset, 0.1);
        how.config = Config::preset(preset);
        return map(graph, machine, how).report.cost;
      };
      auto const where = name + ", " + std::to_string(tasks_per_pe) + " tasks per PE";
      auto const fast = cost_by("fast"), defaults = cost_by("default");
      if (!has_known_groups(machine)) {  // where `fast` and `default` have one method, each another
        EXPECT_LE(defaults, fast) << where;
      }
      if (!sanitized) {
        EXPECT_LE(cost_by("strong"), defaults) << where;
      }
      is_better |= defaults < fast;
    }
  EXPECT_TRUE(is_better);
}

TEST(MapOntoMachines, BothMethodsAreNoWorseThanEither) {
  for (auto const& [name, machine] : other_machines()) {
    auto const graph = random_geometric(50 * machine.num_pes(), 4);
    auto const cost_by = [&](Method method, bool both) {
      auto how = options("default", 0.03);
      how.config.method = method;
      how.config.machine.both_methods = both;
      return map(graph, machine, how).report.cost;
    };
    for (Method const method : {Method::multisection, Method::integrated})
      EXPECT_LE(cost_by(method, true), cost_by(method, false)) << name;
  }
}

TEST(MapOntoMachines, MoreStartsAreNoWorseThanNone) {
  bool is_better = false;
  for (auto const& [name, machine] : other_machines()) {
    auto const graph = random_geometric(30 * machine.num_pes(), 4);
    auto const cost_of = [&](int more_starts) {
      auto how = options("fast", 0.03);
      how.config.machine.more_starts = more_starts;
      return map(graph, machine, how).report.cost;
    };
    auto const none = cost_of(0), three = cost_of(3);
    EXPECT_LE(three, none) << name;
    is_better |= three < none;
  }
  EXPECT_TRUE(is_better);
}

TEST(MapOntoMachines, WorksAtAPrimeNumberOfPes) {
  auto const graph = random_geometric(3000, 1);
  auto const machine = Topology::torus({97});

  EXPECT_TRUE(map(graph, machine, options("default", 0.03)).report.feasible);
}

TEST(MapOntoMachines, KeepsFixedVerticesAndCapacities) {
  for (auto const& [name, machine] : other_machines()) {
    Block const k = machine.num_pes();
    auto const graph = random_geometric(40 * k, 2);
    auto how = options("default", 0);
    for (Block pe = 0; pe < k; ++pe) how.capacities.push_back(pe % 3 == 1 ? 0 : 70 + pe % 5);
    how.fixed.assign(at(graph.num_vertices()), no_block);
    for (Vertex v = 0; v < 3 * k; ++v) how.fixed[at(v * 13)] = v % k / 3 * 3;

    auto const mapping = map(graph, machine, how);

    for (Vertex v = 0; v < graph.num_vertices(); ++v)
      ASSERT_TRUE(how.fixed[at(v)] == no_block || mapping.blocks[at(v)] == how.fixed[at(v)])
          << name << ", vertex " << v;
    for (Block pe = 0; pe < k; ++pe)
      EXPECT_LE(mapping.report.block_weights[at(pe)], how.capacities[at(pe)]) << name << ", PE " << pe;
  }
}

// Blocks without a fixed task exchange their places as if there were none, with a table of distances and without.
TEST(MapOntoMachines, LosesLittleByAFixedTask) {
  auto const graph = random_geometric(2000, 5);
  auto const machine = Topology::mesh({12, 12});
  for (int const exchange_places : {1000, 100}) {
    auto how = options("fast", 0.03, 1);
    how.config.machine.exchange_places = exchange_places;
    how.config.machine.annealing = 32;
    how.config.machine.task_annealing = 0;
    auto const free = map(graph, machine, how);
    how.fixed.assign(at(graph.num_vertices()), no_block);
    how.fixed[17] = 40;

    auto const held = map(graph, machine, how);

    EXPECT_EQ(held.blocks[17], 40);
    EXPECT_TRUE(held.report.feasible);
    EXPECT_LT(static_cast<double>(held.report.cost), 1.15 * static_cast<double>(free.report.cost)) << exchange_places;
  }
}

TEST(MapOntoMachines, ImprovesGivenMappings) {
  for (auto const& [name, machine] : other_machines()) {
    auto const graph = random_geometric(40 * machine.num_pes(), 2);
    auto how = options("default", 0.1);
    auto const first = map(graph, machine, how);
    how.initial = first.blocks;
    for (Vertex v = 0; v < graph.num_vertices(); v += 20) how.initial[at(v)] = (v / 20) % machine.num_pes();
    auto const worse = evaluate(graph, machine, how.initial).cost;

    auto const again = map(graph, machine, how);
    how.migration_cost = 1e9;
    auto const kept = map(graph, machine, how);

    EXPECT_LE(again.report.cost, worse) << name;
    EXPECT_TRUE(again.report.feasible) << name;
    EXPECT_LE(kept.report.migrated_vertices, again.report.migrated_vertices) << name;
  }
}

// Tasks dealt out in turn, as launchers do: improving that ended at 3 to 40 times the cost of a new mapping.
TEST(MapOntoMachines, LeavesGivenMappingsThatAreWorthNothing) {
  for (auto const& machine : {Topology::hierarchy("4:4:4", "1:10:100"), Topology::torus({4, 4, 4}), Topology::flat(16)})
    for (double const migration_cost : {0.0, 1.0}) {
      auto const graph = random_geometric(40 * machine.num_pes(), 2);
      auto how = options("default", 0.03);
      auto const anew = map(graph, machine, how).report.cost;
      for (Vertex v = 0; v < graph.num_vertices(); ++v)
        how.initial.push_back(
            static_cast<Block>(hash(3, static_cast<std::uint64_t>(v)) % static_cast<std::uint64_t>(machine.num_pes())));
      how.migration_cost = migration_cost;

      EXPECT_LE(map(graph, machine, how).report.cost, anew) << machine.describe();
    }
}

}  // namespace
}  // namespace procmap::test
