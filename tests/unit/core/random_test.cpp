// SPDX-License-Identifier: MIT
#include "core/random.hpp"

#include <gtest/gtest.h>

#include "core/hash.hpp"

namespace procmap::test {
namespace {

TEST(AsDouble, IsTheConversionOfAnyNumber) {
  for (std::uint64_t const number : {0ull, 1ull, 0xffff'ffffull, 1ull << 53, (1ull << 53) + 1, 1ull << 63, ~0ull})
    EXPECT_EQ(as_double(number), static_cast<double>(number)) << number;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    auto const number = mix(i) >> (i % 64);
    ASSERT_EQ(as_double(number), static_cast<double>(number)) << number;
  }
}

TEST(Exponential, HasAMeanOfAboutOne) {
  double sum = 0;
  constexpr int numbers = 100'000;
  for (std::uint64_t i = 0; i < numbers; ++i) sum += exponential(hash(3, i));
  EXPECT_NEAR(sum / numbers, 1, 0.05);
}

}  // namespace
}  // namespace procmap::test
