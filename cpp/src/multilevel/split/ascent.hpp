// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "core/stopwatch.hpp"
#include "multilevel/place_targets.hpp"
#include "multilevel/refine_level.hpp"
#include "multilevel/split/population.hpp"
#include "objective/edge_cut.hpp"

namespace procmap {

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

/// Overload and cost of every scope of one split.
template <HostExecutor Exec>
std::vector<ScopeState> measure_scopes(Exec& ex, CsrView graph, BlockTargets const& targets,
                                       RefinementConfig const& config, Block* block) {
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto const placed = place_targets(ex, targets, 1);
  measure(ex, {graph, EdgeCut{placed.view.num_blocks}, placed.view}, scratch, config, block);
  return scope_states(ex, scratch, targets.num_scopes);
}

/// How many members of a population are refined on a level, and how many go on to the next finer one.
struct MemberCounts {
  int refined, kept;
};

/// Refines the members of one level together. Where only some of them can be refined, these are the best of every scope
/// as they are; where only some go on, the best after the rounds, and minimum cuts are made for them alone. Returns the
/// cost of the best of every scope.
template <HostExecutor Exec>
Weight refine_members(Exec& ex, SplitLevel const& level, BlockTargets const& of_finest, StagePlan const& plan,
                      RefinementScratch<Exec>& scratch, Population<Exec>& population, MemberCounts counts) {
  Stopwatch const watch;
  auto const targets = targets_of_level(of_finest, level.number, level.graph.num_vertices);
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
  return report_level(ex, now(), scratch, plan, {level.number, refined}, flow, watch);
}

/// The members of a population on their way from the coarsest graph to the finest.
template <class Exec>
struct Ascent {
  Population<Exec> population;
  int starters = 1;      // members at the coarsest graph
  Vertex coarsest = 0;   // ... which has so many vertices
  bool refined = false;  // on the level where they are
};

/// The members where they start.
template <class Exec>
Ascent<Exec> ascent_from(Population<Exec> population, Vertex coarsest) {
  int const starters = population.size;
  return {std::move(population), starters, coarsest};
}

/// Refines the members at the coarsest of these levels there and on every level on the way to the finest, fewer and
/// fewer of them, and drops the levels behind. Left are those that go on to a graph with plan.finer vertices; if there
/// is none, the best of every scope.
template <HostExecutor Exec>
Ascent<Exec> refine_up(Exec& ex, Levels<Exec> levels, BlockTargets const& targets, SplitPlan const& plan,
                       Ascent<Exec> ascent) {
  auto const top = levels.coarsest();
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto& population = ascent.population;
  auto const refine_and_choose = [&](std::size_t level) {
    if (level == top && ascent.refined) return;
    SplitLevel const here{levels.graph(level), levels.labels(level), plan.first_level + static_cast<int>(level)};
    int const refined = level == top ? refined_starts(plan, ascent.starters) : population.size;
    Vertex const finer = level == 0 ? plan.finer : levels.graph(level - 1).num_vertices;
    int const kept = finer == 0 ? 1 : survivors(ascent.starters, ascent.coarsest, finer);
    refine_members(ex, here, targets, plan.stage, scratch, population, {refined, kept});
  };
  uncoarsen(top, refine_and_choose, [&](std::size_t level) {
    population = project(ex, levels, level, population);
    levels.drop_above(level);
  });
  ascent.refined = true;
  return ascent;
}

}  // namespace procmap
