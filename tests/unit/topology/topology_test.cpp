// SPDX-License-Identifier: MIT
#include "procmap/topology.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "procmap/error.hpp"
#include "support/message.hpp"

namespace procmap::test {
namespace {

std::string error_of(std::string const& sizes, std::string const& distances) {
  return message_of<TopologyError>([&] { Topology::hierarchy(sizes, distances); });
}

std::string error_of(std::vector<Block> const& sizes, std::vector<Weight> const& distances) {
  return message_of<TopologyError>([&] { Topology::hierarchy(sizes, distances); });
}

TEST(Topology, ReadsSizesAndDistancesInnermostFirst) {
  auto const machine = Topology::hierarchy("4:8:6", "1:10:100");

  EXPECT_EQ(machine.sizes(), (std::vector<Block>{4, 8, 6}));
  EXPECT_EQ(machine.distances(), (std::vector<Weight>{1, 10, 100}));
  EXPECT_EQ(machine.num_pes(), 192);
  EXPECT_EQ(machine.num_levels(), 3);
  EXPECT_EQ(machine.max_distance(), 100);
  EXPECT_FALSE(machine.is_flat());
}

TEST(Topology, NeighbouringPesShareTheInnermostLevel) {
  auto const machine = Topology::hierarchy("4:8:6", "1:10:100");

  EXPECT_EQ(machine.distance(5, 5), 0);
  EXPECT_EQ(machine.distance(0, 3), 1);
  EXPECT_EQ(machine.distance(3, 4), 10);
  EXPECT_EQ(machine.distance(0, 31), 10);
  EXPECT_EQ(machine.distance(31, 32), 100);
  EXPECT_EQ(machine.distance(191, 0), 100);
  EXPECT_EQ(machine.meeting_level(7, 7), 0);
  EXPECT_EQ(machine.meeting_level(0, 1), 1);
  EXPECT_EQ(machine.meeting_level(0, 4), 2);
  EXPECT_EQ(machine.meeting_level(0, 32), 3);
}

// The definition: a and b first meet in the smallest group of consecutive PEs that holds both.
TEST(Topology, DistanceIsThatOfTheSmallestCommonGroup) {
  for (auto const& sizes : {std::vector<Block>{3}, {2, 3}, {1, 4, 2}, {3, 1, 2, 1}, {2, 2, 2, 2}}) {
    std::vector<Weight> distances;
    for (std::size_t i = 0; i < sizes.size(); ++i) distances.push_back(static_cast<Weight>(i * i + 1));
    auto const machine = Topology::hierarchy(sizes, distances);
    for (Block a = 0; a < machine.num_pes(); ++a)
      for (Block b = 0; b < machine.num_pes(); ++b) {
        Weight expected = 0;
        Block group = 1;
        for (std::size_t i = 0; a / group != b / group; ++i) {
          group *= sizes[i];
          expected = distances[i];
        }
        EXPECT_EQ(machine.distance(a, b), expected) << a << " " << b;
      }
  }
}

TEST(Topology, FlatMachineHasOneDistance) {
  auto const machine = Topology::flat(7);

  EXPECT_TRUE(machine.is_flat());
  EXPECT_EQ(machine.num_pes(), 7);
  EXPECT_EQ(machine.distance(2, 6), 1);
  EXPECT_EQ(machine.distance(2, 2), 0);
  EXPECT_FALSE(Topology::hierarchy("7", "2").is_flat());
}

TEST(Topology, AcceptsExtremes) {
  EXPECT_EQ(Topology::flat(1).num_pes(), 1);
  EXPECT_EQ(Topology::flat(Topology::max_pes).num_pes(), Topology::max_pes);
  EXPECT_EQ(Topology::hierarchy("2:2:2:2:2:2:2:2", "0:0:1:1:2:2:3:3").num_pes(), 256);
  EXPECT_EQ(Topology::hierarchy("2", "9223372036854775807").max_distance(), std::numeric_limits<Weight>::max());
  EXPECT_EQ(Topology::hierarchy("2:2", "0:0").distance(0, 3), 0);
}

TEST(Topology, DescribesItselfInPlainWords) {
  EXPECT_EQ(Topology::hierarchy("4:8:6", "1:10:100").describe(),
            "192 PEs = 6 groups of 8 groups of 4 PEs (innermost first 4:8:6); "
            "distance 1 within a group of 4, 10 within a group of 32, 100 beyond");
  EXPECT_EQ(Topology::hierarchy("1:2", "1:5").describe(),
            "2 PEs = 2 groups of 1 PE (innermost first 1:2); distance 1 within a group of 1, 5 beyond");
  EXPECT_EQ(Topology::flat(64).describe(), "64 PEs, any two at distance 1");
  EXPECT_EQ(Topology::flat(1).describe(), "1 PE, any two at distance 1");
}

TEST(TopologyErrors, NameTheTokenThatIsNoInteger) {
  EXPECT_EQ(error_of("4:x", "1:10"), "sizes '4:x': 'x' is not an integer");
  EXPECT_EQ(error_of("4:8.5", "1:10"), "sizes '4:8.5': '8.5' is not an integer");
  EXPECT_EQ(error_of("4:8", "1:1e2"), "distances '1:1e2': '1e2' is not an integer");
  EXPECT_EQ(error_of("4, 8", "1:10"), "sizes '4, 8': '4, 8' is not an integer");
  EXPECT_EQ(error_of("4: 8", "1:10"), "sizes '4: 8': ' 8' is not an integer");
  EXPECT_EQ(error_of("+4", "1"), "sizes '+4': '+4' is not an integer");
  EXPECT_EQ(error_of("4:\x1b[1m", "1:2"), "sizes '4:?[1m': '?[1m' is not an integer");
}

TEST(Topology, MessagesAreShortWhateverIsWrong) {
  std::string many = "2";
  for (int i = 0; i < 100000; ++i) many += ":2";

  EXPECT_EQ(error_of(many, "1"), "sizes '2:2:2:2:2:2:2:2:2:...': 100001 levels, expected 1 to 8");
  EXPECT_LT(error_of(std::string(1000000, 'x'), "1").size(), 200);
  EXPECT_LT(error_of("2", std::string(1000000, '9')).size(), 200);
  EXPECT_LT(error_of({2}, std::vector<Weight>(100000, 1)).size(), 200);
}

TEST(TopologyErrors, NameMissingNumbers) {
  EXPECT_EQ(error_of("", "1"), "sizes '': a number is missing");
  EXPECT_EQ(error_of("4::8", "1:10:100"), "sizes '4::8': a number is missing");
  EXPECT_EQ(error_of("4:8:", "1:10"), "sizes '4:8:': a number is missing");
  EXPECT_EQ(error_of(":4", "1"), "sizes ':4': a number is missing");
  EXPECT_EQ(error_of("4", ""), "distances '': a number is missing");
  EXPECT_EQ(error_of(std::vector<Block>{}, {}), "sizes are empty, expected 1 to 8 levels");
}

TEST(TopologyErrors, NameNumbersThatAreTooLarge) {
  EXPECT_EQ(error_of("4:3000000000", "1:10"), "sizes '4:3000000000': '3000000000' is too large");
  EXPECT_EQ(error_of("4", "9223372036854775808"),
            "distances '9223372036854775808': '9223372036854775808' is too large");
}

TEST(TopologyErrors, NameSizesBelowOne) {
  EXPECT_EQ(error_of("4:0:6", "1:10:100"), "sizes '4:0:6': 0 is smaller than 1");
  EXPECT_EQ(error_of("-3", "1"), "sizes '-3': -3 is smaller than 1");
  EXPECT_EQ(message_of<TopologyError>([] { Topology::flat(0); }), "sizes '0': 0 is smaller than 1");
  EXPECT_EQ(message_of<TopologyError>([] { Topology::flat(-3); }), "sizes '-3': -3 is smaller than 1");
}

TEST(TopologyErrors, BoundTheNumberOfPes) {
  EXPECT_EQ(error_of("2048:2048:2", "1:10:100"), "sizes '2048:2048:2': more than 4194304 PEs at 2");
  EXPECT_EQ(error_of("2147483647:2147483647:2147483647", "1:1:1"),
            "sizes '2147483647:2147483647:2147483647': more than 4194304 PEs at 2147483647");
}

TEST(TopologyErrors, BoundTheNumberOfLevels) {
  EXPECT_EQ(error_of("1:1:1:1:1:1:1:1:1", "1:1:1:1:1:1:1:1:1"), "sizes '1:1:1:1:1:1:1:1:1': 9 levels, expected 1 to 8");
}

TEST(TopologyErrors, WantAsManyDistancesAsSizes) {
  EXPECT_EQ(error_of("4:8:6", "1:10"), "distances '1:10': 2 levels, but the sizes have 3");
  EXPECT_EQ(error_of(std::vector<Block>{4}, {1, 10}), "distances '1:10': 2 levels, but the sizes have 1");
}

TEST(TopologyErrors, WantDistancesThatGrowOutwards) {
  EXPECT_EQ(error_of("4:8:6", "100:10:1"),
            "distances '100:10:1': 10 follows 100, but distances grow outwards (they are written innermost first)");
  EXPECT_EQ(error_of("4:8", "-1:10"), "distances '-1:10': -1 is negative");
  EXPECT_EQ(error_of("4:8", "-00:10"), "distances '-00:10': '-00' is zero with a sign");
}

TEST(TopologyErrors, NamePesThatDoNotExist) {
  auto const machine = Topology::flat(4);

  EXPECT_EQ(message_of<TopologyError>([&] { machine.distance(0, 4); }), "PE 4 is not in [0, 4)");
  EXPECT_EQ(message_of<TopologyError>([&] { machine.meeting_level(-1, 0); }), "PE -1 is not in [0, 4)");
}

}  // namespace
}  // namespace procmap::test
