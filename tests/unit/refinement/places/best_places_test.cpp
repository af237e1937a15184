// SPDX-License-Identifier: MIT
#include "refinement/places/best_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/placed_blocks.hpp"

namespace procmap::test {
namespace {

TEST(PlacesInOrder, FollowTheNumbersOfThePes) {
  std::vector<Block> const pe_of_place{2, 0, 3, 1};
  EXPECT_EQ(places_in_order(4, {1, 1, 1, 1}, pe_of_place), (std::vector<Block>{1, 3, 0, 2}));
  EXPECT_EQ(places_in_order(2, {1, 0, 1, 1}, pe_of_place), (std::vector<Block>{3, 0})) << "PE 0 holds nothing";
  EXPECT_TRUE(places_in_order(4, {1, 0, 1, 1}, pe_of_place).empty());
}

TEST(SpareSeats, AreOnEveryPlaceThatMayBe) {
  EXPECT_EQ(with_spare_seats({2, 0}, {5, 0, 7}, 2), (std::vector<Block>{2, 0, 0, 0, 2, 2}));
}

class BestPlacesOnALine : public testing::Test {
 protected:
  Weight cost(std::vector<Block> const& place) const { return cost_of_places(traffic_, distance_, place); }

  PlaceDistances distance_{Topology::mesh({6}), identity(6), 6};
  std::vector<Weight> capacity_ = std::vector<Weight>(6, 1);
  std::vector<Block> groups_{6};
  HostGraph traffic_ = with_empty_blocks(host_graph(to_csr(path(4))), 6);
  Places places_{distance_, capacity_, groups_, {}};
};

TEST_F(BestPlacesOnALine, GiveEveryVertexAPlaceOfItsOwn) {
  BestPlaces best(traffic_, places_);
  best.consider({5, 0, 4, 1});

  best.improve({1000, 1}, {10, 3, 1});
  auto place = std::move(best).result();

  EXPECT_EQ(cost(place), 6);
  std::ranges::sort(place);
  EXPECT_EQ(place, identity(6));
}

TEST_F(BestPlacesOnALine, KeepTheBetterOneInAnyOrder) {
  for (bool const better_first : {false, true}) {
    BestPlaces best(traffic_, places_);
    std::vector<Block> const good{0, 1, 2, 3}, other{3, 0, 5, 2};
    best.consider(better_first ? good : other);
    best.consider(better_first ? other : good);
    EXPECT_EQ(cost(std::move(best).result()), 6);
  }
}

TEST_F(BestPlacesOnALine, PassOverWhatIsWorseAsItIs) {
  BestPlaces best(traffic_, places_);
  best.consider_if_better({});
  best.consider_if_better({0, 2, 1, 3});
  best.consider_if_better({5, 0, 4, 1});
  EXPECT_EQ(cost(std::move(best).result()), 6);
}

}  // namespace
}  // namespace procmap::test
