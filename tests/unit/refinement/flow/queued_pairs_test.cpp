// SPDX-License-Identifier: MIT
#include "refinement/flow/queued_pairs.hpp"

#include <gtest/gtest.h>

namespace procmap::test {
namespace {

constexpr Edge MiB = Edge{1} << 20;

Edge bytes_of(BandSlots const& slots) {
  return slots.count * (band_vertex_bytes * slots.vertices + band_arc_bytes * slots.arcs);
}

TEST(FirstSlots, HoldWholePairsOfSmallGraphs) {
  auto const slots = first_slots(256 * MiB, 12, {1000, 14'000});

  EXPECT_EQ(slots.count, 6) << "a pair holds two blocks";
  EXPECT_GE(slots.vertices, 1000);
  EXPECT_EQ(slots.arcs, 14'000);
}

TEST(FirstSlots, HoldUsualBandsOfLargerOnes) {
  auto const slots = first_slots(256 * MiB, 6, {60'000, 800'000});

  EXPECT_EQ(slots.count, 3);
  EXPECT_GE(slots.vertices, 60'000);
  EXPECT_EQ(slots.arcs, 800'000 / 3);
}

TEST(FirstSlots, MakeRoomForAFewPairsAtATime) {
  auto const slots = first_slots(256 * MiB, 192, {20'000, 30'000'000});  // a hub

  EXPECT_EQ(slots.count, 8);
  EXPECT_GT(slots.arcs, 1'000'000);
  EXPECT_LE(bytes_of(slots), 256 * MiB);
}

TEST(FirstSlots, ShareWhatMemoryThereIs) {
  auto const slots = first_slots(256 * MiB, 4096, {20'000, 200'000});

  EXPECT_GE(slots.count, 8);
  EXPECT_LT(slots.count, 2048);
  EXPECT_LE(bytes_of(slots), 256 * MiB);
}

TEST(FirstSlots, AreAtLeastOne) {
  auto const slots = first_slots(256 * MiB, 2, {40'000'000, 100'000'000});

  EXPECT_EQ(slots.count, 1);
  EXPECT_GE(slots.vertices, 40'000'000);
  EXPECT_EQ(first_slots(256 * MiB, 1, {1, 0}).count, 1);
  EXPECT_EQ(first_slots(256 * MiB, 2, {0, 0}).count, 1);
}

TEST(SlotsWithin, HoldWhatWasAskedFor) {
  auto const slots = slots_within(256 * MiB, 3, {1000, 90'000'000});

  EXPECT_EQ(slots.count, 1);
  EXPECT_EQ(slots.arcs, 90'000'000);
  EXPECT_EQ(slots_within(256 * MiB, 3, {1000, 100'000}).count, 3);
}

}  // namespace
}  // namespace procmap::test
