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

TEST(CostOfPlaces, CountsTheDistancesOfThePesOnThem) {
  auto const line = Topology::mesh({5});
  EXPECT_EQ(cost_of_places(host_graph(to_csr(path(3))), line, {4, 2, 0}, {0, 2, 1}), 2 * (4 + 2));
}

class BestPlacesOnALine : public testing::Test {
 protected:
  BestPlacesOnALine() {
    for (Block p = 0; p < 6; ++p)
      for (Block q = 0; q < 6; ++q) distance_.push_back(line_.distance(p, q));
  }

  Weight cost(std::vector<Block> const& place) const { return cost_of_places(traffic_, line_, identity(6), place); }

  Topology line_ = Topology::mesh({6});
  std::vector<Weight> distance_, capacity_ = std::vector<Weight>(6, 1);
  std::vector<Block> groups_{6};
  HostGraph traffic_ = with_empty_blocks(host_graph(to_csr(path(4))), 6);
  Places places_{distance_, capacity_, groups_, {}};
};

TEST_F(BestPlacesOnALine, GiveEveryVertexAPlaceOfItsOwn) {
  BestPlaces best(traffic_, places_);
  best.consider({5, 0, 4, 1});

  auto place = std::move(best).improved({1000, 1}, {10, 3, 1});

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
    EXPECT_EQ(cost(std::move(best).improved({0, 1}, {})), 6);
  }
}

TEST_F(BestPlacesOnALine, PassOverWhatIsWorseAsItIs) {
  BestPlaces best(traffic_, places_);
  best.consider_if_better({});
  best.consider_if_better({0, 2, 1, 3});
  best.consider_if_better({5, 0, 4, 1});
  EXPECT_EQ(cost(std::move(best).improved({0, 1}, {})), 6);
}

}  // namespace
}  // namespace procmap::test
