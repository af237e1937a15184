// SPDX-License-Identifier: MIT
#include "multilevel/plans.hpp"

#include <algorithm>
#include <cmath>

#include "core/hash.hpp"
#include "core/imbalance.hpp"
#include "core/populations.hpp"

namespace procmap {
namespace {

/// Graphs never have more vertices than this.
Vertex as_target(Edge vertices) { return static_cast<Vertex>(std::min<Edge>(vertices, 1 << 30)); }

/// Coarsening for a mapping of all PEs at once, down to `vertices_per_block` for each.
CoarseningPlan mapping_coarsening(MappingTask const& task, int vertices_per_block, std::uint64_t seed) {
  auto const& config = task.config.coarsening;
  auto const wanted = Edge{vertices_per_block} * task.topology.num_pes();
  auto const average = static_cast<double>(task.total_weight) / static_cast<double>(wanted);
  auto const heaviest = std::max<Weight>(1, static_cast<Weight>(config.max_cluster_weight * average));
  return {{.target_vertices = as_target(wanted), .max_weight = heaviest, .skew = task.skew}, config, seed};
}

VCyclePlan v_cycle_plan(MappingTask const& task, int vertices_per_block, StagePlan stage) {
  auto const seed = stage.seed;
  return {mapping_coarsening(task, vertices_per_block, seed), std::move(stage)};
}

/// A number for a step of every place.
struct ByPlace {
  int outer, middle, inner, even;

