// SPDX-License-Identifier: MIT
#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <set>

namespace procmap::test {
namespace {

// The first outputs of the reference implementation (prng.di.unimi.it/splitmix64.c) for these seeds.
TEST(Hash, IsTheSequenceOfSplitMix64) {
  EXPECT_EQ(hash(1234567, 0), 6457827717110365317ull);
  EXPECT_EQ(hash(1234567, 1), 3203168211198807973ull);
  EXPECT_EQ(hash(1234567, 2), 9817491932198370423ull);
  EXPECT_EQ(hash(1234567, 3), 4593380528125082431ull);
  EXPECT_EQ(hash(1234567, 4), 16408922859458223821ull);
  EXPECT_EQ(hash(0, 0), 0xe220a8397b1dcdafull);
  EXPECT_EQ(hash(0, 1), 0x6e789e6aa1b965f4ull);
}

TEST(Hash, OfTwoIdsIsAHashOfAHash) {
  EXPECT_EQ(hash(5, 6, 7), hash(hash(5, 6), 7));
  EXPECT_NE(hash(5, 6, 7), hash(5, 7, 6));
}

TEST(Hash, IsAConstantExpression) {
  constexpr auto value = hash(1, 2, 3);
  static_assert(value == hash(1, 2, 3));

  EXPECT_NE(value, hash(1, 2, 4));
}

// mix is a bijection, so that different ids of one seed never collide.
TEST(Hash, OfDifferentIdsDiffers) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t id = 0; id < 10'000; ++id) seen.insert(hash(42, id));

  EXPECT_EQ(seen.size(), 10'000u);
}

TEST(Hash, ChangesAboutHalfOfTheBitsWithAnyBitOfTheId) {
  for (int bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (std::uint64_t id = 0; id < 100; ++id)
      flipped += std::popcount(hash(7, id) ^ hash(7, id ^ (std::uint64_t{1} << bit)));

    EXPECT_GT(flipped, 2800) << "bit " << bit;
    EXPECT_LT(flipped, 3600) << "bit " << bit;
  }
}

}  // namespace
}  // namespace procmap::test
