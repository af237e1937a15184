// SPDX-License-Identifier: MIT
#include "multilevel/mean_distances.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "topology/guide.hpp"

namespace procmap::test {
namespace {

Topology with_means(Topology const& machine, std::vector<Block> sizes) {
  constexpr Block most_in_table = 2048;
  PlaceDistances const distance(machine, as_numbered(machine.num_pes()).pe_of_slot, most_in_table);
  return with_mean_distances(hierarchy_of_slots(std::move(sizes)), distance);
}

TEST(MeanDistances, OfAHierarchyAreItsOwn) {
  auto const means = with_means(Topology::hierarchy("4:1:6", "3:20:50"), {4, 1, 6});

  EXPECT_EQ(means, Topology::hierarchy("4:1:6", "48:48:800"));
}

TEST(MeanDistances, LieBetweenThoseOfPairs) {
  auto const means = with_means(Topology::torus({8, 8}), {8, 8});

  EXPECT_GT(means.distances()[0], 16);
  EXPECT_LT(means.distances()[0], 4 * 16);
  EXPECT_GT(means.distances()[1], 2 * 16);
  EXPECT_LT(means.distances()[1], 6 * 16);
}

TEST(MeanDistances, GrowOutwards) {
  std::vector<Weight> const distances{0, 9, 1, 1, 9, 0, 1, 1, 1, 1, 0, 9, 1, 1, 9, 0};

  auto const means = with_means(Topology::from_distance_matrix(distances, 4), {2, 2});

  EXPECT_EQ(means, Topology::hierarchy("2:2", "144:144"));
}

}  // namespace
}  // namespace procmap::test
