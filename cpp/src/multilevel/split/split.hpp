// SPDX-License-Identifier: MIT
#pragma once

#include "initial/initial_population.hpp"
#include "multilevel/place_targets.hpp"
#include "multilevel/refine_level.hpp"
#include "multilevel/split/population.hpp"
#include "multilevel/split/start_several.hpp"
#include "objective/edge_cut.hpp"

namespace procmap {

/// The population at the coarsest graph, made on the host.
template <HostExecutor Exec>
Population<Exec> start_population(Exec& ex, Levels<Exec> const& levels, BlockTargets const& targets,
                                  SplitPlan const& plan) {
  Phase phase(ex.run(), "initial mapping");
  auto const labels = levels.coarsest_labels();
  InitialProblem problem{download_graph(ex, levels.coarsest_graph()), {}, {}};
  Vertex const n = levels.coarsest_graph().num_vertices;
  problem.scope.resize(static_cast<std::size_t>(n), 0);
  if (labels.scope) ex.download(labels.scope, n, problem.scope.data());
  problem.fixed.resize(labels.fixed ? static_cast<std::size_t>(n) : 0);
  if (labels.fixed) ex.download(labels.fixed, n, problem.fixed.data());
  auto const make_starts = problem.graph.num_loads > 0 ? start_several : initial_population;
  auto const blocks = make_starts(problem, targets, plan.tournament, plan.initial, plan.stage.seed, host_team(ex));
  Population<Exec> population{plan.tournament, ex.template buffer<Block>(blocks.size())};
  ex.upload(blocks.data(), static_cast<Edge>(blocks.size()), population.block.data());
  return population;
}

/// A level that splits are refined on.
struct SplitLevel {
  CsrView graph;
  VertexLabels labels;
  int number = 0;  // 0 is the finest
};

/// A level as often as a population has members, one copy behind the other; the level itself if there is one member.
template <class Exec>
struct MemberCopies {
  SplitLevel level;
  OwnedGraph<Exec> graph;
  Buffer<Exec, Block> fixed;

  /// The level of the first `members`, with the blocks of `placed`.
  RefinementProblem<EdgeCut> problem(PlacedTargets<Exec> const& placed, int members) const {
    bool const is_copied = graph.offsets.size() > 0;
    CsrView view = is_copied ? graph.view() : level.graph;
    view.num_vertices = level.graph.num_vertices * members;
    view.num_arcs = level.graph.num_arcs * members;
    return {
        view, EdgeCut{placed.view.num_blocks}, placed.view, {is_copied ? fixed.data() : level.labels.fixed}, members};
  }
};

template <HostExecutor Exec>
MemberCopies<Exec> copy_for_members(Exec& ex, SplitLevel const& level, int members) {
  if (members == 1) return {level, {}, {}};
  auto const* const fixed = level.labels.fixed;
  return {level, replicate(ex, level.graph, members),
          replicate(ex, fixed, fixed ? level.graph.num_vertices : 0, members)};
}

/// Overload and cost of every scope as it is, in `scratch`, where refinement leaves them.
template <HostExecutor Exec>
void measure(Exec& ex, RefinementProblem<EdgeCut> const& problem, RefinementScratch<Exec>& scratch,
             RefinementConfig const& config, Block* block) {
  RefinementRules rules{config};
  rules.config.rounds = 0;
  scratch.reserve(ex, static_cast<std::size_t>(problem.graph.num_vertices),
                  static_cast<std::size_t>(problem.blocks.num_blocks));
  refine(ex, problem, scratch, block, rules);
}

/// How many members of a population are refined on a level, and how many go on to the next finer one.
struct MemberCounts {
  int refined, kept;
};

/// Refines the members of one level together. Where only some of them can be refined, these are the best of every scope
/// as they are; where only some go on, the best after the rounds, and minimum cuts are made for them alone.
template <HostExecutor Exec>
void refine_members(Exec& ex, SplitLevel const& level, BlockTargets const& targets, StagePlan const& plan,
                    RefinementScratch<Exec>& scratch, Population<Exec>& population, MemberCounts counts) {
  Stopwatch const watch;
  auto const copies = copy_for_members(ex, level, population.size);
  auto placed = place_targets(ex, targets, population.size);
  auto const now = [&] { return copies.problem(placed, population.size); };
  auto const keep = [&](int count) {
    auto const states = scope_states(ex, scratch, targets.num_scopes * population.size);
    population =
        keep_best(ex, population, count, {level.graph.num_vertices, level.labels.scope}, targets.num_blocks(), states);
    placed = place_targets(ex, targets, count);
  };
  if (counts.refined < population.size) {
    measure(ex, now(), scratch, plan.refinement, population.block.data());
    keep(counts.refined);
  }
  int const refined = population.size;
  refine_in_rounds(ex, now(), scratch, population.block.data(), plan, level.number);
  if (counts.kept < population.size) {
    keep(counts.kept);
    measure(ex, now(), scratch, plan.refinement, population.block.data());
  }
  auto const flow = refine_by_cuts(ex, now(), scratch, population.block.data(), plan, level.number);
  report_level(ex, now(), scratch, plan, {level.number, refined}, flow, watch);
}

/// Refines the members of the coarsest graph on every level on the way to the finest, fewer and fewer of them, and
/// drops the levels behind. Returns the best of every scope.
template <HostExecutor Exec>
Population<Exec> refine_up(Exec& ex, Levels<Exec> levels, BlockTargets const& targets, SplitPlan const& plan,
                           Population<Exec> population) {
  Vertex const coarsest = levels.coarsest_graph().num_vertices;
  int const starters = population.size;
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto const refine_and_choose = [&](std::size_t level) {
    SplitLevel const here{levels.graph(level), levels.labels(level), plan.first_level + static_cast<int>(level)};
    int const refined = level == levels.coarsest() ? refined_starts(plan, starters) : population.size;
    int const kept = level == 0 ? 1 : survivors(starters, coarsest, levels.graph(level - 1).num_vertices);
    refine_members(ex, here, targets, plan.stage, scratch, population, {refined, kept});
  };
  uncoarsen(levels.coarsest(), refine_and_choose, [&](std::size_t level) {
    population = project(ex, levels, level, population);
    levels.drop_above(level);
  });
  return population;
}

/// Splits every scope of `finest`, whose arcs do not leave their scope, into `targets.parts` blocks with a
/// small edge cut: the multilevel method over all scopes at once. labels.scope[v] in [0, num_scopes), null if
/// there is one; a fixed vertex goes to the block of its PE. `history` as in coarsen(). Returns the block of every
/// vertex.
template <HostExecutor Exec>
Buffer<Exec, Block> split_scopes(Exec& ex, CsrView finest, VertexLabels labels, BlockTargets const& targets,
                                 SplitPlan const& plan, ClusterHistory<Exec>* history = nullptr) {
  auto levels = make_levels(ex, finest, labels, plan.coarsening, history);
  auto population = start_population(ex, levels, targets, plan);
  return std::move(refine_up(ex, std::move(levels), targets, plan, std::move(population)).block);
}

}  // namespace procmap
