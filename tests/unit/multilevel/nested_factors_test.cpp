// SPDX-License-Identifier: MIT
#include "multilevel/nested_factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace procmap::test {
namespace {

using Factors = std::vector<Block>;

TEST(NestedFactors, AreFewAndThenEven) {
  EXPECT_EQ(nested_factors(512, 16), (Factors{8, 8, 8}));
  EXPECT_EQ(nested_factors(128, 16), (Factors{16, 8}));
  EXPECT_EQ(nested_factors(96, 16), (Factors{12, 8}));
  EXPECT_EQ(nested_factors(1 << 22, 16), (Factors{16, 16, 16, 16, 8, 8}));
  EXPECT_EQ(nested_factors(6, 16), (Factors{6}));
  EXPECT_EQ(nested_factors(1, 16), (Factors{1}));
}

TEST(NestedFactors, KeepLargePrimesWhole) {
  EXPECT_EQ(nested_factors(61, 16), (Factors{61}));
  EXPECT_EQ(nested_factors(2 * 61, 16), (Factors{61, 2}));
  EXPECT_EQ(nested_factors(17 * 17, 16), (Factors{17, 17}));
  EXPECT_EQ(nested_factors(4194301, 16), (Factors{4194301})) << "the largest prime below 2^22";
}

TEST(NestedFactors, MultiplyToTheSizeInDecreasingOrderWithTheFewestSteps) {
  constexpr Block largest = 16;
  std::vector<std::size_t> fewest(2001, 0);  // of sizes without large primes; 0: there is one
  for (Block size = 1; size < static_cast<Block>(fewest.size()); ++size) {
    auto const factors = nested_factors(size, largest);
    auto& steps = fewest[static_cast<std::size_t>(size)];
    if (size <= largest) steps = 1;
    for (Block f = 2; f <= largest && size > largest; ++f)
      if (size % f == 0)
        if (auto const rest = fewest[static_cast<std::size_t>(size / f)]; rest > 0 && (steps == 0 || rest + 1 < steps))
          steps = rest + 1;

    EXPECT_EQ(std::accumulate(factors.begin(), factors.end(), Block{1}, std::multiplies<>()), size);
    EXPECT_TRUE(std::is_sorted(factors.begin(), factors.end(), std::greater<>())) << size;
    if (steps > 0) {
      EXPECT_EQ(factors.size(), steps) << size;
      EXPECT_LE(factors.front(), largest) << size;
    }
  }
}

}  // namespace
}  // namespace procmap::test
