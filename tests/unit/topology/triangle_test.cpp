// SPDX-License-Identifier: MIT
#include "topology/triangle.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/machines.hpp"

namespace procmap::test {
namespace {

bool is_never_longer_by_way_of_another(Topology const& machine) {
  Block const k = machine.num_pes();
  for (Block a = 0; a < k; ++a)
    for (Block b = 0; b < k; ++b)
      for (Block c = 0; c < k; ++c)
        if (machine.distance(a, c) > machine.distance(a, b) + machine.distance(b, c)) return false;
  return true;
}

TEST(TriangleInequality, IsKeptWhereItIsSaidToBe) {
  auto machines = other_machines();
  machines.push_back({"hierarchy", Topology::hierarchy("2:1:3:2", "0:1:10:10")});
  for (auto const& [name, machine] : machines)
    EXPECT_LE(keeps_triangle_inequality(machine), is_never_longer_by_way_of_another(machine)) << name;
  EXPECT_TRUE(keeps_triangle_inequality(Topology::dragonfly(4, 3, 2)));
}

TEST(TriangleInequality, IsNotKeptWhereADetourIsShorter) {
  auto const with_side = [](std::int32_t side) {
    return Topology::from_distance_matrix(std::vector<Weight>{0, 1, side, 1, 0, 2, side, 2, 0}, 3);
  };
  EXPECT_TRUE(keeps_triangle_inequality(with_side(3)));
  EXPECT_FALSE(keeps_triangle_inequality(with_side(4)));
}

}  // namespace
}  // namespace procmap::test