  constexpr int at(StepPlace place) const {
    switch (place) {
      case StepPlace::outermost:
        return outer;
      case StepPlace::middle:
        return middle;
      case StepPlace::innermost:
        return inner;
      case StepPlace::even:
        return even;
    }
    return middle;
  }
};

/// Refinement of the edge cut without annealing.
StagePlan cut_stage(MappingTask const& task, std::string name, std::uint64_t seed) {
  auto const& config = task.config;
  return {std::move(name),
          without_annealing(config.refinement),
          config.flow,
          config.refinement.cut_filter_fine,
          config.refinement.cut_filter_coarse,
          seed};
}

/// Are all blocks refined by minimum cuts once more, after they are split?
bool cycles_follow(MappingTask const& task) {
  auto const& config = task.config;
  return config.method == Method::multisection && is_partitioning(task.topology) && config.multisection.v_cycles > 0;
}

StagePlan multisection_stage(MappingTask const& task, SplitStep step) {
  auto const& multisection = task.config.multisection;
  auto const seed = hash(task.seed, Salt::multisection, static_cast<std::uint64_t>(step.level + 64 * step.inside));
  auto stage = cut_stage(task, "multisection " + std::to_string(step.level + 1), seed);
  stage.refinement.annealing_steps = task.config.refinement.annealing_steps;
  auto const usual = stage.refinement.rounds;
  stage.refinement.rounds = ByPlace{usual, usual, multisection.inner_rounds, multisection.even_rounds}.at(step.place);
  if (step.place == StepPlace::innermost || (step.place == StepPlace::even && cycles_follow(task)))
    stage.flow.rounds = std::min(stage.flow.rounds, multisection.inner_flow_rounds);
  return stage;
}

/// Vertices per PE of the coarsest graph of integrated mapping. A share of large graphs: multisection of the coarsest
/// one is where the quality comes from, and its time per vertex of the finest graph stays what it is. Small graphs are
/// hardly coarsened, however few PEs there are; where these are equally far apart that gains little (measured).
int coarsest_per_block(MappingTask const& task, Vertex num_vertices) {
  auto const& integrated = task.config.integrated;
  constexpr int share_of_partitions = 8;
  auto const few = integrated.coarsest_vertices / (is_partitioning(task.topology) ? share_of_partitions : 1);
  auto const shared = std::max<double>(integrated.coarsest_share * num_vertices, few);
  return std::max(integrated.vertices_per_block, static_cast<int>(shared / task.topology.num_pes()));
}

/// How many splits compete on an even machine: in all they have at most twice the vertices of the graph, or few. With
/// thousands of blocks the coarsest graph is as large as the finest, and every start costs as much as a level.
int even_starts(MultisectionConfig const& multisection, Edge coarsest, Vertex num_vertices) {
  constexpr Edge few = 1 << 16;
  auto const affordable =
      std::max(few, Edge{2} * num_vertices) / std::max<Edge>(1, std::min<Edge>(coarsest, num_vertices));
  return static_cast<int>(std::clamp<Edge>(affordable, 1, multisection.tournament_even));
}

/// A few bisections of a graph of some hundred vertices decide all that follows: FM takes its time.
InitialConfig patient(InitialConfig initial) {
  if (initial.few_parts_min_stall == 0) return initial;
  initial.fm_min_stall = std::max(initial.fm_min_stall, initial.few_parts_min_stall);
  initial.trial_patience = 1;
  return initial;
}

/// Splits of a small graph cost little, and more of them bring more than more starts of each (measured).
void prefer_many_splits(SplitPlan& plan) {
  constexpr int times_as_many = 2, share_of_starts = 4;
  plan.population *= times_as_many;
  plan.tournament = std::max(1, plan.tournament / share_of_starts);
}

/// How many starts a split has, and how many splits are combined. `wanted`: vertices of the coarsest graph.
void plan_starts(SplitPlan& plan, MappingTask const& task, BlockTargets const& targets, SplitStep const& step,
                 Edge wanted, GraphSize size) {
  auto const& multisection = task.config.multisection;
  plan.tournament = ByPlace{multisection.tournament_outer, multisection.tournament_middle,
                            multisection.tournament_inner, even_starts(multisection, wanted, size.num_vertices)}
                        .at(step.place);
  plan.population = ByPlace{multisection.population_outer, multisection.population_middle,
                            multisection.population_inner, multisection.population_even}
                        .at(step.place);
  plan.refined_starts = multisection.refined_starts;
  plan.combine_starts = multisection.combine_starts;
  plan.fine_rounds = multisection.fine_rounds;
  plan.fine_flow_gain = multisection.fine_flow_gain;
  plan.max_host_arcs = multisection.max_host_arcs;
  bool const is_small = splits_graph_itself(multisection, size.num_vertices, size.num_arcs);
  plan.population_share = is_small ? 1 : multisection.population_share;
  plan.finest_annealing = targets.num_scopes == 1 ? multisection.population_annealing : 1;
  plan.population_annealing = plan.population_share == 1 ? plan.finest_annealing : 1;
  plan.max_population_vertices = is_small ? size.num_vertices : multisection.max_population_vertices;
  // Starts cost as much as they have parts, and where there is no other step they are most of the time.
  constexpr Block many_parts = 8;
  bool const is_outermost = step.place == StepPlace::outermost;
  bool const has_many_parts = is_outermost && step.depth == 1 && targets.parts > many_parts;
  if (has_many_parts) plan.tournament = std::max(1, plan.tournament / 2);
  // With several weights a start is made of several starts with one, and only refinement says what it is worth.
  constexpr ByPlace fewer_starts{8, 1, 1, 4};
  if (!task.several.empty()) {
    plan.refined_starts = 1;
    plan.tournament = std::max(1, plan.tournament / fewer_starts.at(step.place));
  } else if (is_small && is_outermost && !has_many_parts && plan.population > 1) {
    prefer_many_splits(plan);
  }
  // Starts that use much slack at once (initial/split_scope.hpp) are made beside the others, which would be missed.
  if (targets.parts > 2 && task.several.empty() && has_much_slack(targets, task.total_weight))
    plan.tournament += plan.tournament / 3;
}

}  // namespace

SplitPlan with_seed(SplitPlan plan, std::uint64_t seed) {
  plan.coarsening.seed = seed;
  plan.stage.seed = seed;
  return plan;
}

SplitPlan plan_of_member(SplitPlan const& plan, int t) {
  if (t == 0) return plan;
  auto member = with_seed(plan, hash(plan.stage.seed, Salt::population, static_cast<std::uint64_t>(t)));
  if (t % 2 == 0 || plan.population_annealing == 1) return member;
  constexpr double shrink = 2;
  constexpr int share_of_starts = 4;  // which gives back most of the time
  auto& steps = member.stage.refinement.annealing_steps;
  steps = std::max(steps, plan.population_annealing);
  member.coarsening.config.shrink_factor = std::min(member.coarsening.config.shrink_factor, shrink);
  member.tournament = std::max(1, member.tournament / share_of_starts);
  return member;
}

SplitPlan plan_of_finest(SplitPlan plan) {
  constexpr int part = 4;  // of the starts, but of few all of them: 0.8 of the time for the same cut (measured)
  plan.tournament = std::min(plan.tournament, std::max(part, plan.tournament / part));
  plan.population_annealing = plan.finest_annealing;
  return plan;
}

double slack_share_of(MappingTask const& task, Vertex num_vertices) {
  bool const hardly_more_than_pes = 2 * Edge{num_vertices} < 3 * Edge{task.topology.num_pes()};
  return hardly_more_than_pes || is_partitioning(task.topology) ? 0 : task.config.multisection.slack_share;
}

SplitPlan split_plan(MappingTask const& task, BlockTargets const& targets, SplitStep step, GraphSize size) {
  auto const& multisection = task.config.multisection;
  SplitPlan plan;
  plan.stage = multisection_stage(task, step);
  auto const wanted = std::max(Edge{targets.num_scopes} * multisection.vertices_per_parent,
                               Edge{targets.num_scopes} * targets.parts * multisection.vertices_per_block);
  auto largest = largest_coarse_vertex(targets);
  // A coarse vertex may hold nothing but one of the weights, and of that no more than a part of a block.
  constexpr int vertices_per_limit = 4;
  if (!task.several.empty()) largest = std::max<Weight>(1, largest / (vertices_per_limit * task.several.count()));
  plan.coarsening = {{.target_vertices = as_target(wanted), .max_weight = largest, .skew = task.skew},
                     task.config.coarsening,
                     plan.stage.seed};
  constexpr Block few_parts = 4;
  plan.initial = targets.num_blocks() <= few_parts ? patient(task.config.initial) : task.config.initial;
  plan_starts(plan, task, targets, step, wanted, size);
  return plan;
}

SplitPlan bisection_plan(MappingTask const& task, BlockTargets const& targets, SplitStep step, GraphSize size) {
  auto plan = split_plan(task, targets, step, size);
  plan.coarsening.goal.target_vertices = 1 << 30;
  plan.tournament = plan.population = 1;
  plan.stage.refinement.rounds = 0;
  plan.stage.flow.rounds = 0;
  return plan;
}

CoarseningPlan population_coarsening(SplitPlan const& plan, Vertex num_vertices) {
  auto coarsening = plan.coarsening;
  auto const share = static_cast<Vertex>(plan.population_share * num_vertices);
  coarsening.goal.target_vertices =
      std::max(coarsening.goal.target_vertices, std::min(share, plan.max_population_vertices));
  return coarsening;
}

StagePlan mapping_stage(MappingTask const& task) {
  auto const& refinement = task.config.refinement;
  return {"mapping",
          without_annealing(refinement),
          task.config.flow,
          refinement.mapping_filter_fine,
          refinement.mapping_filter_coarse,
          hash(task.seed, Salt::mapping)};
}

int fine_splits(MappingTask const& task, Vertex num_vertices) {
  bool const coarsens = num_vertices > Edge{coarsest_per_block(task, num_vertices)} * task.topology.num_pes();
  if (!coarsens || is_partitioning(task.topology)) return 0;
  auto const steps = static_cast<int>(split_steps(task.topology, task.config.multisection.max_parts).size());
  constexpr int coarse_splits = 2;
  return std::clamp(steps - coarse_splits, 0, task.config.integrated.fine_splits);
}

Config with_fine_splits(Config config) {
  auto const& integrated = config.integrated;
  auto& multisection = config.multisection;
  constexpr double narrow = 0.5;
  constexpr int few_retries = 2;
  config.refinement.rounds = multisection.even_rounds = integrated.fine_rounds;
  // Bands of 0.06 and 0.08 of a block with 2 and 5 retries bring 0.2 and 0.4 % of J for 3 and 7 % more time (measured).
  config.flow.band *= narrow;
  config.flow.retries = std::min(config.flow.retries, few_retries);
  multisection.population_outer = integrated.fine_population;
  multisection.tournament_outer = std::max(1, multisection.tournament_outer / integrated.fine_population);
  return config;
}

StagePlan integrated_stage(MappingTask const& task) {
  auto stage = mapping_stage(task);
  if (is_even(task.topology)) stage.flow.rounds = std::max(stage.flow.rounds, task.config.integrated.even_flow_rounds);
  return stage;
}

CoarseningPlan integrated_coarsening(MappingTask const& task, Vertex num_vertices) {
  auto const& integrated = task.config.integrated;
  auto const per_block = coarsest_per_block(task, num_vertices);
  auto plan = mapping_coarsening(task, per_block, hash(task.seed, Salt::coarsening));
  // Else the clusters of the splits of the finest graph would be too heavy to be repeated.
  if (fine_splits(task, num_vertices) > 0)
    plan.goal.max_weight = mapping_coarsening(task, integrated.vertices_per_block, 0).goal.max_weight;
  if (plan.config.algorithm == CoarseningAlgorithm::matching)
    plan.goal.max_weight = std::max<Weight>(1, task.capacities.average());
  return plan;
}

StagePlan final_stage(MappingTask const& task) {
  auto const& multisection = task.config.multisection;
  auto stage = mapping_stage(task);
  stage.name = "final";
  stage.filter_fine = multisection.final_filter;
  stage.refinement.rounds = multisection.final_rounds;
  stage.flow.rounds = std::min(stage.flow.rounds, multisection.final_flow_rounds);
  return stage;
}

StagePlan balance_stage(MappingTask const& task) {
  auto stage = mapping_stage(task);
  stage.name = "restore balance";
  stage.refinement.rebalancing = Rebalancing::sorted;
  stage.refinement.repetitions = 1;
  stage.flow.rounds = 0;
  return stage;
}

VCyclePlan partition_cycle(MappingTask const& task, int cycle) {
  auto const seed = hash(task.seed, Salt::v_cycle, static_cast<std::uint64_t>(cycle));
  return v_cycle_plan(task, task.config.multisection.vertices_per_block, cut_stage(task, "partition", seed));
}

VCyclePlan machine_cycle(MappingTask const& task, int cycle) {
  auto const& config = task.config.machine;
  auto stage = mapping_stage(task);
  stage.filter_fine = config.filter_fine;
  stage.filter_coarse = config.filter_coarse;
  stage.refinement.rounds = config.rounds;
  stage.seed = hash(stage.seed, static_cast<std::uint64_t>(cycle));
  return v_cycle_plan(task, config.vertices_per_block, std::move(stage));
}

VCyclePlan improvement_plan(MappingTask const& task, Vertex num_vertices) {
  auto const& config = task.config.improve;
  auto plan = v_cycle_plan(task, config.vertices_per_block, mapping_stage(task));
  plan.stage.name = "improve";
  if (!task.given.pull) return plan;
  if (!config.coarsen_with_migration) plan.coarsening.goal.target_vertices = num_vertices;
  plan.stage.flow.rounds = std::min(plan.stage.flow.rounds, config.migration_flow_rounds);
  plan.stage.flow.band = std::min(plan.stage.flow.band, config.migration_flow_band);
  return plan;
}

Config one_per_pe_config(Config config) {
  config.flow.rounds = 0;
  config.multisection.final_rounds = 0;
  config.integrated.fine_splits = 0;
  without_populations(config.multisection);
  return config;
}

int refined_starts(SplitPlan const& plan, int starts) {
  return std::clamp(static_cast<int>(std::ceil(plan.refined_starts * starts)), 1, starts);
}

int survivors(int tournament, Vertex coarsest, Vertex finer) {
  auto const work = Edge{tournament} * coarsest;
  return std::max(1, static_cast<int>((work + finer - 1) / finer));
}

RefinementConfig without_annealing(RefinementConfig refinement) {
  refinement.annealing_steps = 1;
  return refinement;
}

int repetitions_of(RefinementConfig const& config, Vertex num_vertices, Block num_blocks) {
  constexpr Edge few_per_block = 64;
  constexpr Edge few_in_all = 4096;
  bool const once = config.annealing_steps > 1 && num_vertices >= std::max(few_per_block * num_blocks, few_in_all);
  return once ? 1 : config.repetitions;
}

double filter_of_repetition(double own, int repetition) {
  if (repetition == 0 || own == 0) return own;
  double const position = own + 0.6180339887498949 * repetition;
  return position - static_cast<double>(static_cast<int>(position));
}

Filters filters_of_repetition(RefinementConfig const& config, double own, int repetition) {
  if (config.annealing_steps > 1)
    return {config.annealing_start, std::min(config.annealing_start, config.annealing_end)};
  double const filter = filter_of_repetition(own, repetition);
  return {filter, filter};
}

}  // namespace procmap
