// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cartesian/decomposition.hpp"
#include "cartesian/find_grid.hpp"
#include "cartesian/machine_digits.hpp"
#include "exec/cpu_executor.hpp"
#include "multilevel/consecutive_tasks.hpp"
#include "procmap/procmap.hpp"
#include "support/machines.hpp"
#include "support/options.hpp"
#include "support/reference.hpp"
#include "support/task_grids.hpp"
#include "support/view.hpp"

// Mappings of tasks that form a grid.

namespace procmap::test {
namespace {

std::vector<Block> boxes_of(Csr const& csr, Topology const& machine) {
  Monitor const monitor;
  Run run(monitor);
  CpuExecutor ex(1, run);
  return decompose(find_grid(ex, view_of(csr)).value(), machine, csr.num_vertices() / machine.num_pes()).front();
}

/// `nodes` of four PEs at distance 1; those of other nodes are a little closer with numbers of the same parity.
Topology with_rails(Block nodes) {
  constexpr Block node = 4;
  Block const k = nodes * node;
  std::vector<Weight> distances;
  for (Block a = 0; a < k; ++a)
    for (Block b = 0; b < k; ++b) distances.push_back(a == b ? 0 : a / node == b / node ? 1 : a % 2 == b % 2 ? 10 : 11);
  return Topology::from_distance_matrix(distances, k);
}

struct Case {
  Stencil stencil;
  Topology machine;
};

std::vector<Case> cases() {
  return {{{{24, 16}}, Topology::hierarchy("4:4:6", "1:10:100")},
          {{{12, 12, 12}}, Topology::hierarchy("6:6", "1:10")},
          {{{16, 16}, true}, Topology::flat(16)},
          {{{24, 24}}, Topology::torus({6, 6})},
          {{{8, 8, 8}}, Topology::mesh({4, 4, 4})},
          {{{16, 32}}, Topology::torus({4, 4, 4})},
          // one task per PE
          {{{16, 24}}, Topology::hierarchy("48:8", "1:10")},
          {{{8, 6, 4}, true}, Topology::hierarchy("4:12:4", "1:10:100")},
          {{{8, 32}}, Topology::torus({4, 8, 8})},
          {{{10, 10}}, Topology::torus({2, 5, 10})}};
}

TEST(MapTaskGrids, IsNoWorseThanBoxes) {
  for (auto const& [stencil, machine] : cases()) {
    auto const csr = csr_of(stencil);
    auto const boxes = boxes_of(csr, machine);
    for (auto const* const preset : {"fast", "default"}) {
      auto const mapping = map(csr.graph(), machine, cpu_options(preset));

      EXPECT_TRUE(mapping.report.feasible);
      EXPECT_EQ(mapping.report.cost, cost_of(csr, machine, mapping.blocks));
      EXPECT_LE(mapping.report.cost, cost_of(csr, machine, boxes))
          << preset << ": " << stencil.name() << " on " << machine.describe();
    }
  }
}

TEST(MapTaskGrids, OnTablesIsNoWorseThanBoxesOfNodes) {
  auto const machine = with_rails(12);
  for (Stencil const& stencil : {Stencil{{48, 64}}, Stencil{{12, 16, 18}}, Stencil{{6, 8}}}) {
    auto const csr = csr_of(stencil);
    auto const boxes = boxes_of(csr, Topology::hierarchy("4:12", "2:21"));
    for (auto const* const preset : {"fast", "default"}) {
      auto const mapping = map(csr.graph(), machine, cpu_options(preset));

      EXPECT_TRUE(mapping.report.feasible);
      EXPECT_LE(mapping.report.cost, cost_of(csr, machine, boxes)) << preset << ": " << stencil.name();
    }
  }
}

TEST(MapTaskGrids, PutsNeighboursBesideEachOther) {
  Stencil const stencil{{8, 32}};
  auto const mapping = map(csr_of(stencil).graph(), Topology::torus({4, 8, 8}), cpu_options("fast"));
  EXPECT_EQ(mapping.report.cost, 2 * (7 * 32 + 8 * 31));  // every message goes one step
}

// Boxes are better than the start that is annealed to something better still.
TEST(MapTaskGrids, DoesNotMakeRanksWorse) {
  for (auto const& [stencil, machine] :
       {Case{{{8, 8}, true}, Topology::torus({4, 4, 4})}, Case{{{8, 8}}, Topology::torus({4, 4, 4})},
        Case{{{6, 8}, true}, Topology::torus({4, 3, 4})}})
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      auto given = cpu_options("fast");
      given.seed = seed;
      auto const graph = csr_of(stencil).graph();
      auto const with = map(graph, machine, given).report.cost;
      given.config.machine.cartesian = false;
      EXPECT_LE(with, map(graph, machine, given).report.cost) << stencil.name() << ", seed " << seed;
    }
}

TEST(MapTaskGrids, FindsAGridInAnyOrder) {
  Stencil const stencil{{8, 32}};
  EdgeList edges;
  for_each_arc(csr_of(stencil), [&](Vertex u, Vertex v, Weight) { edges.emplace_back(u * 77 % 256, v * 77 % 256); });
  auto const mapping = map(graph_from_edges(256, edges), Topology::torus({4, 8, 8}), cpu_options("fast"));
  EXPECT_EQ(mapping.report.cost, 2 * (7 * 32 + 8 * 31));
}

TEST(MapTaskGrids, FindsTheCheapestBoxesOfALargeGrid) {
  auto const mapping = map(grid2d(60, 60), Topology::torus({6, 6}), cpu_options("fast"));
  EXPECT_EQ(mapping.report.cost, 2 * 2 * 5 * 60);  // five cuts along each axis, one step each
}

TEST(MapTaskGrids, KeepsWhatIsFixedAndTheRoomOfPes) {
  auto const graph = grid2d(24, 24);
  auto const machine = Topology::torus({6, 6});
  auto given = cpu_options("fast");
  given.fixed.assign(576, -1);
  given.fixed[0] = 20;
  EXPECT_EQ(map(graph, machine, given).blocks[0], 20);

  given.fixed.clear();
  given.capacities.assign(36, 17);
  given.capacities[5] = 0;
  auto const mapping = map(graph, machine, given);
  EXPECT_TRUE(mapping.report.feasible);
  EXPECT_EQ(mapping.report.block_weights[5], 0);
}

Graph hypercube(int dimensions) {
  EdgeList edges;
  for (Vertex task = 0; task < Vertex{1} << dimensions; ++task)
    for (int i = 0; i < dimensions; ++i)
      if (Vertex const other = task ^ (Vertex{1} << i); task < other) edges.emplace_back(task, other);
  return graph_from_edges(Vertex{1} << dimensions, edges);
}

// Whoever has numbered tasks well loses nothing.
TEST(MapByNumber, IsNoWorseThanConsecutiveTasksOnConsecutivePes) {
  auto const graph = hypercube(12);
  for (auto const& machine : {Topology::flat(16), Topology::hierarchy("4:16", "1:10"), Topology::torus({4, 4})}) {
    auto const in_order = consecutive_tasks(4096, {}, machine.num_pes());
    for (auto const* const preset : {"fast", "default"}) {
      auto const mapping = map(graph, machine, cpu_options(preset));

      EXPECT_TRUE(mapping.report.feasible);
      EXPECT_LE(mapping.report.cost, evaluate(graph, machine, in_order).cost) << preset << " on " << machine.describe();
    }
  }
}

std::vector<Block> all_but(Block pes, std::vector<Block> const& missing) {
  std::vector<Block> left;
  for (Block pe = 0; pe < pes; ++pe)
    if (std::ranges::find(missing, pe) == missing.end()) left.push_back(pe);
  return left;
}

// With PEs left empty a path would cost less than in order, and more once each of them has got a task.
TEST(MapByNumber, IsNoWorseThanThatWhereNoPeMayBeEmpty) {
  auto const machine = Topology::hierarchy("2:2:2:4", "1:2:4:6");
  for (Vertex const each : {2, 3}) {
    auto const graph = grid2d(32 * each, 1);
    auto const in_order = consecutive_tasks(32 * each, {}, 32);
    auto const mapping = map(graph, machine, cpu_options("fast", 0.03));
    EXPECT_TRUE(mapping.report.feasible);
    EXPECT_LE(mapping.report.cost, evaluate(graph, machine, in_order).cost);
  }
}

// Drained PEs, and those that a call forbids.
TEST(MapByNumber, IsNoWorseThanThatWherePesAreMissing) {
  std::vector<Block> const missing{0, 1, 17, 18, 40};
  auto const whole = Topology::hierarchy("4:4:3", "1:10:100");
  auto const left = all_but(48, missing);
  auto const machine = whole.sub(left);
  for (auto const& graph : {grid3d(3, 6, 43), grid3d(4, 4, 43 * 6)}) {
    auto const in_order = consecutive_tasks(graph.num_vertices(), {}, 43);
    auto const cost = evaluate(graph, machine, in_order).cost;
    auto given = cpu_options("fast");
    EXPECT_LE(map(graph, machine, given).report.cost, cost);

    given.capacities.assign(48, (graph.num_vertices() + 42) / 43);
    for (Block const pe : missing) given.capacities[at(pe)] = 0;
    auto const mapping = map(graph, whole, given);
    EXPECT_TRUE(mapping.report.feasible);
    EXPECT_LE(mapping.report.cost, cost);
  }
}

// The slots of a hierarchy with gaps follow each other in another order than PEs that are numbered otherwise.
TEST(MapByNumber, IsNoWorseThanThatWhateverTheNumbersOfThesePes) {
  auto const left = all_but(48, {0, 1, 17, 18, 40});
  constexpr Vertex pes = 43, each = 96, turn = 5;
  std::vector<Block> turned;
  for (Vertex pe = 0; pe < pes; ++pe) turned.push_back(left[at(pe * turn % pes)]);
  constexpr Vertex turn_back = 26;  // times 5 is 1, but for multiples of 43
  auto const renamed = [](Vertex task) { return task / each * turn_back % pes * each + task % each; };
  EdgeList edges;
  for_each_arc(to_csr(grid3d(4, 4, 6 * pes)),
               [&](Vertex u, Vertex v, Weight) { edges.emplace_back(renamed(u), renamed(v)); });
  auto const graph = graph_from_edges(pes * each, edges);
  auto const machine = Topology::hierarchy("4:4:3", "1:10:100").sub(turned);
  auto const in_order = consecutive_tasks(pes * each, {}, pes);
  EXPECT_LE(map(graph, machine, cpu_options("fast")).report.cost, evaluate(graph, machine, in_order).cost);
}

TEST(MapTaskGrids, AreCutIntoBoxesOnlyIfAskedFor) {
  auto given = cpu_options("fast");
  auto const graph = grid2d(60, 60);
  auto const machine = Topology::torus({6, 6});
  auto const with = map(graph, machine, given).report.cost;
  given.config.machine.cartesian = false;
  EXPECT_GT(map(graph, machine, given).report.cost, with);
}

}  // namespace
}  // namespace procmap::test
