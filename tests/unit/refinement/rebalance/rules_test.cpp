// SPDX-License-Identifier: MIT
#include "refinement/rebalance/rules.hpp"
#include "exec/cpu_executor.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

struct Quotient {
  Weight loss, weight;
};

/// a.loss / a.weight against b.loss / b.weight, exactly: -1, 0 or 1.
int compare(Quotient a, Quotient b) {
  auto const left = static_cast<__int128>(a.loss) * b.weight, right = static_cast<__int128>(b.loss) * a.weight;
  return left < right ? -1 : left > right ? 1 : 0;
}

int sign(Weight a, Weight b) { return a < b ? -1 : a > b ? 1 : 0; }

Quotient random_quotient(std::uint64_t seed, std::uint64_t i, Weight bound) {
  return {random_below(2 * bound + 1, seed, i, 0) - bound, 1 + random_below(bound, seed, i, 1)};
}

TEST(ExactLossKey, OrdersSmallQuotientsExactly) {
  for (Weight loss_a = -9; loss_a <= 9; ++loss_a)
    for (Weight weight_a = 1; weight_a <= 9; ++weight_a)
      for (Weight loss_b = -9; loss_b <= 9; ++loss_b)
        for (Weight weight_b = 1; weight_b <= 9; ++weight_b)
          EXPECT_EQ(sign(exact_loss_key(loss_a, weight_a), exact_loss_key(loss_b, weight_b)),
                    compare({loss_a, weight_a}, {loss_b, weight_b}))
              << loss_a << "/" << weight_a << " against " << loss_b << "/" << weight_b;
}

TEST(ExactLossKey, NeverInvertsTheOrderOfLargeQuotients) {
  for (auto const seed : each_seed(20))
    for (std::uint64_t i = 0; i < 2000; ++i)
      for (int const bits : {20, 40, 60}) {
        auto const a = random_quotient(seed, 2 * i, Weight{1} << bits);
        auto const b = random_quotient(seed, 2 * i + 1, Weight{1} << bits);
        auto const keys = sign(exact_loss_key(a.loss, a.weight), exact_loss_key(b.loss, b.weight));
        // Two quotients may round to the same double, never past each other.
        EXPECT_TRUE(keys == 0 || keys == compare(a, b))
            << a.loss << "/" << a.weight << " against " << b.loss << "/" << b.weight;
      }
}

TEST(ExactLossKey, IsZeroForEvenMovesOfAnyWeight) {
  for (Weight const weight : {Weight{1}, Weight{7}, Weight{1} << 60}) EXPECT_EQ(exact_loss_key(0, weight), 0);
}

TEST(LossBucket, PutsSavingsFirstThenEvenMovesThenLosses) {
  EXPECT_EQ(loss_bucket(-5, 3), 0);
  EXPECT_EQ(loss_bucket(0, 3), 1);
  EXPECT_GT(loss_bucket(1, std::numeric_limits<Weight>::max()), 1);
}

TEST(LossBucket, GrowsByOneWithEveryDoublingOfTheLoss) {
  for (Weight const weight : {Weight{1}, Weight{3}, Weight{1000}})
    for (Weight loss = 1; loss < Weight{1} << 50; loss *= 2)
      EXPECT_EQ(loss_bucket(2 * loss, weight), loss_bucket(loss, weight) + 1) << loss << "/" << weight;
}

TEST(LossBucket, IsMonotoneAndSoIsItsHistogram) {
  for (auto const seed : each_seed(20))
    for (std::uint64_t i = 0; i < 2000; ++i)
      for (int const bits : {3, 20, 60}) {
        auto a = random_quotient(seed, 2 * i, Weight{1} << bits);
        auto b = random_quotient(seed, 2 * i + 1, Weight{1} << bits);
        if (compare(a, b) > 0) std::swap(a, b);
        auto const low = loss_bucket(a.loss, a.weight), high = loss_bucket(b.loss, b.weight);
        EXPECT_LE(low, high) << a.loss << "/" << a.weight << " and " << b.loss << "/" << b.weight;
        EXPECT_LE(histogram_bucket(low), histogram_bucket(high)) << "buckets " << low << " and " << high;
      }
}

TEST(HistogramBucket, StaysInItsRangeAndKeepsLossesApartFromEvenMoves) {
  for (Weight bucket = 0; bucket < 2 + 0x800; ++bucket) {
    auto const folded = histogram_bucket(bucket);
    EXPECT_GE(folded, bucket < 2 ? bucket : 2) << bucket;
    EXPECT_LT(folded, loss_histogram_buckets) << bucket;
  }
  EXPECT_EQ(histogram_bucket(1), 1);
}

TEST(Sigma, IsTheLargerOfShareAndSlack) {
  RefinementConfig config;
  config.sigma_share = 0.99;
  config.sigma_slack = 100;

  EXPECT_EQ(sigma(config, 100'000), 99'900);
  EXPECT_EQ(sigma(config, 1000), 990);
  EXPECT_EQ(sigma(config, 10), 9);
  EXPECT_EQ(sigma(config, 0), 0);
}

/// Does a vertex of weight `load` leave a block of weight 120 with capacity 100 and share 90?
bool leaves(Weight load, ScopeMode mode, std::int32_t rebalances) {
  Weight block_weight = 120, capacity = 100, share = 90;
  RefinementView state;
  state.block_weight = &block_weight;
  BlocksView const blocks{1, 1, &capacity, &share};
  ScopeState scope;
  scope.mode = mode;
  scope.rebalances = rebalances;
  state.scope = &scope;
  RefinementConfig config;
  config.heavy_vertex = 1.5;
  config.heavy_rounds = 4;
  return may_leave(config, blocks, state, 0, load);
}

TEST(MayLeave, HoldsBackWeightlessAndTooHeavyVertices) {
  for (auto const mode : {ScopeMode::rebalance_weak, ScopeMode::rebalance_strong, ScopeMode::rebalance_sorted}) {
    EXPECT_FALSE(leaves(0, mode, 0));
    EXPECT_TRUE(leaves(1, mode, 0));
    EXPECT_TRUE(leaves(44, mode, 0));
    EXPECT_FALSE(leaves(45, mode, 0));  // 1.5 times the 30 above the share
  }
}

TEST(MayLeave, LetsHeavyVerticesGoWhenSortingDoesNotHelp) {
  EXPECT_FALSE(leaves(45, ScopeMode::rebalance_sorted, 3));
  EXPECT_TRUE(leaves(45, ScopeMode::rebalance_sorted, 4));
  EXPECT_FALSE(leaves(45, ScopeMode::rebalance_weak, 4));
}

TEST(RoomiestOf, IsTheFirstBlockWithTheMostRoom) {
  std::vector<Weight> weight{5, 3, 9, 0}, capacity{10, 10, 16, 6};
  RefinementView state;
  state.block_weight = weight.data();
  BlocksView const blocks{4, 4, capacity.data(), nullptr};

  EXPECT_EQ(roomiest_of(state, blocks, {0, 4}, SerialGroup{}), 1);
  EXPECT_EQ(roomiest_of(state, blocks, {2, 4}, SerialGroup{}), 2);
  EXPECT_EQ(roomiest_of(state, blocks, {3, 4}, SerialGroup{}), 3);
}

}  // namespace
}  // namespace procmap::test
