// SPDX-License-Identifier: MIT
#include "multilevel/plans.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "support/mapping_task.hpp"

namespace procmap::test {
namespace {

TEST(SplitPlan, TakesWhatTheConfigurationSaysOfItsPlace) {
  auto const mapped = path_job("default");
  auto const task = mapped.task();
  auto const& config = mapped.config;
  Vertex const many = config.multisection.population_vertices + 1;
  auto const targets = split_targets({many}, 6, mapped.pes, {3, 0});
  auto const plan_at = [&](StepPlace place) { return split_plan(task, targets, {6, 2, 0, 3, place}, {many, 24'000}); };

  auto const outer = plan_at(StepPlace::outermost), middle = plan_at(StepPlace::middle),
             inner = plan_at(StepPlace::innermost), even = plan_at(StepPlace::even);

  EXPECT_EQ(outer.tournament, config.multisection.tournament_outer);
  EXPECT_EQ(middle.tournament, config.multisection.tournament_middle);
  EXPECT_EQ(inner.tournament, config.multisection.tournament_inner);
  EXPECT_EQ(even.tournament, config.multisection.tournament_even);
  EXPECT_EQ(outer.refined_starts, config.multisection.refined_starts);
  EXPECT_EQ(outer.population, config.multisection.population_outer);
  EXPECT_EQ(inner.population, config.multisection.population_inner);
  EXPECT_EQ(middle.population, config.multisection.population_middle);
  EXPECT_EQ(even.population, config.multisection.population_even);
  EXPECT_EQ(outer.population_share, config.multisection.population_share);
  EXPECT_EQ(outer.combine_starts, config.multisection.combine_starts);
  EXPECT_EQ(outer.fine_rounds, config.multisection.fine_rounds);
  EXPECT_EQ(outer.fine_flow_gain, config.multisection.fine_flow_gain);
  EXPECT_EQ(outer.max_host_arcs, config.multisection.max_host_arcs);
  EXPECT_EQ(outer.stage.refinement.rounds, config.refinement.rounds);
  EXPECT_EQ(inner.stage.refinement.rounds, config.multisection.inner_rounds);
  EXPECT_LE(inner.stage.flow.rounds, config.multisection.inner_flow_rounds);
  EXPECT_EQ(even.stage.refinement.rounds, config.multisection.even_rounds);
  EXPECT_EQ(even.stage.flow.rounds, config.flow.rounds);
  EXPECT_EQ(outer.coarsening.goal.max_weight, largest_coarse_vertex(targets));
  EXPECT_EQ(outer.coarsening.seed, outer.stage.seed);
}

TEST(SplitPlan, OfAnOnlyStepIntoManyPartsHasHalfTheStarts) {
  auto const starts = [](Block parts, int depth) {
    auto mapped = path_job("default", std::to_string(parts), "1");
    mapped.config.multisection.tournament_outer = 9;
    mapped.config.multisection.population_vertices = 0;
    auto const targets = split_targets({12'000}, parts, mapped.pes, {depth, 0});
    return split_plan(mapped.task(), targets, {parts, 0, 0, depth, StepPlace::outermost}, {12'000, 24'000}).tournament;
  };

  EXPECT_EQ(starts(8, 1), 9);
  EXPECT_EQ(starts(9, 1), 4);
  EXPECT_EQ(starts(32, 1), 4);
  EXPECT_EQ(starts(32, 2), 9);
}

TEST(SplitPlan, OfASmallGraphHasMoreSplitsOfFewerStarts) {
  auto mapped = path_job("default");
  auto& config = mapped.config.multisection;
  config.population_vertices = 12'000;
  auto const targets = split_targets({12'000}, 6, mapped.pes, {3, 0});
  auto const plan_at = [&](StepPlace place, Vertex n, Edge arcs = 24'000) {
    return split_plan(mapped.task(), targets, {6, 2, 0, 3, place}, {n, arcs});
  };

  auto const small = plan_at(StepPlace::outermost, 12'000), large = plan_at(StepPlace::outermost, 12'001);

  EXPECT_EQ(small.population_share, 1);
  EXPECT_EQ(small.max_population_vertices, 12'000);
  EXPECT_EQ(small.population, 2 * config.population_outer);
  EXPECT_EQ(small.tournament, config.tournament_outer / 4);
  EXPECT_EQ(large.population_share, config.population_share);
  EXPECT_EQ(large.max_population_vertices, config.max_population_vertices);
  EXPECT_EQ(large.population, config.population_outer);
  EXPECT_EQ(large.tournament, config.tournament_outer);
  EXPECT_EQ(plan_at(StepPlace::outermost, 12'000, 32 * 12'000).population_share, 1);
  EXPECT_EQ(plan_at(StepPlace::outermost, 12'000, 32 * 12'000 + 1).population_share, config.population_share);
  EXPECT_EQ(plan_at(StepPlace::middle, 12'000).population, config.population_middle);
  EXPECT_EQ(plan_at(StepPlace::middle, 12'000).tournament, config.tournament_middle);
  config.population_outer = 1;
  EXPECT_EQ(plan_at(StepPlace::outermost, 12'000).tournament, config.tournament_outer);
}

TEST(SplitPlan, OfAWholeSmallGraphHasEverySecondMemberAnnealed) {
  auto mapped = path_job("default");
  auto& config = mapped.config.multisection;
  config.population_vertices = 12'000;
  auto const whole = split_targets({12'000}, 6, mapped.pes, {3, 0});
  auto const halves = split_targets({6000, 6000}, 6, mapped.pes, {3, 0});
  auto const annealing = [&](BlockTargets const& targets, Vertex n) {
    return split_plan(mapped.task(), targets, {6, 2, 0, 3, StepPlace::outermost}, {n, 24'000}).population_annealing;
  };

  EXPECT_EQ(annealing(whole, 12'000), config.population_annealing);
  EXPECT_EQ(annealing(whole, 12'001), 1) << "of a coarse graph";
  EXPECT_EQ(annealing(halves, 12'000), 1);
}

TEST(PlanOfFinest, AnnealsEverySecondMemberOfAWholeGraphAndHasFewerStarts) {
  auto mapped = path_job("default");
  auto const& config = mapped.config.multisection;
  auto const plan_of = [&](std::vector<Weight> const& scopes, StepPlace place) {
    auto const targets = split_targets(scopes, 6, mapped.pes, {3, 0});
    return split_plan(mapped.task(), targets, {6, 2, 0, 3, place}, {50'000, 100'000});
  };
  auto const whole = plan_of({12'000}, StepPlace::outermost);

  EXPECT_EQ(whole.population_annealing, 1);
  EXPECT_EQ(plan_of_finest(whole).population_annealing, config.population_annealing);
  EXPECT_EQ(plan_of_finest(whole).tournament, config.tournament_outer / 4);
  EXPECT_EQ(plan_of_finest(whole).population, whole.population);
  auto const halves = plan_of_finest(plan_of({6000, 6000}, StepPlace::middle));
  EXPECT_EQ(halves.population_annealing, 1);
  EXPECT_EQ(halves.tournament, config.tournament_middle) << "few enough";
}

TEST(PlanOfMember, AnnealsEverySecondOneOnMoreLevelsWithFewerStarts) {
  SplitPlan plan;
  plan.stage.seed = 7;
  plan.tournament = 9;
  plan.population_annealing = 4;
  auto const steps = [&](int t) { return plan_of_member(plan, t).stage.refinement.annealing_steps; };

  EXPECT_EQ(steps(0), 1);
  EXPECT_EQ(steps(1), 4);
  EXPECT_EQ(steps(2), 1);
  EXPECT_EQ(plan_of_member(plan, 1).tournament, 2);
  EXPECT_EQ(plan_of_member(plan, 2).tournament, 9);
  EXPECT_EQ(plan_of_member(plan, 1).coarsening.config.shrink_factor, 2);
  EXPECT_EQ(plan_of_member(plan, 2).coarsening.config.shrink_factor, plan.coarsening.config.shrink_factor);
  EXPECT_EQ(plan_of_member(plan, 0).stage.seed, 7u);
  EXPECT_NE(plan_of_member(plan, 1).stage.seed, plan_of_member(plan, 2).stage.seed);
  EXPECT_EQ(plan_of_member(plan, 3).coarsening.seed, plan_of_member(plan, 3).stage.seed);
  plan.stage.refinement.annealing_steps = 6;
  EXPECT_EQ(steps(1), 6) << "that many already";
  plan.population_annealing = 1;
  EXPECT_EQ(plan_of_member(plan, 1).tournament, 9);
}

TEST(SplitPlan, OfAPartitionLeavesMostCutsToTheVCycles) {
  auto mapped = path_job("default", "4:8:6", "1:1:1");
  auto const targets = split_targets({12'000}, 6, mapped.pes, {3, 0});
  auto const rounds = [&] {
    return split_plan(mapped.task(), targets, {6, 2, 0, 3, StepPlace::even}, {12'000, 24'000}).stage.flow.rounds;
  };
  mapped.config.flow.rounds = 4;
  mapped.config.multisection.inner_flow_rounds = 2;

  EXPECT_EQ(rounds(), 2);
  mapped.config.multisection.v_cycles = 0;
  EXPECT_EQ(rounds(), 4);
}

TEST(SplitPlan, OfAnEvenMachineHasFewerStartsWhereTheCoarsestGraphIsLarge) {
  MappingJob mapped(path(12'000), Topology::flat(4096), "default", 0.03, 1);
  mapped.config.multisection.tournament_even = 16;
  mapped.config.multisection.vertices_per_block = 32;
  auto const starts = [&](Block scopes, Block parts, Vertex n) {
    auto const targets = split_targets(std::vector<Weight>(at(scopes), n / scopes), parts, mapped.pes, {1, 0});
    return split_plan(mapped.task(), targets, {parts, 0, 2, 1, StepPlace::even}, {n, 2 * n}).tournament;
  };

  EXPECT_EQ(starts(1, 16, 1'000'000), 16);
  EXPECT_EQ(starts(256, 16, 1'000'000), 15) << "131,072 coarse vertices each";
  EXPECT_EQ(starts(256, 16, 131'072), 2);
  EXPECT_EQ(starts(256, 16, 12'000), 5) << "65,536 vertices in all";
}

TEST(SplitPlan, OfMuchSlackHasMoreStarts) {
  auto const starts = [](Block parts, double imbalance) {
    MappingJob const mapped(path(12'000), Topology::flat(parts), "fast", imbalance, 1);
    auto const targets = split_targets({12'000}, parts, mapped.pes, {1, 0});
    auto const step = SplitStep{parts, 0, 0, 1, StepPlace::outermost};
    return split_plan(mapped.task(), targets, step, {12'000, 24'000}).tournament;
  };

  auto const few = starts(4, 0.03);
  EXPECT_GT(few, 3);
  EXPECT_EQ(starts(4, 0.3), few + few / 3);
  EXPECT_EQ(starts(2, 0.3), few) << "one bisection has all of it at once";
}

TEST(SplitPlan, OfSeveralWeightsHasFewerStartsThatAreAllRefined) {
  auto mapped = path_job("default");
  mapped.config.multisection.tournament_outer = 64;
  mapped.config.multisection.tournament_even = 8;
  SeveralWeights const several({12'000, 12'000}, {mapped.pes, mapped.pes});
  auto const one = mapped.task();
  MappingTask const task{.topology = one.topology,
                         .capacities = one.capacities,
                         .total_weight = one.total_weight,
                         .config = one.config,
                         .seed = one.seed,
                         .several = several};
  auto const targets = split_targets({12'000}, 6, mapped.pes, {3, 0});
  auto const plan_at = [&](StepPlace place) {
    return split_plan(task, targets, {6, 2, 0, 3, place}, {12'000, 24'000});
  };

  EXPECT_EQ(plan_at(StepPlace::outermost).tournament, 8);
  EXPECT_EQ(plan_at(StepPlace::middle).tournament, mapped.config.multisection.tournament_middle);
  EXPECT_EQ(plan_at(StepPlace::even).tournament, 2);
  EXPECT_EQ(plan_at(StepPlace::even).refined_starts, 1);
}

TEST(SplitPlan, OfAFewPartsIsPatientWithItsStarts) {
  for (Block const parts : {2, 4, 5}) {
    auto const mapped = path_job("fast", "4:8:" + std::to_string(parts));
    auto const targets = split_targets({12'000}, parts, mapped.pes, {3, 0});

    auto const plan = split_plan(mapped.task(), targets, {parts, 2, 0, 3, StepPlace::outermost}, {12'000, 24'000});

    auto const& usual = mapped.config.initial;
    EXPECT_EQ(plan.initial.fm_min_stall, parts <= 4 ? usual.few_parts_min_stall : usual.fm_min_stall) << parts;
    EXPECT_EQ(plan.initial.trial_patience, parts <= 4 ? 1 : usual.trial_patience) << parts;
  }
}

TEST(SplitPlan, OfDifferentStepsHasDifferentSeeds) {
  auto const mapped = path_job("default");
  auto const targets = split_targets({12'000}, 6, mapped.pes, {3, 0});
  std::set<std::uint64_t> seeds;
  for (int level = 0; level < 3; ++level)
    for (int inside = 0; inside < 3; ++inside)
      seeds.insert(
          split_plan(mapped.task(), targets, {6, level, inside, 1, StepPlace::middle}, {12'000, 24'000}).stage.seed);

  EXPECT_EQ(seeds.size(), 9u);
}

TEST(BisectionPlan, NeitherCoarsensNorRefines) {
  auto const mapped = path_job("strong");
  auto const targets = split_targets({12'000}, 6, mapped.pes, {3, 0});

  auto const plan = bisection_plan(mapped.task(), targets, {6, 2, 0, 3, StepPlace::outermost}, {12'000, 24'000});

  EXPECT_GE(plan.coarsening.goal.target_vertices, 1 << 30);
  EXPECT_EQ(plan.tournament, 1);
  EXPECT_EQ(plan.population, 1);
  EXPECT_EQ(plan.stage.refinement.rounds, 0);
  EXPECT_EQ(plan.stage.flow.rounds, 0);
}

TEST(WithSeed, ChangesCoarseningAndRefinementTogether) {
  auto const plan = with_seed({}, 7);

  EXPECT_EQ(plan.coarsening.seed, 7u);
  EXPECT_EQ(plan.stage.seed, 7u);
}

TEST(PopulationCoarsening, EndsAtTheShareOfTheVerticesOrTheirMostButNotBelowTheGoalOfTheSplit) {
  SplitPlan plan;
  plan.coarsening.goal = {500, 9};
  plan.population_share = 0.1;
  plan.max_population_vertices = 20'000;

  EXPECT_EQ(population_coarsening(plan, 100'000).goal.target_vertices, 10'000);
  EXPECT_EQ(population_coarsening(plan, 300'000).goal.target_vertices, 20'000);
  EXPECT_EQ(population_coarsening(plan, 1000).goal.target_vertices, 500);
  EXPECT_EQ(population_coarsening(plan, 1000).goal.max_weight, 9);
}

TEST(ImprovementPlan, DoesLessWhereMigrationCosts) {
  auto const mapped = path_job("default");
  auto task = mapped.task();
  auto const free = improvement_plan(task, 12'000);
  std::vector<Weight> const pull(12'000, 1);
  task.given.pull = pull.data();

  auto const bound = improvement_plan(task, 12'000);

  EXPECT_EQ(bound.coarsening.goal.target_vertices, 12'000) << "no coarsening";
  EXPECT_LE(bound.stage.flow.rounds, mapped.config.improve.migration_flow_rounds);
  EXPECT_LE(bound.stage.flow.band, mapped.config.improve.migration_flow_band);
  EXPECT_EQ(free.stage.flow.rounds, mapped.config.flow.rounds);
}

TEST(BalanceStage, SortsOnceWithoutFlow) {
  auto const mapped = path_job("hm-ultra");

  auto const stage = balance_stage(mapped.task());

  EXPECT_EQ(stage.refinement.rebalancing, Rebalancing::sorted);
  EXPECT_EQ(stage.refinement.repetitions, 1);
  EXPECT_EQ(stage.flow.rounds, 0);
}

TEST(Cycles, HaveSeedsOfTheirOwn) {
  auto const mapped = path_job("default");
  auto const task = mapped.task();

  EXPECT_NE(partition_cycle(task, 0).stage.seed, partition_cycle(task, 1).stage.seed);
  EXPECT_NE(machine_cycle(task, 1).stage.seed, machine_cycle(task, 2).stage.seed);
  EXPECT_EQ(machine_cycle(task, 1).stage.refinement.rounds, mapped.config.machine.rounds);
}

TEST(OnePerPeConfig, HasNeitherFlowNorPopulations) {
  auto const config = one_per_pe_config(Config::preset("strong"));

  EXPECT_EQ(config.flow.rounds, 0);
  EXPECT_EQ(config.multisection.final_rounds, 0);
  EXPECT_EQ(config.multisection.population_outer, 1);
}

TEST(SlackShare, IsNoneWhereVerticesAreHardlyMoreThanPesOrAllDistancesAreEqual) {
  auto const mapped = path_job("default");
  auto const flat = path_job("default", "8", "1");

  EXPECT_EQ(slack_share_of(mapped.task(), 192 * 3 / 2), mapped.config.multisection.slack_share);
  EXPECT_EQ(slack_share_of(mapped.task(), 192 * 3 / 2 - 1), 0);
  EXPECT_EQ(slack_share_of(flat.task(), 12'000), 0);
}

TEST(RefinedStarts, AreTheShareRoundedUpAndAtLeastOne) {
  SplitPlan plan;
  EXPECT_EQ(refined_starts(plan, 7), 7);
  plan.refined_starts = 0.5;
  EXPECT_EQ(refined_starts(plan, 64), 32);
  EXPECT_EQ(refined_starts(plan, 7), 4);
  EXPECT_EQ(refined_starts(plan, 1), 1);
  plan.refined_starts = 0;
  EXPECT_EQ(refined_starts(plan, 64), 1);
}

TEST(RefinedStarts, AreAllInThePresetsOfThePaper) {
  for (std::string_view const preset : {"im", "hm", "hm-ultra"})
    EXPECT_EQ(Config::preset(preset).multisection.refined_starts, 1) << preset;
}

TEST(Survivors, KeepTheWorkOfALevelAndAtLeastOne) {
  EXPECT_EQ(survivors(8, 100, 100), 8);
  EXPECT_EQ(survivors(8, 100, 200), 4);
  EXPECT_EQ(survivors(8, 100, 250), 4);
  EXPECT_EQ(survivors(8, 100, 100000), 1);
  EXPECT_EQ(survivors(1, 100, 100), 1);
}

TEST(FilterOfRepetition, IsTheLevelsOwnAtFirstAndThenSpreadsOverTheUnitInterval) {
  EXPECT_EQ(filter_of_repetition(0.25, 0), 0.25);
  EXPECT_EQ(filter_of_repetition(0, 5), 0) << "no filter stays none";
  std::set<int> tenths;
  for (int repetition = 1; repetition < 18; ++repetition) {
    auto const filter = filter_of_repetition(0.25, repetition);
    ASSERT_TRUE(filter >= 0 && filter < 1) << repetition;
    tenths.insert(static_cast<int>(10 * filter));
  }
  EXPECT_EQ(tenths.size(), 10u);
}

TEST(FiltersOfRepetition, AreThoseOfAnnealingOrTheRepetitionsOwnAllTheTime) {
  RefinementConfig config;
  config.annealing_steps = 1;
  EXPECT_EQ(filters_of_repetition(config, 0.25, 0).first, 0.25);
  EXPECT_EQ(filters_of_repetition(config, 0.25, 0).last, 0.25);
  EXPECT_EQ(filters_of_repetition(config, 0.25, 3).last, filter_of_repetition(0.25, 3));
  config.annealing_steps = 2;
  EXPECT_EQ(filters_of_repetition(config, 0.25, 3).first, config.annealing_start);
  EXPECT_EQ(filters_of_repetition(config, 0.25, 3).last, config.annealing_end);
  config.annealing_end = 1;
  EXPECT_EQ(filters_of_repetition(config, 0.25, 0).last, config.annealing_start) << "never up";
}

TEST(RepetitionsOf, AreOneIfALevelWithEnoughVerticesIsAnnealed) {
  RefinementConfig config;
  config.repetitions = 18;
  EXPECT_EQ(repetitions_of(config, 1'000'000, 10), 18);
  config.annealing_steps = 2;
  EXPECT_EQ(repetitions_of(config, 6400, 100), 1);
  EXPECT_EQ(repetitions_of(config, 6399, 100), 18);
  EXPECT_EQ(repetitions_of(config, 4096, 2), 1);
  EXPECT_EQ(repetitions_of(config, 4095, 2), 18);
}

TEST(Preset, HmUltraAnnealsAndRepeatsOnlySmallLevels) {
  auto const config = Config::preset("hm-ultra").refinement;
  EXPECT_EQ(config.annealing_steps, 26);
  EXPECT_EQ(repetitions_of(config, 1'000'000, 6), 1);
  EXPECT_EQ(repetitions_of(config, 100, 6), 18);
}

}  // namespace
}  // namespace procmap::test
