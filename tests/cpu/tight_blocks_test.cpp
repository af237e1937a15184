// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"

// Vertices of differing weights in blocks that have hardly any room, through the public interface.

namespace procmap::test {
namespace {

Graph weighted(Graph const& graph, std::uint64_t seed, Weight least, Weight most) {
  auto csr = to_csr(graph);
  for (std::uint64_t v = 0; v + 1 < csr.offsets.size(); ++v)
    csr.vertex_weights.push_back(least + random_below(most - least + 1, seed, v));
  return csr.graph();
}

Report mapped(Graph const& graph, Topology const& machine, double imbalance, std::uint64_t seed) {
  Options options;
  options.config = Config::preset("fast");
  options.imbalance = imbalance;
  options.seed = seed;
  options.threads = 2;
  return map(graph, machine, options).report;
}

TEST(TightBlocks, OfThreeVerticesFit) {
  auto const machine = Topology::hierarchy("4:8:6", "1:10:100");
  for (auto const seed : each_seed(3)) {
    auto const graph = weighted(random_geometric(3 * machine.num_pes(), seed), seed, 70, 130);
    EXPECT_TRUE(mapped(graph, machine, 0.03, seed).feasible) << seed;
  }
}

TEST(TightBlocks, WithoutSlackCutAtMostTwiceAsMuch) {
  auto const machine = Topology::flat(64);
  auto const graph = weighted(random_geometric(60 * 64, 1), 1, 1, 1000);
  auto const exact = mapped(graph, machine, 0, 1), loose = mapped(graph, machine, 0.001, 1);

  EXPECT_TRUE(exact.feasible);
  EXPECT_TRUE(loose.feasible);
  EXPECT_LE(exact.cost, 2 * loose.cost);
}

}  // namespace
}  // namespace procmap::test
