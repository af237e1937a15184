// SPDX-License-Identifier: MIT
#include "cartesian/halve_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/hash.hpp"

namespace procmap::test {
namespace {

Layout random_points(Vertex n, std::size_t axes, std::uint64_t seed) {
  Layout layout{axes, {}};
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(n) * axes; ++i)
    layout.at.push_back(static_cast<double>(hash(seed, i) >> 32));
  return layout;
}

std::vector<Weight> weight_of_pes(std::vector<Block> const& pe, std::vector<Weight> const& weight, Block num_pes) {
  std::vector<Weight> sums(static_cast<std::size_t>(num_pes), 0);
  for (std::size_t i = 0; i < pe.size(); ++i) sums[static_cast<std::size_t>(pe[i])] += weight[i];
  return sums;
}

TEST(HalveGrid, PutsPointsOfALatticeWhereTheyAre) {
  auto const topology = Topology::mesh({3, 8, 4});
  auto const& grid = *topology.as_grid();
  ASSERT_EQ(used_dimensions(grid), (std::vector<std::size_t>{1, 2, 0}));
  Layout points{3, {}};
  for (Block pe = 0; pe < 96; ++pe)
    for (std::size_t const dimension : {1, 2, 0})
      points.at.push_back(grid.coordinates[3 * static_cast<std::size_t>(pe) + dimension]);

  auto const found = halve_grid(points, std::vector<Weight>(96, 1), grid, std::vector<Weight>(96, 1));

  for (Block pe = 0; pe < 96; ++pe) EXPECT_EQ(found[static_cast<std::size_t>(pe)], pe);
}

TEST(HalveGrid, LeavesOutDimensionsOfOnePe) {
  auto const topology = Topology::torus({1, 5, 1, 2});
  EXPECT_EQ(used_dimensions(*topology.as_grid()), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(num_pes(*topology.as_grid()), 10);
}

// Each of at most six halvings misses its share by half a point at most.
TEST(HalveGrid, GivesPesTheirShareOfTheWeight) {
  auto const topology = Topology::torus({4, 3, 5});
  std::vector<Weight> weight, capacity;
  for (std::uint64_t i = 0; i < 3000; ++i) weight.push_back(1 + static_cast<Weight>(hash(7, i) % 9));
  for (std::uint64_t pe = 0; pe < 60; ++pe) capacity.push_back(static_cast<Weight>(hash(8, pe) % 3));
  Weight all = 0, room = 0;
  for (Weight const one : weight) all += one;
  for (Weight const one : capacity) room += one;

  auto const pe = halve_grid(random_points(3000, 3, 1), weight, *topology.as_grid(), capacity);

  auto const held = weight_of_pes(pe, weight, 60);
  for (std::size_t i = 0; i < 60; ++i) {
    auto const share = static_cast<double>(all) * static_cast<double>(capacity[i]) / static_cast<double>(room);
    EXPECT_NEAR(static_cast<double>(held[i]), share, 30) << i;
    EXPECT_TRUE(capacity[i] > 0 || held[i] == 0) << i;
  }
}

TEST(HalveGrid, TakesFewerPointsThanPesAndPointsWithoutWeight) {
  auto const topology = Topology::torus({4, 4, 4});
  std::vector<Weight> const room(64, 5);

  for (Vertex const n : {0, 1, 20}) {
    for (Weight const weight : {0, 3}) {
      std::vector<Weight> const weights(static_cast<std::size_t>(n), weight);
      auto const pe = halve_grid(random_points(n, 3, 2), weights, *topology.as_grid(), room);
      EXPECT_EQ(pe.size(), static_cast<std::size_t>(n));
      EXPECT_TRUE(std::ranges::all_of(pe, [](Block b) { return b >= 0 && b < 64; }));
    }
  }
}

}  // namespace
}  // namespace procmap::test
