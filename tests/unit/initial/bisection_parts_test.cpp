// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "initial/balance.hpp"
#include "initial/move_queue.hpp"
#include "support/graphs.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t num_seeds = 20;

TEST(AdaptiveBalance, KeepsSlackForLaterBisections) {
  EXPECT_EQ(initial::adaptive_balance(100, {60, 60}, 1, 1).limit, (std::array<Weight, 2>{60, 60}));
  EXPECT_EQ(initial::adaptive_balance(10000, {7250, 7250}, 2, 1).limit, (std::array<Weight, 2>{6020, 6020}));
  EXPECT_EQ(initial::adaptive_balance(90, {100, 50}, 9, 30).limit, (std::array<Weight, 2>{60, 30}));
  EXPECT_EQ(initial::adaptive_balance(200, {60, 30}, 3, 1).limit, (std::array<Weight, 2>{60, 30}));
  EXPECT_EQ(initial::adaptive_balance(90, {60, 30}, 3, 1).target, 60);
}

TEST(AdaptiveBalance, LeavesRoomWheneverTheCapacitiesDo) {
  for (Weight unit : {1, 3})
    for (Weight n = 0; n <= 12; ++n)
      for (Weight a = 0; a <= 12; ++a)
        for (int depth = 1; depth < 6; ++depth) {
          auto const limit = initial::adaptive_balance(n * unit, {a * unit, (12 - a) * unit}, depth, unit).limit;

          EXPECT_GE(limit[0] + limit[1], n * unit) << n << " in " << a << " + " << 12 - a << ", depth " << depth;
          EXPECT_LE(limit[0], a * unit);
          EXPECT_LE(limit[1], (12 - a) * unit);
        }
}

TEST(MoveQueue, PopsByTheGainOfNow) {
  for (auto const seed : each_seed(num_seeds)) {
    constexpr Vertex n = 50;
    initial::MoveQueue queue;
    std::vector<initial::Slot> slot(n, initial::slot_none);
    std::vector<Weight> gain(n, 0);
    for (std::uint64_t i = 0; i < 500; ++i) {
      auto const v = static_cast<Vertex>(random_below(n, seed, i, 0));
      auto const change = random_below(41, seed, i, 1) - 20;
      gain[v] += change;
      if (change >= 0 || slot[v] == initial::slot_none) queue.raise(v, gain[v], static_cast<std::uint64_t>(v), slot);
    }

    std::vector<std::pair<Weight, Vertex>> popped;
    for (; !queue.empty(); queue.pop(slot)) {
      auto const v = queue.top(gain, slot);
      popped.emplace_back(gain[v], v);
    }

    EXPECT_EQ(popped.size(), std::set(popped.begin(), popped.end()).size());
    EXPECT_GE(popped.size(), 45u);
    EXPECT_TRUE(std::ranges::is_sorted(popped, std::greater{}));
  }
}

}  // namespace
}  // namespace procmap::test
