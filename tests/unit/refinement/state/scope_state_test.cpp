// SPDX-License-Identifier: MIT
#include "refinement/state/scope_state.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "support/graphs.hpp"

namespace procmap::test {
namespace {

RefinementConfig rules_with(Rebalancing rebalancing) {
  RefinementConfig config;
  config.rounds = 12;
  config.max_rounds = 400;
  config.weak_rounds = 2;
  config.progress = 0.999;
  config.last_resort_rounds = 6;
  config.rebalancing = rebalancing;
  config.annealing_steps = 1;
  return config;
}

RefinementConfig const sorted_rules = rules_with(Rebalancing::sorted);
RefinementConfig const bucket_rules = rules_with(Rebalancing::buckets);

ScopeState state(Weight cost, Weight overload, Weight best_cost, Weight best_overload) {
  ScopeState s;
  s.cost = cost;
  s.overload = overload;
  s.best_cost = best_cost;
  s.best_overload = best_overload;
  return s;
}

std::string describe(ScopeState const& s) {
  return "cost " + std::to_string(s.cost) + ", overload " + std::to_string(s.overload) + ", best " +
         std::to_string(s.best_cost) + " with overload " + std::to_string(s.best_overload);
}

template <class F>
void for_all_states(F f) {
  for (Weight cost = 0; cost < 4; ++cost)
    for (Weight overload = 0; overload < 4; ++overload)
      for (Weight best_cost = 0; best_cost < 4; ++best_cost)
        for (Weight best_overload = 0; best_overload < 4; ++best_overload)
          f(state(cost, overload, best_cost, best_overload));
}

TEST(IsBetter, MeansLessOverloadOrBothFeasibleAndCheaper) {
  for_all_states([](ScopeState const& s) {
    bool const both_feasible = s.overload == 0 && s.best_overload == 0;
    EXPECT_EQ(is_better(s), s.overload < s.best_overload || (both_feasible && s.cost < s.best_cost)) << describe(s);
  });
}

TEST(IsProgress, NeedsAShareOfTheBestCostUnlessTheOverloadShrinks) {
  for (Weight cost = 0; cost <= 2000; ++cost)
    EXPECT_EQ(is_progress(state(cost, 0, 2000, 0), 0.999), cost < 1998) << cost;
  for (Weight overload = 0; overload < 9; ++overload)
    EXPECT_EQ(is_progress(state(9999, overload, 1, 5), 0.999), overload < 5) << overload;
}

TEST(IsProgress, NeverHoldsWithoutABetterMapping) {
  for_all_states([](ScopeState const& s) {
    bool const comparable = s.overload == 0 || s.best_overload > 0;  // else neither is asked
    EXPECT_FALSE(comparable && is_progress(s, 0.999) && !is_better(s)) << describe(s);
  });
}

TEST(NextMode, EndsAfterIdleOrTooManyRounds) {
  for (auto const& rules : {sorted_rules, bucket_rules})
    for (int idle = 0; idle < 20; ++idle)
      for (int const rounds : {0, 1, 399, 400, 401}) {
        auto s = state(5, 1, 5, 1);
        s.idle = idle;
        s.rounds = rounds;
        EXPECT_EQ(next_mode(s, rules) == ScopeMode::done, idle >= 12 || rounds >= 400) << idle << " of " << rounds;
      }
}

TEST(NextMode, PropagatesWhileFeasibleUntilNothingMoves) {
  auto s = state(5, 0, 5, 0);
  EXPECT_EQ(next_mode(s, sorted_rules), ScopeMode::propagate);
  EXPECT_EQ(next_mode(s, bucket_rules), ScopeMode::propagate);

  s.settled = true;
  EXPECT_EQ(next_mode(s, sorted_rules), ScopeMode::done);
  EXPECT_EQ(next_mode(s, bucket_rules), ScopeMode::done);
}

TEST(NextMode, AlternatesTwoWeakRebalancesWithAStrongOne) {
  auto s = state(5, 3, 5, 3);
  std::vector<ScopeMode> modes;
  for (s.rebalances = 0; s.rebalances < 6; ++s.rebalances) modes.push_back(next_mode(s, bucket_rules));

  auto const weak = ScopeMode::rebalance_weak, strong = ScopeMode::rebalance_strong;
  EXPECT_EQ(modes, (std::vector{weak, weak, strong, weak, weak, strong}));
}

TEST(NextMode, SortsUntilSortingIsStuck) {
  for (int rebalances = 0; rebalances < 12; ++rebalances)
    for (bool const moved : {false, true}) {
      auto s = state(5, 3, 5, 3);
      s.rebalances = rebalances;
      s.moved = moved;
      auto const expected = !moved && rebalances > 6 ? ScopeMode::rebalance_strong : ScopeMode::rebalance_sorted;
      EXPECT_EQ(next_mode(s, sorted_rules), expected) << rebalances << " in a row, moved " << moved;
    }
}

TEST(CloseRound, KeepsTheLeastOverloadThenTheLeastCostOfAnyHistory) {
  for (auto const seed : each_seed(200)) {
    auto s = state(50, 4, 50, 4);
    s.mode = next_mode(s, sorted_rules);
    Weight best_cost = 50, best_overload = 4;
    for (std::uint64_t round = 0; s.mode != ScopeMode::done; ++round) {
      s.cost = random_below(100, seed, round, 0);
      s.moves = static_cast<std::int32_t>(random_below(3, seed, round, 1));
      auto const overload = random_below(5, seed, round, 2);
      bool const better = overload < best_overload || (overload == 0 && best_overload == 0 && s.cost < best_cost);
      if (better) std::tie(best_cost, best_overload) = std::tuple(s.cost, overload);

      close_round(s, overload, sorted_rules);

      EXPECT_EQ(s.improved, better) << "round " << round;
      EXPECT_EQ(s.best_cost, best_cost) << "round " << round;
      EXPECT_EQ(s.best_overload, best_overload) << "round " << round;
      EXPECT_EQ(s.overload, overload) << "round " << round;
    }
  }
}

TEST(CloseRound, CountsIdleRoundsFromTheLastProgressOnly) {
  auto s = state(1000, 0, 1000, 0);
  auto const close_with = [&](Weight cost) {
    s.cost = cost;
    s.moves = 1;
    close_round(s, 0, sorted_rules);
    return s.idle;
  };

  EXPECT_EQ(close_with(1000), 1);
  EXPECT_EQ(close_with(999), 2);  // better, but not by enough
  EXPECT_EQ(s.best_cost, 999);
  EXPECT_EQ(close_with(900), 0);
  EXPECT_EQ(close_with(950), 1);
}

TEST(CloseRound, SettlesAfterTwoRoundsWithoutAMove) {
  auto s = state(10, 0, 10, 0);
  auto const close_with = [&](std::int32_t moves) {
    s.moves = moves;
    close_round(s, 0, sorted_rules);
    return s.mode;
  };

  EXPECT_EQ(close_with(0), ScopeMode::propagate);
  EXPECT_EQ(close_with(3), ScopeMode::propagate);
  EXPECT_EQ(close_with(0), ScopeMode::propagate);
  EXPECT_EQ(close_with(0), ScopeMode::done);
}

TEST(CloseRound, CountsRebalancesInARowAndForgetsThemAfterAPropagation) {
  auto s = state(10, 5, 10, 5);
  s.mode = next_mode(s, bucket_rules);
  auto const close_with = [&](Weight overload) {
    s.moves = 1;
    close_round(s, overload, bucket_rules);
  };
  for (int i = 1; i <= 3; ++i) {
    close_with(5);
    EXPECT_EQ(s.rebalances, i);
  }

  close_with(0);
  EXPECT_EQ(s.mode, ScopeMode::propagate);
  close_with(5);
  EXPECT_EQ(s.rebalances, 0);
  EXPECT_EQ(s.mode, ScopeMode::rebalance_weak);
}

TEST(CloseRound, EndsEveryScopeWithinTheAllowedRounds) {
  auto rules = sorted_rules;
  rules.max_rounds = 30;
  auto s = state(1'000'000, 0, 1'000'000, 0);
  int rounds = 0;
  for (; s.mode != ScopeMode::done; ++rounds) {
    s.cost = s.cost * 9 / 10;  // always progress
    s.moves = 1;
    close_round(s, 0, rules);
  }

  EXPECT_EQ(rounds, 30);
}

/// The steps at which a scope is after rounds that move something and bring nothing.
std::vector<int> steps_of_idle_rounds(RefinementConfig const& rules) {
  auto s = state(1000, 0, 1000, 0);
  std::vector<int> steps;
  while (s.mode != ScopeMode::done) {
    steps.push_back(s.step);
    s.moves = 1;
    close_round(s, 0, rules);
  }
  return steps;
}

TEST(CloseRound, GoesOnWithTheNextStepOfAnnealingAfterIdleRounds) {
  auto rules = sorted_rules;
  rules.rounds = 2;
  rules.annealing_steps = 3;

  EXPECT_EQ(steps_of_idle_rounds(rules), (std::vector{0, 0, 1, 1, 2, 2}));
  rules.annealing_steps = 1;
  EXPECT_EQ(steps_of_idle_rounds(rules), (std::vector{0, 0}));
}

TEST(CloseRound, OfAScopeThatNothingMovesTakesOneRoundPerStepOfAnnealing) {
  auto rules = sorted_rules;
  rules.annealing_steps = 4;
  auto s = state(10, 0, 10, 0);
  int rounds = 0;
  for (; s.mode != ScopeMode::done; ++rounds) close_round(s, 0, rules);

  EXPECT_EQ(rounds, 5);
  EXPECT_EQ(s.step, 3);
}

TEST(CloseRound, IsCooledFromAStepOfAnnealingToTheNextPropagation) {
  auto rules = sorted_rules;
  rules.rounds = 1;
  rules.annealing_steps = 9;
  auto s = state(10, 0, 10, 0);
  auto const close_with = [&](Weight overload) {
    s.moves = 1;
    close_round(s, overload, rules);
    return s.cooled;
  };

  EXPECT_TRUE(close_with(3));   // the step is new, and rebalancing comes next
  EXPECT_EQ(s.mode, ScopeMode::rebalance_sorted);
  rules.rounds = 5;
  EXPECT_TRUE(close_with(0));   // nothing was proposed meanwhile
  EXPECT_EQ(s.mode, ScopeMode::propagate);
  EXPECT_FALSE(close_with(0));
}

}  // namespace
}  // namespace procmap::test
