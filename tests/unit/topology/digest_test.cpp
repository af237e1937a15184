// SPDX-License-Identifier: MIT
#include "topology/digest.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/machines.hpp"

namespace procmap::test {
namespace {

TEST(Digest, IsThatOfTheMachineHoweverItWasMade) {
  EXPECT_EQ(digest_of(Topology::hierarchy("4:8", "1:10")), digest_of(Topology::hierarchy({4, 8}, {1, 10})));
  EXPECT_EQ(digest_of(Topology::torus({4, 4})), digest_of(Topology::torus({4, 4}, {1, 1})));
}

TEST(Digest, TellsMachinesApart) {
  auto machines = all_machines();
  for (auto const& machine : other_machines()) machines.push_back(machine);
  for (auto const& one : machines)
    for (auto const& other : machines)
      EXPECT_EQ(digest_of(one.topology) == digest_of(other.topology), one.topology == other.topology)
          << one.name << " and " << other.name;
}

TEST(Digest, TellsMachinesApartOfWhichWordsSayTheSame) {
  auto const table = [](Weight middle) {
    return Topology::from_distance_matrix(std::vector<Weight>{0, 1, 9, 1, 0, middle, 9, middle, 0}, 3);
  };
  auto const mesh = Topology::mesh({4, 4});
  auto const part = [&](Block last) { return mesh.sub(std::vector<Block>{0, 1, last}); };
  ASSERT_EQ(table(4).describe(), table(5).describe());
  ASSERT_EQ(part(7).describe(), part(11).describe());

  EXPECT_NE(digest_of(table(4)), digest_of(table(5)));
  EXPECT_NE(digest_of(part(7)), digest_of(part(11)));
}

}  // namespace
}  // namespace procmap::test
