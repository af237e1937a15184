// SPDX-License-Identifier: MIT
#include "initial/fm.hpp"

#include <gtest/gtest.h>

#include "support/bisection.hpp"

namespace procmap::test {
namespace {

using initial::Balance;

constexpr std::uint64_t num_fm_seeds = 20;

TEST(FiducciaMattheyses, NeverWorsensOverloadThenCut) {
  for (auto const seed : each_seed(num_fm_seeds))
    for (auto const& [name, graph] : all_shapes(seed))
      for (int const percent : {10, 40, 50, 53, 100}) {
        auto trial = by_coin(graph, seed);
        auto const limit = trial.work.total_weight / 100 * percent;
        Balance const balance{limit, {limit, limit}};
        auto const before = trial.work.score(balance);

        refine_cut(trial.work, balance, {});

        EXPECT_LE(trial.work.score(balance), before) << name << ", limit " << percent << " %";
        EXPECT_EQ(trial.work.weight, weights_of_sides(trial.work)) << name;
        EXPECT_EQ(trial.work.cut, cut_of(view_of(trial.csr), trial.work.side)) << name;
      }
}

TEST(FiducciaMattheyses, RemovesMostOfTheCutOfACoin) {
  Weight before = 0, after = 0;
  for (auto const seed : each_seed(num_fm_seeds)) {
    auto trial = by_coin(grid2d(10, 10), seed);
    before += trial.work.cut;
    refine_cut(trial.work, {50, {55, 55}}, {});
    after += trial.work.cut;
  }
  EXPECT_LT(after * 100, before * 18);
}

TEST(FiducciaMattheyses, TakesTheBetterBalancedOneOfEqualCuts) {
  auto trial = one_sided(path(10), 1);
  for (Vertex v = 0; v < 2; ++v) trial.work.flip(v);
  ASSERT_EQ(trial.work.cut, 1);

  refine_cut(trial.work, {5, {9, 9}}, {});

  EXPECT_EQ(trial.work.cut, 1);
  EXPECT_EQ(trial.work.weight[0], 5);
}

TEST(FiducciaMattheyses, RepairsASideThatHoldsEverything) {
  for (auto const& [name, graph] : all_shapes(1)) {
    if (name == "heavy_vertex") continue;  // half of the weight does not hold it
    auto trial = one_sided(graph, 1);
    auto const limit = trial.work.total_weight * 60 / 100 + (trial.work.total_weight < 10);

    refine_cut(trial.work, {limit, {limit, limit}}, {});

    EXPECT_EQ(trial.work.score({limit, {limit, limit}}).overload, 0) << name;
  }
}

}  // namespace
}  // namespace procmap::test
