// SPDX-License-Identifier: MIT
#include "multilevel/contestants.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace procmap::test {
namespace {

Topology machine() { return Topology::hierarchy("4:8:6", "1:10:100"); }

std::size_t number(char const* preset, GraphShape const& shape, Topology const& topology = machine()) {
  return contestants(Config::preset(preset), shape, topology).size();
}

TEST(Contestants, AreSeveralWherePesHoldFewVertices) {
  GraphShape const few{192 * 64 - 1, 100'000, 10}, many{192 * 64, 100'000, 10};

  auto const all = contestants(Config::preset("default"), few, machine());

  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].method, Method::multisection);
  EXPECT_GT(all[0].multisection.final_rounds, 0);
  EXPECT_EQ(all[1].method, Method::integrated);
  EXPECT_EQ(number("default", many), 1u);
}

TEST(Contestants, KeepPopulationsWhereTheseAreMadeOfTheGraphItself) {
  auto config = Config::preset("default");
  GraphShape const few{192 * 64 - 1, 100'000, 10};
  auto const first = [&](Vertex population_vertices) {
    config.multisection.population_vertices = population_vertices;
    return contestants(config, few, machine())[0].multisection;
  };

  EXPECT_EQ(first(few.num_vertices).population_outer, config.multisection.population_outer);
  EXPECT_EQ(first(few.num_vertices).tournament_outer, config.multisection.tournament_outer);
  auto const without = first(few.num_vertices - 1);
  EXPECT_EQ(without.population_outer, 1);
  EXPECT_EQ(without.tournament_outer, config.multisection.tournament_outer);
}

TEST(Contestants, HaveTheStartsOfTheirPopulationsOnAnEvenMachine) {
  GraphShape const few{32 * 64 - 1, 10'000, 10}, many{32 * 64, 10'000, 10};
  auto config = Config::preset("default");
  config.multisection.population_vertices = 0;
  auto const starts = [&](GraphShape const& shape, Topology const& on) {
    return contestants(config, shape, on)[0].multisection.tournament_even;
  };
  auto const even = Topology::hierarchy("4:8", "1:2");
  int const usual = config.multisection.tournament_even;

  EXPECT_EQ(starts(few, even), usual * config.multisection.population_even);
  EXPECT_EQ(starts(many, even), usual);
  EXPECT_EQ(starts(few, machine()), usual);
}

TEST(Contestants, OfAPartitionWithFewVerticesHaveOneVCycleMore) {
  auto config = Config::preset("default");
  auto const topology = Topology::flat(64);
  auto const cycles = [&](Vertex vertices) {
    return contestants(config, {vertices, 100'000, 10}, topology)[0].multisection.v_cycles;
  };

  EXPECT_EQ(cycles(64 * 256 - 1), config.multisection.v_cycles + 1);
  EXPECT_EQ(cycles(64 * 256), config.multisection.v_cycles);
  config.multisection.v_cycles = 0;
  EXPECT_EQ(cycles(64 * 256 - 1), 0);
}

TEST(Contestants, OfAPartitionAreSeveralWithMoreVerticesPerPart) {
  GraphShape const shape{64 * 256 - 1, 100'000, 10}, more{64 * 256, 100'000, 10};

  EXPECT_EQ(number("default", shape, Topology::flat(64)), 2u);
  EXPECT_EQ(number("default", more, Topology::flat(64)), 1u);
}

TEST(Contestants, AreSeveralWhereASparseGraphHangsOnAHub) {
  EXPECT_EQ(number("default", {100'000, 300'000, 20'000}), 2u);
  EXPECT_EQ(number("default", {100'000, 300'000, 10'000}), 1u) << "no hub";
  EXPECT_EQ(number("default", {100'000, 700'000, 20'000}), 1u) << "not sparse";
}

TEST(Contestants, AreSeveralWhereHubsMeetRatherFewVerticesPerPe) {
  EXPECT_EQ(number("default", {20'000, 120'000, 400}), 2u) << "a hub of 67 times the average";
  EXPECT_EQ(number("default", {20'000, 120'000, 300}), 1u) << "of 50 times";
  EXPECT_EQ(number("default", {25'000, 150'000, 400}), 1u) << "130 vertices per PE";
}

TEST(Contestants, OfStrongAreThoseOfDefaultToo) {
  EXPECT_EQ(number("strong", {100'000, 700'000, 10}), 2u);
  EXPECT_EQ(number("strong", {10'000, 70'000, 10}), 3u);
}

TEST(Contestants, OfOtherPresetsAreNone) {
  for (auto const* const preset : {"fast", "im", "hm", "hm-ultra"}) {
    EXPECT_EQ(number(preset, {1000, 3000, 999}), 1u) << preset;
    EXPECT_EQ(number(preset, {1000, 3000, 999}, Topology::flat(64)), 1u) << preset;
  }
}

TEST(Contestants, OfFewerPartsAtOnceCompeteForTheCoreOfAGraphWhereOnePeIsLarge) {
  std::vector<Weight> one_large(32, 10);
  one_large[7] = 100;
  PeCapacities const uneven(one_large, {}), even(32, 10);
  GraphShape const with_core{4000, 40'000, 81}, without{4000, 40'000, 80};
  auto const all = [&](char const* preset, PeCapacities const& pes, GraphShape const& shape, Topology const& topology) {
    auto const config = Config::preset(preset);
    return contestants(MappingTask{topology, pes, 400, config, 0}, shape);
  };
  auto const count = [&](char const* preset, PeCapacities const& pes, GraphShape const& shape) {
    return all(preset, pes, shape, Topology::flat(32)).size();
  };

  auto const two = all("fast", uneven, with_core, Topology::flat(32));

  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].multisection.max_parts, 32);
  EXPECT_EQ(two[1].multisection.max_parts, 8);
  EXPECT_EQ(count("fast", even, with_core), 1u);
  EXPECT_EQ(count("fast", uneven, without), 1u);
  EXPECT_EQ(count("im", uneven, with_core), 1u) << "as published";
  EXPECT_EQ(all("fast", uneven, with_core, Topology::hierarchy("8:4", "1:10")).size(), 1u) << "few parts anyway";
}

}  // namespace
}  // namespace procmap::test
