// SPDX-License-Identifier: MIT
#include "refinement/places/annealing_end.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace procmap::test {
namespace {

constexpr int all_steps = 64;

/// After how many steps an annealing ends in which J, which was `cost`, is `now(step)` away from it.
int steps_until_end(Weight cost, std::function<Weight(int)> const& now, std::int64_t proposals = many_proposals) {
  AnnealingEnd end(proposals, all_steps, cost);
  Weight least = 0;
  for (int step = 0; step < all_steps; ++step) {
    least = std::min(least, now(step));
    if (end.is_reached(now(step), least)) return step + 1;
  }
  return all_steps;
}

constexpr Weight cost = 1 << 20;

TEST(AnnealingEnd, IsReachedWhereNothingHappensAnyMore) {
  auto const falls_for = [](int steps) { return [=](int step) { return -1000 * std::min(step, steps); }; };
  EXPECT_EQ(steps_until_end(cost, falls_for(0)), 13);
  EXPECT_EQ(steps_until_end(cost, falls_for(20)), 33);
  EXPECT_EQ(steps_until_end(cost, falls_for(all_steps)), all_steps);
}

TEST(AnnealingEnd, IsNotReachedWhileItIsHot) {
  EXPECT_EQ(steps_until_end(cost, [](int step) { return 100'000 - 2'000 * step; }), all_steps);
  EXPECT_EQ(steps_until_end(cost, [](int step) { return step < 40 ? 500 * step : 20'000 - 2'000 * (step - 40); }),
            all_steps);
}

TEST(AnnealingEnd, IsReachedWhereTheBestOneIsOutOfReach) {
  auto const halved_every_eight = [](int step) { return Weight{1'000'000} >> step / 8; };
  EXPECT_EQ(steps_until_end(cost, [&](int step) { return 300'000 + halved_every_eight(step); }), all_steps / 2);
  EXPECT_GT(steps_until_end(cost, [&](int step) { return halved_every_eight(step) - 50'000; }), all_steps / 2);
}

TEST(AnnealingEnd, IsTheSameWithCostsNear2To62) {
  for (Weight const away : {300'000, 0, -50'000}) {
    auto const steps_with = [&](Weight scale) {
      return steps_until_end(scale << 20, [&](int step) { return scale * (away + (Weight{1'000'000} >> step / 8)); });
    };
    EXPECT_EQ(steps_with(Weight{1} << 41), steps_with(1)) << away;
    EXPECT_EQ(steps_with((Weight{1} << 42) - 1), steps_with(1)) << away;
  }
}

TEST(AnnealingEnd, IsThatOfAllStepsWhereTheseAreShort) {
  EXPECT_EQ(steps_until_end(cost, [](int) { return 0; }, many_proposals - 1), all_steps);
}

}  // namespace
}  // namespace procmap::test
