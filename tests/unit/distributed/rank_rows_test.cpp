// SPDX-License-Identifier: MIT
#include "distributed/rank_rows.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "distributed/weight_table.hpp"
#include "procmap/error.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

TEST(RankRows, RowsAreSortedWithoutLoopsAndParallelArcs) {
  std::vector<Edge> const offsets{0, 4, 5};
  std::vector<GlobalVertex> const heads{9, 3, 5, 3, 5};
  std::vector<Weight> const weights{1, 2, 7, 3, 1};

  auto const tidy = tidy_rows({5, 10, offsets, heads, weights});

  EXPECT_EQ(tidy.offsets, (std::vector<Edge>{0, 2, 3}));
  EXPECT_EQ(tidy.heads, (std::vector<GlobalVertex>{3, 9, 5}));
  EXPECT_EQ(tidy.arc_weights, (std::vector<Weight>{5, 1, 1}));
}

TEST(RankRows, ParallelArcsWithoutWeightsGetOne) {
  std::vector<Edge> const offsets{0, 1, 3};
  std::vector<GlobalVertex> const heads{1, 0, 0};

  EXPECT_EQ(tidy_rows({0, 2, offsets, heads, {}}).arc_weights, (std::vector<Weight>{1, 2}));
}

TEST(RankRows, UnitWeightsTakeNoRoom) {
  std::vector<Edge> const offsets{0, 1};
  std::vector<GlobalVertex> const heads{1};
  std::vector<Weight> const ones{1};

  EXPECT_TRUE(tidy_rows({0, 2, offsets, heads, ones}).arc_weights.empty());
}

TEST(RankRows, WeightsThatAddUpToTooMuchAreRefused) {
  std::vector<Edge> const offsets{0, 2};
  std::vector<GlobalVertex> const heads{1, 1};
  std::vector<Weight> const weights{Weight{1} << 61, Weight{1} << 61};

  EXPECT_THROW(tidy_rows({0, 2, offsets, heads, weights}), std::overflow_error);
}

TEST(RankRows, TheBalanceOfAllRanksSaysWhetherArcsHaveReverseArcs) {
  std::vector<Edge> const offsets{0, 1};
  std::vector<GlobalVertex> const one{1}, zero{0};
  std::vector<Weight> const three{3}, four{4};
  auto const sum = [&](std::vector<Weight> const& back) {
    auto const there = arc_balance({0, 2, offsets, one, three});
    auto const here = arc_balance({1, 2, offsets, zero, back});
    return there[0] + here[0];
  };

  EXPECT_EQ(sum(three), 0u);
  EXPECT_NE(sum(four), 0u);
  EXPECT_EQ(message_of<GraphError>([&] { check_reverse({1, 2, offsets, zero, four}, one, zero, three); }),
            "vertex 0: arc 0->1 weighs 3, but its reverse arc 1->0 weighs 4");
}

TEST(RankRows, GhostsComeInOrderOfTheirIds) {
  std::vector<Edge> const offsets{0, 3, 4};
  std::vector<GlobalVertex> const heads{2, 5, 9, 4};
  GivenRows const rows{4, 10, offsets, heads, {}};

  auto const ghosts = ghosts_of(rows);

  EXPECT_EQ(ghosts, (std::vector<GlobalVertex>{2, 9}));
  EXPECT_EQ(local_heads(rows, ghosts), (std::vector<Vertex>{2, 1, 3, 0}));
}

TEST(WeightTable, SumsByKeyAndForgets) {
  WeightTable table;
  table.reset(3);
  table.add(GlobalVertex{1} << 40, 2);
  table.add(7, 1);
  table.add(GlobalVertex{1} << 40, 3);
  EXPECT_EQ(table.get(GlobalVertex{1} << 40), 5);
  EXPECT_EQ(table.get(8), 0);

  table.reset(100);
  EXPECT_EQ(table.get(7), 0);
  table.for_each([](GlobalVertex, Weight) { FAIL(); });
}

}  // namespace
}  // namespace procmap::test
