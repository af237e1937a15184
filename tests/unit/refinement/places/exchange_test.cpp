// SPDX-License-Identifier: MIT
#include "refinement/places/exchange.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/placed_blocks.hpp"

namespace procmap::test {
namespace {

void expect_that_no_exchange_of_two_helps_after(PlacedBlocks const& places, std::string const& name) {
  auto place = identity(places.topology.num_pes());
  auto const before = places.cost(place);

  bool const improved = places.exchange(place);

  auto const after = places.cost(place);
  ASSERT_TRUE(is_permutation_of_places(place)) << name;
  EXPECT_EQ(improved, after < before) << name;
  EXPECT_LE(after, before) << name;
  for (std::size_t a = 0; a < place.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      auto other = place;
      std::swap(other[a], other[b]);
      ASSERT_GE(places.cost(other), after) << name << ", " << a << " and " << b;
    }
}

TEST(PlaceExchange, EndsWhereNoExchangeOfTwoHelps) { for_each_machine(expect_that_no_exchange_of_two_helps_after); }

TEST(PlaceExchange, EndsWhereNoExchangeOfTwoHelpsIfAllTalkToAll) {
  for (auto const seed : each_seed(5, 1))
    expect_that_no_exchange_of_two_helps_after({Topology::torus({5, 6}), with_weights(complete(30), seed, 1, 100)},
                                               "seed " + std::to_string(seed));
}

TEST(PlaceExchange, DoesNotDependOnTheOrderOfJobs) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto forwards = identity(places.topology.num_pes()), backwards = forwards;

    places.exchange(forwards, {20, 3, 1}, false);
    places.exchange(backwards, {20, 3, 1}, true);

    EXPECT_EQ(forwards, backwards) << name;
  });
}

TEST(PlaceExchange, DoesNotDependOnTheOrderOfArcs) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto place = identity(places.topology.num_pes()), other = place;

    places.exchange(place, {20, 3, 1});
    places.reversed().exchange(other, {20, 3, 1});

    EXPECT_EQ(other, place) << name;
  });
}

TEST(PlaceExchange, IsNeverMadeWorseByKicks) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    auto plain = identity(places.topology.num_pes()), kicked = plain;
    places.exchange(plain);

    places.exchange(kicked, {50, 3, 7});

    EXPECT_TRUE(is_permutation_of_places(kicked)) << name;
    EXPECT_LE(places.cost(kicked), places.cost(plain)) << name;
  });
}

// Pairs belong together, and the first pair to the third: no exchange of two blocks helps, one of two pairs does.
TEST(PlaceExchange, ExchangesWholeGroups) {
  auto const traffic = [](Vertex a, Vertex b) -> Weight {
    return a == b ? 0 : a / 2 == b / 2 ? 100 : a / 2 % 2 == b / 2 % 2 ? 10 : 0;
  };
  Csr csr;
  for (Vertex a = 0; a < 8; ++a) {
    for (Vertex b = 0; b < 8; ++b)
      if (traffic(a, b) > 0) {
        csr.heads.push_back(b);
        csr.arc_weights.push_back(traffic(a, b));
      }
    csr.offsets.push_back(static_cast<Edge>(csr.heads.size()));
  }
  PlacedBlocks places(Topology::hierarchy("2:2:2", "1:10:100"), csr.graph());
  auto flat = identity(8), grouped = flat;

  places.exchange(flat);
  places.sizes = {2, 2, 2};
  places.exchange(grouped);

  EXPECT_EQ(flat, identity(8));
  EXPECT_LT(places.cost(grouped), places.cost(flat));
}

std::vector<Block> with_groups_exchanged(std::vector<Block> place, Block g, Block h, Block size) {
  for (Block& p : place) {
    if (p / size == g)
      p += (h - g) * size;
    else if (p / size == h)
      p -= (h - g) * size;
  }
  return place;
}

TEST(PlaceExchange, EndsWhereNoExchangeOfGroupsHelps) {
  for (auto const seed : each_seed(10, 1)) {
    PlacedBlocks places(Topology::torus({4, 6}), random_traffic(24, seed));
    places.sizes = {2, 3, 4};
    auto place = identity(24);
    auto cost = places.cost(place);
    while (places.exchange(place)) {
      ASSERT_LT(places.cost(place), cost) << "seed " << seed;
      cost = places.cost(place);
    }
    for (Block const size : {2, 6})
      for (Block h = 1; h < 24 / size; ++h)
        for (Block g = 0; g < h; ++g) EXPECT_GE(places.cost(with_groups_exchanged(place, g, h, size)), cost);
  }
}

TEST(PlaceExchange, LeavesHeldBlocksWhereTheyAre) {
  int improved = 0;
  for_each_machine([&](PlacedBlocks places, std::string const& name) {
    SCOPED_TRACE(name);
    places.hold_every_third();
    auto place = identity(places.topology.num_pes());

    improved += places.exchange(place, {20, 3, 1});

    expect_held_stay(places, place);
  });
  EXPECT_GT(improved, 0);
}

TEST(PlaceExchange, KeepsToCapacities) {
  for (auto const seed : each_seed(10, 1)) {
    auto const places = tight_places(seed);
    auto place = identity(20);

    places.exchange(place);

    expect_all_fit(places, place);
  }
}

}  // namespace
}  // namespace procmap::test
