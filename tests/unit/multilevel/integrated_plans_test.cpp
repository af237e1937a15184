// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "multilevel/plans.hpp"
#include "support/mapping_task.hpp"

// What integrated mapping does with a graph: where coarsening ends, and what is split on the finest graph.

namespace procmap::test {
namespace {

TEST(IntegratedCoarsening, EndsAtAShareOfLargeGraphsAndAtAFixedNumberPerPeOfOthers) {
  auto mapped = path_job("fast");
  mapped.config.integrated.vertices_per_block = 64;
  mapped.config.integrated.coarsest_share = 0.25;
  mapped.config.integrated.coarsest_vertices = 0;
  auto const target = [&](Vertex n) { return integrated_coarsening(mapped.task(), n).goal.target_vertices; };

  EXPECT_EQ(target(0), 64 * 192);
  EXPECT_EQ(target(10'000), 64 * 192);
  EXPECT_EQ(target(192'000), 250 * 192);
  mapped.config.integrated.coarsest_share = 0;
  EXPECT_EQ(target(192'000), 64 * 192);
}

TEST(IntegratedCoarsening, LeavesSmallGraphsAsTheyAreHoweverFewThePes) {
  auto mapped = path_job("fast", "2:4", "1:10"), flat = path_job("fast", "8", "1");
  mapped.config.integrated.vertices_per_block = flat.config.integrated.vertices_per_block = 64;
  mapped.config.integrated.coarsest_share = 0.25;
  mapped.config.integrated.coarsest_vertices = flat.config.integrated.coarsest_vertices = 4000;
  auto const target = [&](Vertex n) { return integrated_coarsening(mapped.task(), n).goal.target_vertices; };

  EXPECT_EQ(target(3000), 4000);
  EXPECT_EQ(target(15'000), 4000);
  EXPECT_EQ(target(32'000), 8000);
  EXPECT_EQ(integrated_coarsening(flat.task(), 1000).goal.target_vertices, 64 * 8) << "not an eighth of 4000";
  flat.config.integrated.coarsest_vertices = 16'000;
  EXPECT_EQ(integrated_coarsening(flat.task(), 1000).goal.target_vertices, 2000);
  mapped.config.integrated.coarsest_vertices = 0;
  EXPECT_EQ(target(1000), 64 * 8);
}

TEST(FineSplits, AreNeverTheTwoInnermost) {
  auto mapped = path_job("fast", "2:2:2:3", "1:2:3:4"), small = path_job("fast", "4:8", "1:10");
  EXPECT_EQ(fine_splits(small.task(), 100'000), 0);
  for (int const wanted : {0, 1, 2, 3, 64}) {
    mapped.config.integrated.fine_splits = wanted;
    EXPECT_EQ(fine_splits(mapped.task(), 100'000), std::min(wanted, 2));
  }
}

TEST(FineSplits, AreMadeOnlyWhereThereIsACoarserGraphAndALevelIsDearer) {
  auto const partition = path_job("fast", "4:8:6", "1:1:1"), flat = path_job("fast", "64", "1");
  auto mapped = path_job("fast");
  mapped.config.integrated.coarsest_vertices = 0;

  EXPECT_EQ(fine_splits(mapped.task(), 64 * 192), 0);
  EXPECT_EQ(fine_splits(mapped.task(), 64 * 192 + 1), 1);
  EXPECT_EQ(fine_splits(partition.task(), 100'000), 0);
  EXPECT_EQ(fine_splits(flat.task(), 100'000), 0);
}

TEST(FineSplits, ShareTheStartsAmongTheirPopulation) {
  auto config = Config::preset("fast");
  config.multisection.tournament_outer = 32;
  config.integrated.fine_population = 2;
  config.integrated.fine_rounds = 5;

  auto const fine = with_fine_splits(config);

  EXPECT_EQ(fine.multisection.population_outer, 2);
  EXPECT_EQ(fine.multisection.tournament_outer, 16);
  EXPECT_EQ(fine.refinement.rounds, 5);
  EXPECT_EQ(fine.multisection.even_rounds, 5);
  config.integrated.fine_population = 64;
  EXPECT_EQ(with_fine_splits(config).multisection.tournament_outer, 1);
}

TEST(FineSplits, LetTheirClustersBeRepeated) {
  auto mapped = path_job("fast");
  auto const heaviest = [&] { return integrated_coarsening(mapped.task(), 120'000).goal.max_weight; };
  auto const fine = heaviest();
  mapped.config.integrated.fine_splits = 0;

  EXPECT_GE(fine, heaviest());
}

TEST(IntegratedStage, CutsBandsWhereTheInnermostLevelMatters) {
  auto mapped = path_job("fast"), even = path_job("fast", "4:8:6", "1:2:3");
  mapped.config.integrated.even_flow_rounds = even.config.integrated.even_flow_rounds = 2;

  EXPECT_EQ(integrated_stage(mapped.task()).flow.rounds, mapped.config.flow.rounds);
  EXPECT_EQ(integrated_stage(even.task()).flow.rounds, 2);
  even.config.flow.rounds = 3;
  EXPECT_EQ(integrated_stage(even.task()).flow.rounds, 3);
}

TEST(IntegratedCoarsening, ByMatchingMakesVerticesUpToAnAveragePe) {
  auto const mapped = path_job("im");

  EXPECT_EQ(integrated_coarsening(mapped.task(), 12'000).goal.max_weight, mapped.pes.average());
}

}  // namespace
}  // namespace procmap::test
