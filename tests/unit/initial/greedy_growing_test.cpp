// SPDX-License-Identifier: MIT
#include "initial/greedy_growing.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/bisection.hpp"

namespace procmap::test {
namespace {

constexpr std::uint64_t num_growing_seeds = 20;

TEST(GreedyGrowing, StopsBetweenTargetAndLimit) {
  for (auto const seed : each_seed(num_growing_seeds))
    for (auto const start : {initial::Start::hashed, initial::Start::peripheral}) {
      auto trial = one_sided(with_weights(disconnected(4), seed, 9, 9), seed);
      auto const target = trial.work.total_weight / 3;

      grow_side_zero(trial.work, {target, {target + 9, std::numeric_limits<Weight>::max()}}, start);

      EXPECT_GE(trial.work.weight[0], target);
      EXPECT_LE(trial.work.weight[0], target + 9);
      EXPECT_EQ(trial.work.cut, cut_of(view_of(trial.csr), trial.work.side));
    }
}

}  // namespace
}  // namespace procmap::test
