// SPDX-License-Identifier: MIT
#include "refinement/flow/queued_pairs.hpp"

#include <gtest/gtest.h>

namespace procmap::test {
namespace {

TEST(BandSlots, HoldWholePairsOfSmallGraphs) {
  auto const slots = band_slots(12, 1000, 14'000);

  EXPECT_EQ(slots.count, 6) << "a pair holds two blocks";
  EXPECT_GE(slots.vertices, 1000);
  EXPECT_GE(slots.arcs, 14'000);
}

TEST(BandSlots, HoldAPartOfThePairsOfLargerOnes) {
  auto const slots = band_slots(6, 60'000, 800'000);

  EXPECT_EQ(slots.count, 3);
  EXPECT_GE(slots.vertices, 60'000);
  EXPECT_LT(slots.arcs, 800'000);
  EXPECT_GE(slots.arcs, 800'000 / 3);
}

TEST(BandSlots, AreNotWorthItWhereFewWouldFit) { EXPECT_EQ(band_slots(6, 2'000'000, 30'000'000).count, 0); }

TEST(BandSlots, ShareWhatMemoryThereIs) {
  auto const slots = band_slots(4096, 20'000, 200'000);

  EXPECT_GE(slots.count, 8);
  EXPECT_LT(slots.count, 2048);
  EXPECT_LE(slots.count * (73 * slots.vertices + 28 * slots.arcs), Edge{256} << 20);
}

TEST(BandSlots, OfGraphsWithoutArcs) {
  EXPECT_EQ(band_slots(1, 1, 0).count, 1);
  EXPECT_EQ(band_slots(2, 0, 0).count, 1);
}

}  // namespace
}  // namespace procmap::test
