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

}  // namespace
}  // namespace procmap::test
