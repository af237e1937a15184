// SPDX-License-Identifier: MIT
#include "refinement/places/alike_rows.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/placed_blocks.hpp"

namespace procmap::test {
namespace {

PlacedBlocks on_groups(Topology machine, Graph tasks, std::vector<Block> sizes) {
  PlacedBlocks places(std::move(machine), std::move(tasks));
  places.sizes = std::move(sizes);
  return places;
}

/// The size of the groups, after a look at all prices.
Block size_with_right_prices(PlacedBlocks const& places) {
  auto const traffic = places.traffic.view();
  AlikeRows const alike(places.on_team(false), traffic);
  auto const place = shuffled(traffic.num_vertices, 3);
  for (Block b = 0; b < traffic.num_vertices; ++b) {
    std::vector<Weight> prices(place.size(), 7), expected(place.size(), 7);
    alike.add_prices(traffic, b, place, prices.data());
    for (Edge e = traffic.begin(b); e < traffic.end(b); ++e)
      for (std::size_t p = 0; p < place.size(); ++p)
        expected[p] +=
            traffic.arc_weight(e) * places.topology.distance(place[at(traffic.heads[e])], static_cast<Block>(p));
    EXPECT_EQ(prices, expected) << b;
  }
  return alike.size();
}

Graph all_talk(Vertex n) { return with_weights(complete(n), 1, 1, 100); }

TEST(AlikeRows, AreThoseOfANode) {
  EXPECT_EQ(size_with_right_prices(on_groups(Topology::hierarchy("4:15", "1:10"), all_talk(60), {4, 15})), 4);
  EXPECT_EQ(size_with_right_prices(on_groups(Topology::hierarchy("4:3:5", "1:10:100"), all_talk(60), {4, 3, 5})), 12);
  EXPECT_EQ(size_with_right_prices(on_groups(Topology::fat_tree(6), all_talk(54), {3, 3, 6})), 9);
}

TEST(AlikeRows, AreNoneOnATorus) {
  EXPECT_EQ(size_with_right_prices(on_groups(Topology::torus({6, 10}), all_talk(60), {6, 10})), 1);
}

TEST(AlikeRows, AreNoneIfOneDistanceDiffers) {
  auto const machine = Topology::hierarchy("4:15", "1:10");
  std::vector<Weight> distances;
  for (Block p = 0; p < 60; ++p)
    for (Block q = 0; q < 60; ++q) distances.push_back(machine.distance(p, q));
  distances[3 * 60 + 59] = distances[59 * 60 + 3] = 9;

  auto const other = Topology::from_distance_matrix(distances, 60);

  EXPECT_EQ(size_with_right_prices(on_groups(other, all_talk(60), {4, 15})), 1);
}

TEST(AlikeRows, AreNotLookedForIfTrafficIsSparse) {
  EXPECT_EQ(size_with_right_prices(on_groups(Topology::hierarchy("4:15", "1:10"), grid2d(6, 10), {4, 15})), 1);
  EXPECT_EQ(size_with_right_prices(on_groups(Topology::flat(1), complete(1), {1})), 1);
}

}  // namespace
}  // namespace procmap::test
