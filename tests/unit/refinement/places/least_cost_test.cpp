// SPDX-License-Identifier: MIT
#include "refinement/places/least_cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "support/placed_blocks.hpp"
#include "support/task_grids.hpp"

namespace procmap::test {
namespace {

TEST(LeastCostOfPlaces, IsReachedByStencilsOnATorusOfTheirShape) {
  auto const torus = Topology::torus({4, 6}, {2, 2});
  for (bool const diagonals : {false, true}) {
    PlacedBlocks const placed(torus, csr_of({{4, 6}, true, diagonals}).graph());
    EXPECT_EQ(least_cost_of_places(placed.traffic, torus), placed.cost(identity(24)));
  }
}

TEST(LeastCostOfPlaces, CountsTheHeaviestTrafficOverTheShortestWays) {
  auto csr = csr_from_edges(4, {{0, 1}, {0, 2}, {0, 3}});
  csr.arc_weights = {1, 10, 5, 1, 10, 5};
  auto const star = host_graph(csr);
  // The centre: 10 * 1 + 5 * 10 + 1 * 10. The others: 10, 5 and 1, one step each.
  EXPECT_EQ(least_cost_of_places(star, Topology::hierarchy("2:4", "1:10")), 70 + 16);
}

TEST(LeastCostOfPlaces, IsNotMoreThanAnyMappingCosts) {
  auto machines = other_machines();
  std::ranges::copy(all_machines(), std::back_inserter(machines));
  for (auto const& [name, topology] : machines) {
    Block const k = topology.num_pes();
    if (k < 2) continue;
    PlacedBlocks const placed(topology, random_traffic(k, 5));
    auto const least = least_cost_of_places(placed.traffic, topology);
    for (std::uint64_t seed = 0; seed < 50; ++seed)
      EXPECT_LE(least, placed.cost(shuffled(k, seed))) << name << ", seed " << seed;
  }
}

TEST(LeastCostOfPlaces, IsNotMoreThanTheBestOfAllMappings) {
  for (auto const& topology : {Topology::mesh({2, 3}), Topology::torus({6}), Topology::hierarchy("3:2", "1:10"),
                               Topology::mesh({5, 5}).sub(std::vector<Block>{0, 1, 7, 12, 18, 24})})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      PlacedBlocks const placed(topology, random_traffic(6, seed));
      auto place = identity(6);
      auto best = placed.cost(place);
      while (std::next_permutation(place.begin(), place.end())) best = std::min(best, placed.cost(place));
      EXPECT_LE(least_cost_of_places(placed.traffic, topology), best) << topology.describe() << ", seed " << seed;
    }
}

TEST(LeastCostOfPlaces, IsNotKnownOfATableOrASmallPartOfAGrid) {
  auto const traffic = host_graph(to_csr(grid2d(2, 2)));
  EXPECT_EQ(least_cost_of_places(traffic, Topology::dragonfly(4, 3, 2)), 0);
  EXPECT_EQ(least_cost_of_places(traffic, Topology::torus({10, 10}).sub(std::vector<Block>{0, 1, 2, 3})), 0);
}

}  // namespace
}  // namespace procmap::test
