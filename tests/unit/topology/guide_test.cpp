// SPDX-License-Identifier: MIT
#include "topology/guide.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "support/machines.hpp"
#include "support/traced.hpp"
#include "topology/natural_groups.hpp"

namespace procmap::test {
namespace {

std::vector<Machine> machines() {
  auto machines = other_machines();
  machines.push_back({"prime", Topology::torus({97})});
  machines.push_back({"part of prime size",
                      Topology::torus({6, 6}).sub(std::vector<Block>{0, 1, 2, 6, 7, 8, 12, 13, 14, 20, 26, 32, 35})});
  machines.push_back({"many levels", Topology::hypercube(13)});
  machines.push_back({"single", Topology::torus({1, 1})});
  machines.push_back({"hierarchy", Topology::hierarchy("2:1:3", "1:2:3")});
  return machines;
}

TEST(Guide, IsAHierarchyOfAllPes) {
  for (auto const& [name, machine] : machines())
    for (Block const max_parts : {2, 8, 64}) {
      auto guide = make_guide(machine, max_parts);

      std::ranges::sort(guide.pe_of_slot);
      std::vector<Block> all(static_cast<std::size_t>(machine.num_pes()));
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(guide.pe_of_slot, all) << name;
      for (auto const& sizes : {guide.sizes, guide.sizes_at_once})
        EXPECT_EQ(hierarchy_of_slots(sizes).num_pes(), machine.num_pes()) << name;
    }
}

Weight diameter(Topology const& machine, std::vector<Block> const& pes) {
  Weight longest = 0;
  for (Block const a : pes)
    for (Block const b : pes) longest = std::max(longest, machine.distance(a, b));
  return longest;
}

/// The PEs of every group of `size` consecutive slots.
std::vector<std::vector<Block>> groups_of(MachineGuide const& guide, Block size) {
  std::vector<std::vector<Block>> groups;
  for (std::size_t first = 0; first < guide.pe_of_slot.size(); first += static_cast<std::size_t>(size)) {
    auto const begin = guide.pe_of_slot.begin() + static_cast<std::ptrdiff_t>(first);
    groups.emplace_back(begin, begin + size);
    std::ranges::sort(groups.back());
  }
  return groups;
}

TEST(Guide, CutsGridsIntoBoxes) {
  auto const guide = make_guide(Topology::torus({8, 8, 8}), 8);
  auto const flat = make_guide(Topology::mesh({6, 10}), 2);

  EXPECT_EQ(guide.sizes, (std::vector<Block>{8, 8, 8}));
  for (auto const& group : groups_of(guide, 64)) EXPECT_EQ(diameter(Topology::mesh({8, 8, 8}), group), 9);
  for (auto const& group : groups_of(guide, 8)) EXPECT_EQ(diameter(Topology::mesh({8, 8, 8}), group), 3);
  EXPECT_EQ(flat.sizes, (std::vector<Block>{3, 5, 2, 2}));
  for (auto const& group : groups_of(flat, 15)) EXPECT_EQ(diameter(Topology::mesh({6, 10}), group), 2 + 4);
}

TEST(Guide, CutsWhereStepsCostMost) {
  auto const guide = make_guide(Topology::mesh({4, 4}, {1, 100}), 4);

  EXPECT_EQ(groups_of(guide, 4)[0], (std::vector<Block>{0, 4, 8, 12}));
}

TEST(Guide, CutsAllDimensionsOfEqualLengthAtOnce) {
  EXPECT_EQ(make_guide(Topology::torus({8, 8, 8}), 2).sizes_at_once, (std::vector<Block>{8, 8, 8}));
  EXPECT_EQ(make_guide(Topology::torus({16, 8}), 2).sizes_at_once, (std::vector<Block>{4, 4, 4, 2}));
  EXPECT_EQ(make_guide(Topology::mesh({6, 10}), 2).sizes_at_once, (std::vector<Block>{3, 5, 2, 2}));
  EXPECT_EQ(make_guide(Topology::mesh({8, 4}, {3, 7}), 2).sizes_at_once, (std::vector<Block>{2, 2, 2, 4}));
}

TEST(Guide, CutsIntoNoMoreThan16PartsAtOnce) {
  EXPECT_EQ(make_guide(Topology::mesh({2, 2, 2, 2, 2, 2}), 2).sizes_at_once, (std::vector<Block>{4, 16}));
}

TEST(Guide, MachinesThatAreNoGridsAreCutOneWay) {
  auto const dragonfly = make_guide(Topology::dragonfly(4, 2, 1), 4);

  EXPECT_EQ(dragonfly.sizes_at_once, dragonfly.sizes);
}

/// The matrix of a hierarchy whose PE p is numbered renamed(p).
Topology shuffled(Topology const& hierarchy, std::uint64_t seed, std::vector<Block>& renamed) {
  Block const k = hierarchy.num_pes();
  renamed.resize(static_cast<std::size_t>(k));
  std::iota(renamed.begin(), renamed.end(), 0);
  std::ranges::sort(renamed, {}, [&](Block pe) { return hash(seed, static_cast<std::uint64_t>(pe)); });
  std::vector<Weight> matrix;
  for (Block const a : renamed)
    for (Block const b : renamed) matrix.push_back(hierarchy.distance(a, b));
  return Topology::from_distance_matrix(matrix, k);
}

TEST(Guide, FindsTheGroupsOfAShuffledHierarchy) {
  auto const hierarchy = Topology::hierarchy("4:6:5", "1:10:100");
  for (auto const seed : each_seed(5, 1)) {
    std::vector<Block> original;
    auto const machine = shuffled(hierarchy, seed, original);
    ASSERT_EQ(natural_group_sizes(*machine.as_table()), (std::vector<Block>{4, 24}));

    auto const guide = make_guide(machine, 8);

    for (auto const& [size, within] : {std::pair<Block, Weight>{24, 10}, {4, 1}})
      for (auto const& group : groups_of(guide, size)) EXPECT_EQ(diameter(machine, group), within);
  }
}

TEST(Guide, FollowsTheGroupsOfADragonfly) {
  auto const guide = make_guide(Topology::dragonfly(5, 3, 2), 8);

  EXPECT_EQ(guide.sizes, (std::vector<Block>{2, 3, 5}));
}

TEST(NaturalGroups, AreThoseOfEqualSize) {
  std::vector<Block> renamed;
  auto const equal = shuffled(Topology::hierarchy("3:4", "1:9"), 1, renamed);
  auto const unequal = Topology::hierarchy("3:4", "1:9").sub(std::vector<Block>{0, 1, 3, 4, 5, 6, 9});

  EXPECT_EQ(natural_group_sizes(*equal.as_table()), (std::vector<Block>{3}));
  EXPECT_TRUE(natural_group_sizes(*unequal.as_table()).empty());
}

}  // namespace
}  // namespace procmap::test
