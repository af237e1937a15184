// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/cliques.hpp"

namespace procmap::test {
namespace {

Options options_of(std::string_view preset, std::uint64_t seed, int threads = 2) {
  Options options;
  options.config = Config::preset(preset);
  options.seed = seed;
  options.threads = threads;
  return options;
}

Weight total_cut(Graph const& graph, Block k, Options const& options) {
  auto const report = partition(graph, k, options).report;
  EXPECT_TRUE(report.feasible) << "k = " << k;
  return report.edge_cut;
}

TEST(Partition, IsFeasibleForEveryNumberOfBlocks) {
  auto const graph = random_geometric(700, 3);
  for (auto const& preset : Config::preset_names())
    for (Block const k : {1, 2, 7, 34, 61, 64, 700, 1000}) {
      if (preset == "hm-ultra") continue;  // slow, and hm makes the same splits

      auto const mapping = partition(graph, k, options_of(preset, 1));

      EXPECT_TRUE(mapping.report.feasible) << preset << ", k = " << k;
      EXPECT_EQ(mapping.report.cost, 2 * mapping.report.edge_cut) << preset << ", k = " << k;
      for (Block const b : mapping.blocks) ASSERT_TRUE(b >= 0 && b < k) << preset << ", k = " << k;
    }
}

TEST(Partition, ReportsTheCutOfItsBlocks) {
  auto const graph = rmat(10, 5000, 2);
  auto const mapping = partition(graph, 24, options_of("default", 5));
  EXPECT_EQ(evaluate(graph, Topology::flat(24), mapping.blocks).edge_cut, mapping.report.edge_cut);
}

TEST(Partition, OfALargerGraphIsTheMappingOntoAFlatMachine) {
  auto const graph = random_geometric(2000, 7);
  EXPECT_EQ(partition(graph, 12, options_of("default", 1)).blocks,
            map(graph, Topology::flat(12), options_of("default", 1)).blocks);
}

TEST(Partition, GivesTheSameBytesOnAnyNumberOfThreads) {
  auto const graph = random_geometric(20000, 9);
  for (auto const* const preset : {"fast", "default"}) {
    auto const expected = partition(graph, 48, options_of(preset, 2, 1)).blocks;
    for (int const threads : worthwhile_threads({2, 7}))
      EXPECT_EQ(partition(graph, 48, options_of(preset, 2, threads)).blocks, expected) << preset << ", " << threads;
  }
}

TEST(Partition, BecomesBetterByAVCycleOverAllBlocks) {
  auto const graph = random_geometric(6000, 5);
  auto without = options_of("default", 0);
  without.config.multisection.v_cycles = 0;
  Weight all = 0, all_without = 0;
  for (Block const k : {8, 48, 128}) {
    auto const cut = total_cut(graph, k, options_of("default", 0));
    auto const cut_without = total_cut(graph, k, without);
    EXPECT_LE(cut, cut_without) << "k = " << k;
    all += cut;
    all_without += cut_without;
  }
  EXPECT_LT(all, all_without);
}

// Where blocks were grown vertex by vertex, 9 to 23 of such cliques were cut; up to 22 where components were packed
// into the room of coarse levels.
TEST(Partition, CutsFewComponentsThatFitIntoBlocks) {
  std::vector<Vertex> sizes;
  for (std::uint64_t i = 0; i < 150; ++i) sizes.push_back(static_cast<Vertex>(1 + random_below(40, 3, i)));
  auto const graph = cliques(sizes);
  for (auto const& preset : Config::preset_names())
    for (auto const& machine : {Topology::flat(60), Topology::hierarchy("4:5:3", "1:10:100")}) {
      auto const mapping = map(graph, machine, options_of(preset, 1));

      EXPECT_TRUE(mapping.report.feasible) << preset;
      EXPECT_LE(cut_cliques(sizes, mapping.blocks), 4) << preset << " of 150";
    }
}

}  // namespace
}  // namespace procmap::test
