// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"
#include "support/options.hpp"
#include "support/reference.hpp"

// PEs that are to be full up, through the public interface.

namespace procmap::test {
namespace {

bool all_have(Vertex each, Mapping const& mapping, Block k) {
  std::vector<Vertex> count(at(k), 0);
  for (Block const b : mapping.blocks) ++count[at(b)];
  return std::ranges::all_of(count, [&](Vertex c) { return c == each; });
}

/// J of full PEs over that of PEs with room for 3 %.
double price_of_full_pes(Graph const& graph, Topology const& machine, std::string const& preset) {
  auto options = cpu_options(preset, 0);
  options.config.machine.cartesian = false;  // else grids are cut along their axes
  auto const exact = map(graph, machine, options);
  Block const k = machine.num_pes();
  EXPECT_TRUE(exact.report.feasible);
  EXPECT_TRUE(all_have(graph.num_vertices() / k, exact, k));
  options.imbalance = 0.03;
  return static_cast<double>(exact.report.cost) / static_cast<double>(map(graph, machine, options).report.cost);
}

TEST(FullPes, CostLittleMoreThanPesWithRoom) {
  for (std::string const preset : {"fast", "default"}) {
    double sum = 0;
    int count = 0;
    for (auto const& graph : {grid2d(64, 32), grid3d(16, 16, 8), rmat(11, 15000, 1)})
      for (auto const& machine :
           {Topology::flat(16), Topology::torus({8, 8}), Topology::hierarchy("4:8:4", "1:10:100")}) {
        sum += price_of_full_pes(graph, machine, preset);
        ++count;
      }
    EXPECT_LE(sum / count, preset == "fast" ? 1.08 : 1.04) << preset;
  }
}

TEST(FullPes, AreTheSameOnAnyNumberOfThreads) {
  auto const graph = random_geometric(12 * 40, 3);
  auto const machine = Topology::hierarchy("2:3:2", "1:10:100");
  auto const one = map(graph, machine, cpu_options("fast", 0, 5, 1));
  for (int const threads : {2, 7})
    EXPECT_EQ(map(graph, machine, cpu_options("fast", 0, 5, threads)).blocks, one.blocks);
}

TEST(FullPes, OfGraphsOfAllShapes) {
  auto const machine = Topology::hierarchy("2:3:2", "1:10:100");
  for (auto const& graph : {star(12 * 30), rmat(9, 2000, 1), disconnected(12), no_edges(12 * 30), complete(60),
                            caterpillar(12 * 30), path(12 * 2)}) {
    auto const mapping = map(graph, machine, cpu_options("fast", 0));
    EXPECT_TRUE(mapping.report.feasible) << graph.num_vertices();
  }
}

TEST(FullPes, WithVerticesThatAllWeighMore) {
  auto csr = to_csr(random_geometric(8 * 50, 4));
  auto const machine = Topology::flat(8);
  auto const unit = map(csr.graph(), machine, cpu_options("fast", 0));
  csr.vertex_weights.assign(8 * 50, 9);
  auto const mapping = map(csr.graph(), machine, cpu_options("fast", 0));
  EXPECT_TRUE(mapping.report.feasible);
  EXPECT_TRUE(all_have(50, mapping, 8));
  EXPECT_LE(static_cast<double>(mapping.report.cost), 1.1 * static_cast<double>(unit.report.cost));
}

TEST(FullPes, WithFixedVerticesAndUnequalPes) {
  auto const graph = random_geometric(400, 5);
  auto const machine = Topology::hierarchy("2:2", "1:10");
  auto options = cpu_options("fast");
  options.capacities = {100, 50, 150, 100};
  options.fixed.assign(400, no_block);
  for (std::size_t v = 0; v < 400; v += 40) options.fixed[v] = static_cast<Block>(v / 40 % 4);
  auto const mapping = map(graph, machine, options);
  EXPECT_TRUE(mapping.report.feasible);
  for (std::size_t v = 0; v < 400; v += 40) EXPECT_EQ(mapping.blocks[v], options.fixed[v]);
}

}  // namespace
}  // namespace procmap::test
