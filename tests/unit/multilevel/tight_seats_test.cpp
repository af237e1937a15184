// SPDX-License-Identifier: MIT
#include "multilevel/tight_seats.hpp"

#include <gtest/gtest.h>

#include <span>
#include <vector>

namespace procmap::test {
namespace {

TEST(TightSeats, AreThereWhereEveryPeIsFull) {
  auto const seats = tight_seats({8, 300}, 2400, 2400).value();
  EXPECT_EQ(seats.weight, 1);
  EXPECT_EQ(seats.most, std::vector<Vertex>(8, 300));
  EXPECT_EQ(seats.one_more.of(3), 301);
  EXPECT_EQ(seats.some_more.value().of(3), 303);
}

TEST(TightSeats, OfFewVerticesGetRoomForOneMore) {
  auto const seats = tight_seats({8, 10}, 80, 80).value();
  EXPECT_EQ(seats.one_more.of(0), 11);
  EXPECT_FALSE(seats.some_more);
}

TEST(TightSeats, SomeMoreIsOneAtLeast) {
  auto const seats = tight_seats({8, 20}, 160, 160).value();
  EXPECT_EQ(seats.some_more.value().of(5), 21);
}

TEST(TightSeats, VerticesMayWeighMore) {
  auto const seats = tight_seats({4, 10 * 7 + 6}, 40, 40 * 7).value();
  EXPECT_EQ(seats.weight, 7);
  EXPECT_EQ(seats.most, std::vector<Vertex>(4, 10));
  EXPECT_EQ(seats.one_more.of(0), 10 * 7 + 6 + 7);
}

TEST(TightSeats, ForbiddenPesStayForbidden) {
  std::vector<Weight> const capacity{10, 0, 20, 10};
  auto const seats = tight_seats({std::span(capacity), {}}, 40, 40).value();
  EXPECT_EQ(seats.most, (std::vector<Vertex>{10, 0, 20, 10}));
  EXPECT_EQ(seats.one_more.of(0), 11);
  EXPECT_EQ(seats.one_more.of(1), 0);
  EXPECT_EQ(seats.one_more.of(2), 21);
}

TEST(TightSeats, EndWhereOneOf128IsFree) {
  EXPECT_TRUE(tight_seats({8, 1000}, 8 * 1000 - 62, 8 * 1000 - 62));
  EXPECT_FALSE(tight_seats({8, 1000}, 8 * 1000 - 63, 8 * 1000 - 63));
}

TEST(TightSeats, AreNoneOfOnePeFewVerticesDifferentWeightsOrTooMany) {
  EXPECT_FALSE(tight_seats({1, 100}, 100, 100));
  EXPECT_FALSE(tight_seats({8, 1}, 8, 8));
  EXPECT_FALSE(tight_seats({8, 10}, 80, 81));
  EXPECT_FALSE(tight_seats({8, 10}, 81, 81));
  EXPECT_FALSE(tight_seats({8, 10}, 80, 0));
}

}  // namespace
}  // namespace procmap::test
