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
  std::vector<GlobalVertex> const heads{2, 5, 9, 4};
  std::vector<std::int32_t> const narrow{2, 5, 9, 4};

  auto const ghosts = ghosts_of({4, 2}, heads);

  EXPECT_EQ(ghosts, (std::vector<GlobalVertex>{2, 9}));
  EXPECT_EQ(local_heads({4, 2}, heads, ghosts), (std::vector<Vertex>{2, 1, 3, 0}));
  EXPECT_EQ(local_heads({4, 2}, narrow, ghosts_of({4, 2}, narrow)), (std::vector<Vertex>{2, 1, 3, 0}));
}

TEST(RankRows, ManyArcsToOneGhostAreKeptOnce) {
  std::vector<GlobalVertex> heads(200000, 7);
  heads.back() = 3;

  EXPECT_EQ(ghosts_of({0, 2}, heads), (std::vector<GlobalVertex>{3, 7}));
}

TEST(RankRows, ASliceIsTidiedAsWhatItIsPartOf) {
  std::vector<Edge> const slice{2, 4};
  std::vector<std::int32_t> const heads{8, 8, 2, 1};
  std::vector<std::int32_t> const weights{5, 5, 3, 4};

  auto const tidy = tidy_rows({6, 10, slice, heads, weights});

  EXPECT_EQ(tidy.offsets, (std::vector<Edge>{0, 2}));
  EXPECT_EQ(tidy.heads, (std::vector<GlobalVertex>{1, 2}));
  EXPECT_EQ(tidy.arc_weights, (std::vector<Weight>{4, 3}));
}

TEST(RankRows, SelectedRowsComeInPieces) {
  std::vector<Edge> const offsets{0, 2, 4, 6, 8};
  std::vector<Vertex> const heads{1, 3, 0, 2, 1, 3, 0, 2};  // a ring
  std::vector<NarrowWeight> const weights{1, 4, 1, 2, 2, 3, 4, 3};
  RankRows const rows{0, offsets, heads, {}, {}, {}, weights};
  std::vector<std::uint8_t> const inside{1, 0, 1, 1};
  std::vector<std::int32_t> const number{10, -1, 11, 12};

  auto const first = selected_rows(rows, inside, number, 0, 2);
  auto const rest = selected_rows(rows, inside, number, first.next, 100);

  EXPECT_EQ(first.next, 3);
  EXPECT_EQ(first.rows.offsets, (std::vector<Edge>{0, 1, 2}));
  EXPECT_EQ(first.rows.heads, (std::vector<GlobalVertex>{12, 12}));
  EXPECT_EQ(first.rows.arc_weights, (std::vector<Weight>{4, 3}));
  EXPECT_EQ(rest.next, 4);
  EXPECT_EQ(rest.rows.heads, (std::vector<GlobalVertex>{10, 11}));
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
