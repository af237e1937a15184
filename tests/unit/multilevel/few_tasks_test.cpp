// SPDX-License-Identifier: MIT
#include "multilevel/few_tasks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace procmap::test {
namespace {

std::vector<Weight> held(PeCapacities const& pes) {
  std::vector<Weight> each;
  for (Block pe = 0; pe < pes.num_pes(); ++pe) each.push_back(pes.of(pe));
  return each;
}

TEST(RoomsFor, AreAllPesIfMostAreNeeded) {
  auto const hierarchy = Topology::hierarchy("2:5", "1:10");
  for (Block const tasks : {10, 12}) EXPECT_EQ(rooms_for(PeCapacities(10, 1), hierarchy, tasks).size(), 1u) << tasks;
}

TEST(RoomsFor, AreAlsoTheFirstPesAndTheFirstSubtreesThatHoldAllTasks) {
  auto const rooms = rooms_for(PeCapacities(12, 1), Topology::hierarchy("4:3", "1:10"), 6);

  ASSERT_EQ(rooms.size(), 3u);
  EXPECT_EQ(held(rooms[0]), std::vector<Weight>(12, 1));
  EXPECT_EQ(held(rooms[1]), (std::vector<Weight>{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(held(rooms[2]), (std::vector<Weight>{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0}));
}

TEST(RoomsFor, NameNoRoomTwice) {
  EXPECT_EQ(rooms_for(PeCapacities(12, 1), Topology::hierarchy("4:3", "1:10"), 4).size(), 2u) << "one subtree, filled";
  EXPECT_EQ(rooms_for(PeCapacities(8, 1), Topology::hierarchy("4:2", "1:10"), 6).size(), 2u)
      << "both subtrees are all PEs";
}

TEST(RoomsFor, LeaveOutForbiddenPes) {
  PeCapacities const pes(std::vector<Weight>{0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1}, {});

  auto const rooms = rooms_for(pes, Topology::hierarchy("4:3", "1:10"), 3);

  ASSERT_EQ(rooms.size(), 3u);
  EXPECT_EQ(held(rooms[1]), (std::vector<Weight>{0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(held(rooms[2]), (std::vector<Weight>{0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0}));
}

TEST(FirstPlaces, AreWholeGroupsOfWhichThereAreSome) {
  std::vector<Block> const sizes{4, 4, 4, 4};

  auto const some = first_places(sizes, 250, 256);
  EXPECT_EQ(some.count, 256);
  EXPECT_EQ(some.sizes, (std::vector<Block>{4, 4, 16}));

  auto const fewer = first_places(sizes, 130, 256);
  EXPECT_EQ(fewer.count, 144);
  EXPECT_EQ(fewer.sizes, (std::vector<Block>{4, 4, 9}));
}

TEST(FirstPlaces, AreNoMoreThanThereAre) {
  auto const all = first_places({3, 3, 3}, 27, 27);
  EXPECT_EQ(all.count, 27);
  EXPECT_EQ(all.sizes, (std::vector<Block>{3, 9}));

  auto const few = first_places({4, 4}, 5, 16);
  EXPECT_EQ(few.count, 5);
  EXPECT_EQ(few.sizes, (std::vector<Block>{5}));
}

}  // namespace
}  // namespace procmap::test
