// SPDX-License-Identifier: MIT
#include "api/attempts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

Options options_of(int repeats, double time_limit) {
  Options options;
  options.seed = 5;
  options.threads = 2;
  options.repeats = repeats;
  options.time_limit = time_limit;
  return options;
}

/// A mapping that is nothing but its figures.
Mapping figures(Weight cost, Weight heaviest) {
  Mapping mapping;
  mapping.report.cost = cost;
  mapping.report.block_weights = {heaviest, 1};
  mapping.report.capacities = {10, 20};
  mapping.report.feasible = heaviest <= 10;
  return mapping;
}

int kept(Mapping const& mapping) {
  auto const& attempts = mapping.stats.attempts;
  EXPECT_EQ(std::ranges::count(attempts, true, &AttemptStats::kept), 1);
  return static_cast<int>(std::ranges::find(attempts, true, &AttemptStats::kept) - attempts.begin());
}

TEST(BestAttempt, PrefersBalanceThenCostThenTheFirst) {
  std::vector<Mapping> const made{figures(1, 12), figures(30, 10), figures(20, 9), figures(20, 10), figures(0, 11)};

  auto const best =
      best_attempt(options_of(5, 0), [&](Options const& options, procmap::Run&) { return made[options.seed - 5]; });

  EXPECT_EQ(best.report.cost, 20);
  EXPECT_EQ(kept(best), 2);
  ASSERT_EQ(best.stats.attempts.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(best.stats.attempts[i].seed, 5 + i);
    EXPECT_EQ(best.stats.attempts[i].cost, made[i].report.cost);
    EXPECT_TRUE(best.stats.attempts[i].finished);
    EXPECT_FALSE(best.stats.attempts[i].quick);
  }
}

TEST(BestAttempt, CountsWhatMigrationCosts) {
  auto options = options_of(2, 0);
  options.migration_cost = 3;
  auto const best = best_attempt(options, [](Options const& attempt, procmap::Run&) {
    auto mapping = figures(attempt.seed == 5 ? 10 : 14, 1);
    mapping.report.migrated_weight = attempt.seed == 5 ? 2 : 0;
    return mapping;
  });
  EXPECT_EQ(best.report.cost, 14) << "10 + 3 * 2 is more";
}

TEST(BestAttempt, IsOneUnlessAskedForMore) {
  int calls = 0;
  auto const best = best_attempt(options_of(0, 0), [&](Options const&, procmap::Run&) { return figures(++calls, 1); });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(best.stats.attempts.size(), 1u);
}

TEST(BestAttempt, KeepsTheQuickMappingWhenTheMethodIsTooSlow) {
  auto const best = best_attempt(options_of(0, 1e-9), [&](Options const& options, procmap::Run& run) {
    run.checkpoint();  // the first attempt has no limit
    return figures(options.config.method == Method::integrated ? 7 : 1, 1);
  });
  EXPECT_EQ(best.report.cost, 7);
  ASSERT_EQ(best.stats.attempts.size(), 2u);
  EXPECT_TRUE(best.stats.attempts[0].quick && best.stats.attempts[0].kept);
  EXPECT_FALSE(best.stats.attempts[1].finished);
}

TEST(BestAttempt, HurriesWithWhatItHasToFinish) {
  std::vector<bool> hurried;
  best_attempt(options_of(0, 1e-9), [&](Options const&, procmap::Run& run) {
    run.checkpoint();
    hurried.push_back(run.in_hurry());
    return figures(1, 1);
  });
  EXPECT_EQ(hurried, std::vector{true}) << "the others have no time at all";
}

TEST(BestAttempt, EndsAtTheLimitOfRepeatsOrOfTime) {
  auto const cheap = [](Options const&, procmap::Run&) { return figures(1, 1); };
  EXPECT_EQ(best_attempt(options_of(3, 1e6), cheap).stats.attempts.size(), 4u) << "a quick one and three";
  EXPECT_EQ(best_attempt(options_of(0, 1e6), cheap).stats.attempts.size(), 1u + Options::max_timed_repeats);
}

TEST(BestAttempt, LetsAnInterruptThrough) {
  auto const stop = [](Options const&, procmap::Run&) -> Mapping { throw Interrupted(); };
  EXPECT_THROW(best_attempt(options_of(2, 0), stop), Interrupted);
}

TEST(Map, WithRepeatsIsTheBestOfTheSeeds) {
  auto const graph = random_geometric(1500, 3);
  auto const machine = Topology::hierarchy("4:2:3", "1:10:100");
  std::vector<Mapping> single;
  for (std::uint64_t i = 0; i < 4; ++i) {
    auto options = options_of(0, 0);
    options.seed += i;
    single.push_back(map(graph, machine, options));
  }

  auto const best = map(graph, machine, options_of(4, 0));

  auto const expected = std::ranges::min_element(single, {}, [](Mapping const& m) { return m.report.cost; });
  EXPECT_EQ(best.blocks, expected->blocks);
  EXPECT_EQ(kept(best), static_cast<int>(expected - single.begin()));
}

TEST(Map, WithATimeLimitIsNoWorseThanFastAndStops) {
  auto const graph = random_geometric(20000, 3);
  auto const machine = Topology::hierarchy("4:8:6", "1:10:100");
  auto fast = options_of(0, 0);
  fast.config = Config::preset("fast");

  auto const best = map(graph, machine, options_of(0, 0.5));

  EXPECT_LE(best.report.cost, map(graph, machine, fast).report.cost);
  EXPECT_TRUE(best.report.feasible);
  EXPECT_FALSE(best.stats.attempts.back().finished);
  EXPECT_EQ(static_cast<int>(best.blocks.size()), graph.num_vertices());
}

// Where annealing takes nearly all of the time: with one task per PE, several, and all to all.
TEST(Map, WithNoTimeIsStillAMapping) {
  auto const torus = Topology::torus({6, 6, 6});
  for (auto const& graph : {grid2d(18, 12), grid2d(40, 40), complete(216)}) {
    auto const mapping = map(graph, torus, options_of(0, 1e-9));
    EXPECT_TRUE(mapping.report.feasible);
    EXPECT_TRUE(mapping.stats.attempts.front().finished);
    EXPECT_EQ(mapping.report.cost, evaluate(graph, torus, mapping.blocks).cost);
  }
}

TEST(Map, RefusesRepeatsAndTimeLimitsThatMeanNothing) {
  auto const machine = Topology::flat(2);
  EXPECT_THROW(map(path(4), machine, options_of(-1, 0)), ConfigError);
  for (double const bad : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(map(path(4), machine, options_of(1, bad)), ConfigError) << bad;
}

}  // namespace
}  // namespace procmap::test
