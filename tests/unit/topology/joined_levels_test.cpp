// SPDX-License-Identifier: MIT
#include "topology/joined_levels.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/graphs.hpp"
#include "support/options.hpp"
#include "support/reference.hpp"

namespace procmap::test {
namespace {

struct Written {
  Topology machine;
  std::vector<Block> sizes;
  std::vector<Weight> distances;
};

std::vector<Written> many_ways() {
  return {{Topology::hierarchy("4:8:6", "1:10:100"), {4, 8, 6}, {1, 10, 100}},
          {Topology::hierarchy("4:2:4:6", "1:10:10:100"), {4, 8, 6}, {1, 10, 100}},
          {Topology::hierarchy("1:4:1:8:6:1", "0:1:2:10:100:200"), {4, 8, 6}, {1, 10, 100}},
          {Topology::hierarchy("4:1:8", "1:1:1"), {32}, {1}},
          {Topology::hierarchy("2:1:3", "5:7:5000000000"), {2, 3}, {5, 5000000000}},
          {Topology::hierarchy("3:2:2", "0:0:9"), {6, 2}, {0, 9}}};
}

TEST(JoinedLevels, AreThoseThatDiffer) {
  for (auto const& [machine, sizes, distances] : many_ways()) {
    auto const joined = joined_levels(machine);
    EXPECT_EQ(joined.sizes(), sizes) << machine.describe();
    EXPECT_EQ(joined.distances(), distances) << machine.describe();
    for (Block p = 0; p < machine.num_pes(); ++p)
      for (Block q = 0; q < p; ++q) ASSERT_EQ(joined.distance(p, q), machine.distance(p, q)) << machine.describe();
  }
}

TEST(JoinedLevels, OfOnePeAndOfOtherMachinesAreWhatTheyWere) {
  for (auto const& machine :
       {Topology::hierarchy("1:1", "1:2"), Topology::torus({1, 4, 4}), Topology::dragonfly(4, 3, 2)})
    EXPECT_EQ(joined_levels(machine), machine);
}

TEST(JoinedLevels, MakeTheMappingThatOtherLevelsMake) {
  for (auto const& graph : {grid2d(40, 30), with_weights(random_geometric(900, 3), 3, 9, 9), path(7)})
    for (auto const* const preset : {"fast", "default"}) {
      auto const expected = map(graph, Topology::hierarchy("4:4:3", "1:10:100"), cpu_options(preset, 0.03)).blocks;
      for (auto const& machine :
           {Topology::hierarchy("2:2:1:4:3", "1:1:5:10:100"), Topology::hierarchy("1:4:4:3:1", "0:1:10:100:100")}) {
        auto const mapping = map(graph, machine, cpu_options(preset, 0.03));
        EXPECT_EQ(mapping.blocks, expected) << machine.describe() << ", " << preset;
        EXPECT_EQ(mapping.report.cost, cost_of(to_csr(graph), machine, mapping.blocks)) << machine.describe();
      }
    }
}

}  // namespace
}  // namespace procmap::test
