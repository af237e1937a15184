// SPDX-License-Identifier: MIT
#include "topology/hierarchy_with_gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/hash.hpp"
#include "support/machines.hpp"

namespace procmap::test {
namespace {

std::optional<HierarchyWithGaps> with_gaps(Topology const& machine) {
  auto const* const table = machine.as_table();
  return table ? as_hierarchy_with_gaps(*table) : std::nullopt;
}

/// Every PE has a slot, and slots are as far apart as their PEs.
void expect_same_machine(HierarchyWithGaps const& found, Topology const& machine, std::string const& where) {
  auto const& pe_of_slot = found.pe_of_slot;
  ASSERT_EQ(static_cast<Block>(pe_of_slot.size()), found.hierarchy.num_pes()) << where;
  std::vector<Block> slots;
  for (Block slot = 0; slot < found.hierarchy.num_pes(); ++slot)
    if (pe_of_slot[static_cast<std::size_t>(slot)] != no_block) slots.push_back(slot);
  ASSERT_EQ(static_cast<Block>(slots.size()), machine.num_pes()) << where;
  for (Block const a : slots)
    for (Block const b : slots)
      EXPECT_EQ(found.hierarchy.distance(a, b),
                machine.distance(pe_of_slot[static_cast<std::size_t>(a)], pe_of_slot[static_cast<std::size_t>(b)]))
          << where;
}

std::vector<Block> some_pes(Block num_pes, Block part, std::uint64_t seed) {
  std::vector<Block> pes;
  for (Block pe = 0; pe < num_pes; ++pe) pes.push_back(pe);
  std::ranges::sort(pes, {}, [&](Block pe) { return hash(seed, static_cast<std::uint64_t>(pe)); });
  pes.resize(static_cast<std::size_t>(part));
  return pes;
}

TEST(HierarchyWithGaps, IsFoundOfEveryPartOfAHierarchy) {
  for (auto const& [name, machine] : all_machines())
    for (std::uint64_t const seed : {1, 2, 3}) {
      Block const part = 1 + machine.num_pes() * static_cast<Block>(seed) / 4;
      auto const rest = machine.sub(some_pes(machine.num_pes(), std::min(part, machine.num_pes()), seed));
      if (rest.is_hierarchy()) continue;
      auto const found = with_gaps(rest);
      ASSERT_TRUE(found) << name;
      expect_same_machine(*found, rest, name);
    }
}

TEST(HierarchyWithGaps, HasNoGapsWhereOnlyTheOrderIsAnother) {
  auto const whole = Topology::hierarchy("3:4:2", "1:10:100");
  auto const found = with_gaps(whole.sub(some_pes(24, 24, 7)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hierarchy, whole);
}

// Two PEs at 1 and two at 3, which are 9 apart: the second pair are groups of one PE each at 1.
TEST(HierarchyWithGaps, LevelsNeedNotBeThoseOfAllGroups) {
  std::vector<Weight> const matrix{0, 1, 9, 9, 1, 0, 9, 9, 9, 9, 0, 3, 9, 9, 3, 0};
  auto const machine = Topology::from_distance_matrix(matrix, 4);
  auto const found = with_gaps(machine);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hierarchy, Topology::hierarchy("2:2:2", "1:3:9"));
  expect_same_machine(*found, machine, "two pairs");
}

TEST(HierarchyWithGaps, IsNotSeenInOtherMachines) {
  std::vector<Weight> const path{0, 1, 2, 1, 0, 1, 2, 1, 0};
  EXPECT_FALSE(with_gaps(Topology::from_distance_matrix(path, 3)));
  EXPECT_FALSE(with_gaps(Topology::dragonfly(4, 3, 2)));
}

TEST(HierarchyWithGaps, HasNotFarMoreGapsThanPes) {
  // One group of 600 PEs and 600 PEs that are alone.
  auto const machine = Topology::hierarchy("600:601", "1:2");
  std::vector<Block> pes;
  for (Block pe = 0; pe < 600; ++pe) pes.push_back(pe);
  for (Block group = 1; group <= 600; ++group) pes.push_back(600 * group);
  EXPECT_FALSE(with_gaps(machine.sub(pes)));
}

}  // namespace
}  // namespace procmap::test
