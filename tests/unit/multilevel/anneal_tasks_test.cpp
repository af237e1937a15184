// SPDX-License-Identifier: MIT
#include "multilevel/methods/anneal_tasks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace procmap::test {
namespace {

using Temperatures = std::vector<double>;

struct Moved {
  Edge moved, tasks, proposals;
};

Temperatures temperatures_after(Topology const& topology, Moved const& what) {
  PeCapacities const capacities(topology.num_pes(), 100);
  Config const config = Config::preset("fast");
  MappingTask const task{topology, capacities, what.tasks, config, 0};
  return temperatures_if_moved(task, what.moved, what.tasks, what.proposals);
}

Temperatures const only_cold{hot_and_cold().back()};

TEST(TemperaturesIfMoved, AreHotFirstWhereManyTasksMoved) {
  Moved const many{63, 1000, 1000};
  EXPECT_EQ(temperatures_after(Topology::flat(100), many), hot_and_cold());
  EXPECT_EQ(temperatures_after(Topology::hierarchy("10:10", "1:10"), many), hot_and_cold());
}

TEST(TemperaturesIfMoved, AreOnlyColdWhereFewMovedOnAFlatMachine) {
  Moved const few{62, 1000, 1000};
  EXPECT_EQ(temperatures_after(Topology::flat(100), few), only_cold);
  EXPECT_EQ(temperatures_after(Topology::hierarchy("100", "7"), few), only_cold);
  EXPECT_EQ(temperatures_after(Topology::hierarchy("10:10", "7:7"), few), only_cold);
  EXPECT_EQ(temperatures_after(Topology::hierarchy("10:10", "1:10"), few), hot_and_cold());
  EXPECT_EQ(temperatures_after(Topology::torus({10, 10}), few), hot_and_cold());
}

TEST(TemperaturesIfMoved, AreOnlyColdWhereFewMovedAndAnnealingIsLong) {
  EXPECT_EQ(temperatures_after(Topology::hierarchy("10:10", "1:10"), {62, 1000, many_proposals}), only_cold);
  EXPECT_EQ(temperatures_after(Topology::hierarchy("10:10", "1:10"), {63, 1000, many_proposals}), hot_and_cold());
}

}  // namespace
}  // namespace procmap::test
