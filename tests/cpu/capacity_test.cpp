// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "procmap/procmap.hpp"
#include "support/graphs.hpp"

namespace procmap::test {
namespace {

/// An imbalance as people write it: numerator / denominator.
struct Share {
  double value;
  __int128 numerator, denominator;
};

constexpr Share shares[] = {
    {0, 0, 1},
    {0.03, 3, 100},
    {0.1, 1, 10},
    {1e-9, 1, 1'000'000'000},
    {0.05, 5, 100},
    {0.2, 2, 10},
    {0.3, 3, 10},
    {0.7, 7, 10},
    {1, 1, 1},
    {2.5, 25, 10},
    {0.001, 1, 1000},
    {0.015, 15, 1000},
    {0.29, 29, 100},
    {0.125, 125, 1000},
    {0.123456, 123456, 1'000'000},
    {1e-12, 1, 1'000'000'000'000},
};

/// ceil((1 + eps) total / k) in whole numbers, at most 2^62.
Weight exact_capacity(Weight total, Block k, Share eps) {
  auto const numerator =
      static_cast<unsigned __int128>(eps.numerator + eps.denominator) * static_cast<unsigned __int128>(total);
  auto const denominator = static_cast<unsigned __int128>(eps.denominator) * static_cast<unsigned __int128>(k);
  auto const capacity = (numerator + denominator - 1) / denominator;
  auto const limit = static_cast<unsigned __int128>(1) << 62;
  return static_cast<Weight>(capacity < limit ? capacity : limit);
}

void expect_exact(Weight total, Block k) {
  for (auto const& eps : shares)
    EXPECT_EQ(block_capacity(total, k, eps.value), exact_capacity(total, k, eps))
        << "total " << total << ", k " << k << ", eps " << eps.value;
}

TEST(BlockCapacity, IsExactForSmallTotals) {
  for (Weight total = 0; total <= 300; ++total)
    for (Block const k : {1, 2, 3, 7, 10, 64, 192, 1000}) expect_exact(total, k);
}

TEST(BlockCapacity, IsExactForLargeTotals) {
  for (auto const seed : each_seed(2000))
    for (int const bits : {20, 40, 53, 58, 61})
      expect_exact(random_below(Weight{1} << bits, seed, 1), static_cast<Block>(1 + random_below(5000, seed, 2)));
}

TEST(BlockCapacity, IsExactAroundMultiplesAndPowersOfTwo) {
  for (int bits = 1; bits <= 61; ++bits)
    for (Weight const offset : {-1, 0, 1})
      for (Block const k : {1, 3, 192, 1 << 22}) expect_exact((Weight{1} << bits) + offset, k);
  for (Weight const factor : {Weight{1}, Weight{99}, Weight{1'000'000'007}})
    for (Block const k : {3, 100, 192}) expect_exact(100 * k * factor, k);
}

TEST(BlockCapacity, IsTheCeilingOfTheAverageWithoutSlack) {
  EXPECT_EQ(block_capacity(100, 3, 0), 34);
  EXPECT_EQ(block_capacity(100, 3, -0.0), 34);
  EXPECT_EQ(block_capacity(0, 3, 0), 0);
  EXPECT_EQ(block_capacity(100, 100, 0), 1);
  EXPECT_EQ(block_capacity(100, 1, 0.03), 103);
  EXPECT_EQ(block_capacity(10, 1, 0.1), 11);
}

TEST(BlockCapacity, NeverFallsWithTheImbalance) {
  for (auto const seed : each_seed(200)) {
    auto const total = random_below(Weight{1} << 61, seed, 1);
    auto const k = static_cast<Block>(1 + random_below(300, seed, 2));
    Weight before = 0;
    for (double eps = 1e-20; eps < 1e20; eps *= 1.7) {
      auto const capacity = block_capacity(total, k, eps);
      EXPECT_GE(capacity, before) << "total " << total << ", k " << k << ", eps " << eps;
      before = capacity;
    }
  }
}

TEST(BlockCapacity, StopsAtTwoToThe62) {
  for (double const eps : {10.0, 1e10, 1e100, std::numeric_limits<double>::max()})
    EXPECT_EQ(block_capacity(Weight{1} << 61, 1, eps), Weight{1} << 62) << eps;
}

TEST(BlockCapacity, RefusesWhatMakesNoSense) {
  EXPECT_THROW(block_capacity(10, 0, 0.03), ConfigError);
  EXPECT_THROW(block_capacity(10, -1, 0.03), ConfigError);
  EXPECT_THROW(block_capacity(10, 2, -0.1), ConfigError);
  EXPECT_THROW(block_capacity(10, 2, std::nan("")), ConfigError);
  EXPECT_THROW(block_capacity(10, 2, std::numeric_limits<double>::infinity()), ConfigError);
}

}  // namespace
}  // namespace procmap::test
