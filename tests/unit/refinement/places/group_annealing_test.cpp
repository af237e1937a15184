// SPDX-License-Identifier: MIT
#include "refinement/places/group_annealing.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/hash.hpp"
#include "support/placed_blocks.hpp"

namespace procmap::test {
namespace {

constexpr Block group_size = 4;

/// A ring of 48 blocks on a ring of PEs, in groups of four and of eight.
PlacedBlocks ring_in_groups(Block most_in_table) {
  PlacedBlocks ring(Topology::torus({48}), cycle(48), most_in_table);
  ring.sizes = {group_size, 2, 6};
  return ring;
}

/// Groups of places in a random order, everything in them as it was.
std::vector<Block> with_groups_at_random(std::uint64_t seed) {
  auto place = identity(48);
  for (Block g = 11; g > 0; --g) {
    auto const other = static_cast<Block>(hash(seed, at(g)) % at(g + 1));
    for (Block i = 0; i < group_size; ++i) std::swap(place[at(g * group_size + i)], place[at(other * group_size + i)]);
  }
  return place;
}

TEST(GroupAnnealing, PutsTheGroupsOfARingInOrder) {
  constexpr Weight least = 2 * 48;
  for (Block const most_in_table : {0, 100}) {
    Weight too_much = 0, too_much_before = 0;
    for (auto const seed : each_seed({3, 4, 5, 6, 7})) {
      auto const ring = ring_in_groups(most_in_table);
      auto place = with_groups_at_random(seed);
      auto const before = place;

      EXPECT_TRUE(anneal_groups(ring.traffic, ring.on_team(false), {100'000, seed}, place));

      ASSERT_TRUE(is_permutation_of_places(place));
      for (std::size_t b = 0; b < place.size(); ++b) EXPECT_EQ(place[b] % group_size, before[b] % group_size);
      EXPECT_LT(ring.cost(place), ring.cost(before)) << "seed " << seed;
      too_much += ring.cost(place) - least;
      too_much_before += ring.cost(before) - least;
    }
    EXPECT_LT(2 * too_much, too_much_before);
  }
}

TEST(GroupAnnealing, LeavesTheBestOrderAlone) {
  auto const ring = ring_in_groups(0);
  auto place = identity(48);
  EXPECT_FALSE(anneal_groups(ring.traffic, ring.on_team(false), {100'000, 1}, place));
  EXPECT_EQ(place, identity(48));
}

TEST(GroupAnnealing, ExchangesNoGroupsOfDifferentCapacities) {
  auto ring = ring_in_groups(0);
  for (std::size_t p = 0; p < 24; ++p) ring.capacity[p] = 7;
  auto place = with_groups_at_random(3);
  auto const before = place;

  EXPECT_TRUE(anneal_groups(ring.traffic, ring.on_team(false), {100'000, 1}, place));

  for (std::size_t b = 0; b < place.size(); ++b) EXPECT_EQ(place[b] < 24, before[b] < 24) << "block " << b;
}

TEST(GroupAnnealing, LeavesGroupsWithAHeldBlockWhereTheyAre) {
  auto ring = ring_in_groups(0);
  auto place = with_groups_at_random(1);
  auto const before = place;
  ring.held.assign(48, no_block);
  for (std::size_t b : {5, 30}) ring.held[b] = place[b];

  EXPECT_TRUE(anneal_groups(ring.traffic, ring.on_team(false), {100'000, 1}, place));

  for (std::size_t b : {4, 5, 6, 7, 28, 29, 30, 31}) EXPECT_EQ(place[b], before[b]) << "block " << b;
}

TEST(GroupAnnealing, CanBeSwitchedOff) {
  auto place = with_groups_at_random(1);
  auto const ring = ring_in_groups(0);
  EXPECT_FALSE(anneal_groups(ring.traffic, ring.on_team(false), {0, 1}, place));
}

TEST(GroupAnnealing, HasNothingToDoWhereThereAreNoGroups) {
  auto ring = ring_in_groups(0);
  ring.sizes = {48};
  auto place = with_groups_at_random(1);
  EXPECT_FALSE(anneal_groups(ring.traffic, ring.on_team(false), {100'000, 1}, place));
}

}  // namespace
}  // namespace procmap::test
