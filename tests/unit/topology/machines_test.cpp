// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "procmap/error.hpp"
#include "procmap/topology.hpp"
#include "support/machines.hpp"
#include "support/message.hpp"

// Machines that are no hierarchies. Hierarchies: topology_test.cpp.

namespace procmap::test {
namespace {

using Row = std::vector<Weight>;

Row matrix_of(Topology const& machine) {
  Row matrix;
  for (Block a = 0; a < machine.num_pes(); ++a)
    for (Block b = 0; b < machine.num_pes(); ++b) matrix.push_back(machine.distance(a, b));
  return matrix;
}

std::string matrix_error(Row const& matrix, Block k) {
  return message_of<TopologyError>([&] { Topology::from_distance_matrix(matrix, k); });
}

TEST(Machines, AreMetricAtHomeAndSymmetric) {
  for (auto const& [name, machine] : other_machines())
    for (Block a = 0; a < machine.num_pes(); ++a) {
      EXPECT_EQ(machine.distance(a, a), 0) << name;
      for (Block b = 0; b < machine.num_pes(); ++b) {
        EXPECT_EQ(machine.distance(a, b), machine.distance(b, a)) << name;
        EXPECT_LE(machine.distance(a, b), machine.max_distance()) << name;
      }
    }
}

TEST(Machines, ListTheirDifferentDistances) {
  for (auto const& [name, machine] : other_machines()) {
    auto const listed = machine.distinct_distances(64);
    EXPECT_TRUE(std::ranges::is_sorted(listed)) << name;
    Row met;
    for (Block a = 0; a < machine.num_pes(); ++a)
      for (Block b = 0; b < a; ++b) met.push_back(machine.distance(a, b));
    for (auto const distance : met) EXPECT_TRUE(std::ranges::count(listed, distance) == 1) << name << " " << distance;
    if (name == "part of a torus") continue;  // its grid has more
    for (auto const distance : listed) EXPECT_GT(std::ranges::count(met, distance), 0) << name << " " << distance;
  }
}

TEST(Machines, ListNoDistancesBeyondTheLimit) {
  EXPECT_EQ(Topology::mesh({65}).distinct_distances(64).size(), 64u);
  EXPECT_TRUE(Topology::mesh({66}).distinct_distances(64).empty());
  EXPECT_TRUE(Topology::torus({50, 50}, {1, 1000}).distinct_distances(64).empty());
  EXPECT_EQ(Topology::hierarchy("1:4:1:2", "1:2:3:3").distinct_distances(64), (Row{2, 3}));
}

TEST(DistanceMatrix, GivesEveryDistance) {
  Row const matrix{0, 3, 5,  //
                   3, 0, 4,  //
                   5, 4, 0};

  auto const machine = Topology::from_distance_matrix(matrix, 3);

  EXPECT_EQ(matrix_of(machine), matrix);
  EXPECT_FALSE(machine.is_hierarchy());
  EXPECT_EQ(machine.num_levels(), 0);
  EXPECT_EQ(machine.max_distance(), 5);
  EXPECT_EQ(machine.describe(), "3 PEs with a matrix of distances from 3 to 5");
}

TEST(DistanceMatrix, OfAHierarchyIsThatHierarchy) {
  for (auto const& [name, machine] : all_machines()) {
    auto const again = Topology::from_distance_matrix(matrix_of(machine), machine.num_pes());
    EXPECT_TRUE(again.is_hierarchy()) << name;
    EXPECT_EQ(matrix_of(again), matrix_of(machine)) << name;
  }
  auto const machine = Topology::hierarchy("4:8:6", "1:10:100");
  EXPECT_EQ(Topology::from_distance_matrix(matrix_of(machine), 192), machine);
}

TEST(DistanceMatrix, ThatIsNearlyAHierarchyIsNone) {
  auto const hierarchy = Topology::hierarchy("2:3:2", "1:10:100");
  for (Block a = 0; a < 12; ++a)
    for (Block b = 0; b < a; ++b) {
      auto matrix = matrix_of(hierarchy);
      ++matrix[static_cast<std::size_t>(a * 12 + b)];
      ++matrix[static_cast<std::size_t>(b * 12 + a)];

      auto const machine = Topology::from_distance_matrix(matrix, 12);

      EXPECT_EQ(matrix_of(machine), matrix) << a << " " << b;
    }
}

TEST(DistanceMatrixErrors, NameTheEntry) {
  EXPECT_EQ(matrix_error({0, 5, 6, 0}, 2), "distance[0][1] = 5 but distance[1][0] = 6; distances must be symmetric");
  EXPECT_EQ(matrix_error({0, -1, -1, 0}, 2), "distance[0][1] = -1 is negative");
  EXPECT_EQ(matrix_error({0, 1, 1, 2}, 2), "distance[1][1] = 2, but a PE is at distance 0 from itself");
  EXPECT_EQ(matrix_error({0, Weight{1} << 31, Weight{1} << 31, 0}, 2),
            "distance[0][1] = 2147483648 is not below 2^31; scale the distances down");
  EXPECT_EQ(matrix_error({}, 0), "a distance matrix of 0 PEs, expected 1 to 10000");
  EXPECT_EQ(matrix_error({0, 1, 1}, 2), "a distance matrix of 2 PEs has 3 entries");
}

TEST(DistanceMatrixErrors, NameAnEntryOfALargeMatrix) {
  Block const k = 150;
  Row matrix(static_cast<std::size_t>(k * k), 1);
  for (Block a = 0; a < k; ++a) matrix[static_cast<std::size_t>(a * k + a)] = 0;
  matrix[70 * 150 + 3] = 2;

  EXPECT_EQ(matrix_error(matrix, k), "distance[3][70] = 1 but distance[70][3] = 2; distances must be symmetric");
}

TEST(Torus, TakesTheShorterWayRound) {
  auto const ring = Topology::torus({6});
  auto const torus = Topology::torus({4, 5}, {10, 1});

  EXPECT_EQ(ring.distance(0, 3), 3);
  EXPECT_EQ(ring.distance(0, 4), 2);
  EXPECT_EQ(ring.distance(5, 0), 1);
  EXPECT_EQ(torus.num_pes(), 20);
  EXPECT_EQ(torus.distance(0, 4), 1);    // (0, 0) to (0, 4)
  EXPECT_EQ(torus.distance(0, 15), 10);  // (0, 0) to (3, 0)
  EXPECT_EQ(torus.distance(0, 12), 22);  // (0, 0) to (2, 2)
  EXPECT_EQ(torus.max_distance(), 22);
  EXPECT_EQ(torus.describe(), "20 PEs in a torus of 4 x 5, steps cost 10, 1");
}

TEST(Mesh, HasNoWayRound) {
  auto const mesh = Topology::mesh({2, 3, 4});

  EXPECT_EQ(mesh.distance(0, 23), 1 + 2 + 3);
  EXPECT_EQ(mesh.distance(0, 3), 3);
  EXPECT_EQ(mesh.distance(3, 4), 4);  // (0, 0, 3) to (0, 1, 0)
  EXPECT_EQ(mesh.describe(), "24 PEs in a mesh of 2 x 3 x 4");
}

TEST(Hypercube, CountsDifferentBits) {
  for (int dimensions = 0; dimensions <= 7; ++dimensions) {
    auto const cube = Topology::hypercube(dimensions);
    ASSERT_EQ(cube.num_pes(), 1 << dimensions);
    for (Block a = 0; a < cube.num_pes(); ++a)
      for (Block b = 0; b < cube.num_pes(); ++b)
        ASSERT_EQ(cube.distance(a, b), std::popcount(static_cast<std::uint32_t>(a ^ b))) << a << " " << b;
  }
  EXPECT_EQ(Topology::hypercube(22).max_distance(), 22);
}

TEST(FatTree, CountsLinks) {
  auto const tree = Topology::fat_tree(4);

  EXPECT_EQ(tree, Topology::hierarchy("2:2:4", "2:4:6"));
  EXPECT_EQ(Topology::fat_tree(6, 8), Topology::hierarchy("8:3:3:6", "1:2:4:6"));
}

// Groups 0, 1, 2 of two routers: the link of group g to its j-th other group is at router j.
TEST(Dragonfly, TakesTheMinimalRoute) {
  auto const machine = Topology::dragonfly(3, 2, 2, {1, 10, 100});
  auto const at_router = [&](Block x, Block y) { return machine.distance(2 * x, 2 * y + 1); };

  EXPECT_EQ(machine.num_pes(), 12);
  EXPECT_EQ(at_router(0, 0), 2);
  EXPECT_EQ(at_router(0, 1), 12);
  EXPECT_EQ(at_router(0, 2), 102);  // 0 holds the link to group 1, 2 that of group 1 to group 0
  EXPECT_EQ(at_router(0, 3), 112);
  EXPECT_EQ(at_router(1, 2), 112);
  EXPECT_EQ(at_router(1, 3), 122);
  EXPECT_EQ(at_router(1, 4), 102);
  EXPECT_EQ(at_router(3, 5), 102);
  EXPECT_EQ(machine.distinct_distances(64), (Row{2, 12, 102, 112, 122}));
}

TEST(Dragonfly, OfOneGroupHasNoGlobalLinks) {
  auto const machine = Topology::dragonfly(1, 4, 1);

  EXPECT_EQ(machine.distance(0, 3), 3);
  EXPECT_EQ(Topology::dragonfly(1, 1, 1).num_pes(), 1);
}

TEST(SubMachine, KeepsDistances) {
  auto machines = other_machines();
  for (auto const& machine : all_machines()) machines.push_back(machine);
  for (auto const& [name, machine] : machines) {
    std::vector<Block> pes;
    for (Block pe = machine.num_pes() - 1; pe >= 0; pe -= 2) pes.push_back(pe);

    auto const part = machine.sub(pes);

    ASSERT_EQ(part.num_pes(), static_cast<Block>(pes.size())) << name;
    for (std::size_t i = 0; i < pes.size(); ++i)
      for (std::size_t j = 0; j < pes.size(); ++j)
        EXPECT_EQ(part.distance(static_cast<Block>(i), static_cast<Block>(j)), machine.distance(pes[i], pes[j]))
            << name;
  }
}

TEST(SubMachine, OfWholeGroupsIsAHierarchy) {
  auto const machine = Topology::hierarchy("2:3:4", "1:10:100");
  std::vector<Block> const groups{6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23};

  EXPECT_EQ(machine.sub(groups), Topology::hierarchy("2:3:2", "1:10:100"));
}

TEST(SubMachine, OfAllPesIsTheMachine) {
  for (auto const& [name, machine] : other_machines()) {
    std::vector<Block> pes(static_cast<std::size_t>(machine.num_pes()));
    std::iota(pes.begin(), pes.end(), 0);
    EXPECT_EQ(machine.sub(pes), machine) << name;
  }
}

TEST(SubMachineErrors, NameThePe) {
  auto const error = [](std::vector<Block> const& pes) {
    return message_of<TopologyError>([&] { Topology::torus({4, 4}).sub(pes); });
  };

  EXPECT_EQ(error({}), "pes is empty, expected at least one PE");
  EXPECT_EQ(error({1, 16}), "pes[1] = 16 is not in [0, 16)");
  EXPECT_EQ(error({-1}), "pes[0] = -1 is not in [0, 16)");
  EXPECT_EQ(error({3, 5, 3}), "pes[2] = 3 is listed already as pes[0]");
}

TEST(SubMachineErrors, BoundTheProcessorsOfAHierarchy) {
  std::vector<Block> pes(10'001);
  std::iota(pes.begin(), pes.end(), 5);

  EXPECT_EQ(message_of<TopologyError>([&] { Topology::hierarchy("1:100000", "1:2").sub(pes); }),
            "a part of a hierarchy may have at most 10000 groups of the innermost level, these PEs lie in 10001");
}

TEST(MachineErrors, NameTheNumber) {
  using Sizes = std::vector<Block>;
  auto const torus = [](Sizes const& sizes, Row const& costs = {}) {
    return message_of<TopologyError>([&] { Topology::torus(sizes, costs); });
  };

  EXPECT_EQ(torus({}), "torus of 0 dimensions, expected 1 to 22");
  EXPECT_EQ(torus(Sizes(23, 1)), "torus of 23 dimensions, expected 1 to 22");
  EXPECT_EQ(torus({4, 0, 2}), "torus 4 x 0 x 2: 0 is smaller than 1");
  EXPECT_EQ(torus({2048, 2048, 2}), "torus 2048 x 2048 x 2: more than 4194304 PEs");
  EXPECT_EQ(torus({2, 2}, {1}), "costs has 1 entries, but there are 2 dimensions");
  EXPECT_EQ(torus({2, 2}, {1, -1}), "costs[1] = -1 is not in [0, 2^31)");
  EXPECT_EQ(message_of<TopologyError>([] { Topology::hypercube(23); }), "hypercube of 23 dimensions, expected 0 to 22");
  EXPECT_EQ(message_of<TopologyError>([] { Topology::fat_tree(5); }), "ports = 5 is not an even number of at least 2");
  EXPECT_EQ(message_of<TopologyError>([] { Topology::dragonfly(3, 0, 1); }), "routers = 0 is smaller than 1");
  EXPECT_EQ(message_of<TopologyError>([] { Topology::dragonfly(200, 100, 1); }),
            "dragonfly of 200 groups of 100 routers: more than 10000 routers");
  EXPECT_EQ(message_of<TopologyError>([] { Topology::dragonfly(2, 2, 2, {1, -1, 1}); }),
            "the cost of a local link = -1 is not in [0, 429496729]");
  EXPECT_EQ(message_of<TopologyError>([] { Topology::torus({4, 4}).meeting_level(0, 1); }),
            "only a hierarchy has levels at which PEs meet");
}

TEST(Machines, DifferIfTheirDistancesDo) {
  EXPECT_EQ(Topology::torus({4, 4}), Topology::torus({4, 4}, {1, 1}));
  EXPECT_FALSE(Topology::torus({4, 4}) == Topology::mesh({4, 4}));
  EXPECT_FALSE(Topology::torus({4, 4}) == Topology::torus({4, 4}, {1, 2}));
  EXPECT_FALSE(Topology::torus({4}) == Topology::flat(4));
  EXPECT_EQ(Topology::dragonfly(3, 2, 2), Topology::dragonfly(3, 2, 2));
}

// A table of a million PEs would take terabytes.
TEST(Machines, OfAMillionPesNeedNoTable) {
  EXPECT_EQ(Topology::hierarchy("16:64:1024", "1:10:100").distance(0, 1'048'575), 100);
  EXPECT_EQ(Topology::torus({128, 128, 64}).distance(0, 1'048'575), 3);
  EXPECT_EQ(Topology::dragonfly(20, 50, 1000).distance(0, 999'999), 5);
}

}  // namespace
}  // namespace procmap::test
