// SPDX-License-Identifier: MIT
#include "refinement/places/place_prices.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "refinement/places/group_gains.hpp"
#include "support/placed_blocks.hpp"

namespace procmap::test {
namespace {

/// f(prices, cost now) at the start and after some exchanges.
template <class F>
void for_each_state(PlacedBlocks const& places, F f) {
  auto place = identity(places.topology.num_pes());
  auto const on = places.on_team(false);
  auto const k = static_cast<Block>(place.size());
  PlacePrices prices(places.traffic, on, place);
  for (Block b = 0; b < k; ++b) prices.compute(b);
  for (std::uint64_t i = 0; i < 4; ++i) {
    f(prices, place);
    prices.trade(static_cast<Block>(random_below(k, 1, i)), static_cast<Block>(random_below(k, 2, i)));
  }
}

/// What J falls, every edge once, if `count` places from p on change with those from q on.
Weight gain_of(PlacedBlocks const& places, std::vector<Block> const& place, Block p, Block q, Block count) {
  auto other = place;
  for (Block& at_place : other) {
    if (at_place >= p && at_place < p + count)
      at_place += q - p;
    else if (at_place >= q && at_place < q + count)
      at_place += p - q;
  }
  return (places.cost(place) - places.cost(other)) / 2;
}

void expect_gains_and_bounds(PlacedBlocks const& places, std::string const& name) {
  for_each_state(places, [&](PlacePrices const& prices, std::vector<Block> const& place) {
    for (Block p = 0; p < prices.count(); ++p)
      for (Block q = 0; q < prices.count(); ++q) {
        if (p == q) continue;
        auto const gain = gain_of(places, place, p, q, 1);
        ASSERT_EQ(prices.pair_gain(p, q), gain) << name << ", " << p << " and " << q;
        ASSERT_GE(prices.most_gain(prices.prices_of(prices.block(p)), p, q), gain) << name;
      }
  });
}

TEST(PlacePrices, KnowWhatAnExchangeOfTwoSavesAndABound) { for_each_machine(expect_gains_and_bounds); }

// So many partners that only bounds of their least prices are kept up.
TEST(PlacePrices, KnowThatIfAllTalkToAll) {
  expect_gains_and_bounds({Topology::torus({5, 6}), with_weights(complete(30), 1, 1, 100)}, "complete");
}

// Bounds that only ever grew would overflow after enough exchanges of heavy traffic.
TEST(PlacePrices, NeverBoundASavingByMoreThanABlockPays) {
  PlacedBlocks const places{Topology::torus({5, 6}), with_weights(complete(30), 1, 1, 100)};
  auto place = identity(places.topology.num_pes());
  auto const on = places.on_team(false);
  PlacePrices prices(places.traffic, on, place);
  for (Block b = 0; b < prices.count(); ++b) prices.compute(b);
  for (std::uint64_t i = 0; i < 1000; ++i)
    prices.trade(static_cast<Block>(random_below(30, 1, i)), static_cast<Block>(random_below(30, 2, i)));
  for (Block p = 0; p < prices.count(); ++p)
    for (Block q = 0; q < prices.count(); ++q) {
      Block const x = prices.block(p), y = prices.block(q);
      Weight const paid_now = prices.price(x, p) + prices.price(y, q);
      EXPECT_LE(prices.most_gain(prices.prices_of(x), p, q), paid_now - prices.price(x, q)) << p << " and " << q;
    }
}

TEST(GroupGains, AreWhatJFallsIfTwoGroupsExchange) {
  for_each_machine([](PlacedBlocks const& places, std::string const& name) {
    for_each_state(places, [&](PlacePrices const& prices, std::vector<Block> const& place) {
      for (Block const size : {1, 2, 3}) {
        if (prices.count() % size != 0) continue;
        GroupGains gains(prices, size);
        for (Block g = 0; g < gains.groups(); ++g) gains.compute(g);
        for (Block g = 0; g < gains.groups(); ++g)
          gains.for_each_later(g, [&](Block h, Weight gain) {
            ASSERT_EQ(gain, gain_of(places, place, g * size, h * size, size)) << name << ", " << g << " and " << h;
          });
      }
    });
  });
}

}  // namespace
}  // namespace procmap::test
