// SPDX-License-Identifier: MIT
#pragma once

#include "core/stopwatch.hpp"
#include "multilevel/plans.hpp"
#include "refinement/flow/pairwise.hpp"
#include "refinement/jet/jet.hpp"
#include "refinement/jet/settle.hpp"

namespace procmap {

/// Which level of a hierarchy of graphs, and how many members of a population begin on it.
struct LevelId {
  int level = 0;  // 0 is the finest
  int members = 1;
};

/// Overload and cost of the best member of every scope, summed up: members are recombined scope by scope.
template <HostExecutor Exec>
LevelSummary summarize(Exec& ex, RefinementScratch<Exec> const& scratch, Block num_scopes, int members) {
  auto* const summary = scratch.summary.data();
  Block const scopes = num_scopes / members;
  ex.for_each(scopes, [scope = scratch.scope.data(), scopes, members, summary] PROCMAP_LAMBDA(Edge s) {
    Edge best = s;
    for (Edge i = s + scopes; i < Edge{scopes} * members; i += scopes)
      if (scope[i].best_overload < scope[best].best_overload ||
          (scope[i].best_overload == scope[best].best_overload && scope[i].best_cost < scope[best].best_cost))
        best = i;
    contended_add(&summary->cost, scope[best].best_cost);
  });
  return ex.read(summary);
}

/// The last moves of all, on the finest graph, if the plan wants them.
template <HostExecutor Exec, class Objective>
void settle_finest(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch,
                   Block* block, StagePlan const& plan) {
  if (!plan.refinement.single_moves) return;
  scratch.reserve(ex, static_cast<std::size_t>(problem.graph.num_vertices),
                  static_cast<std::size_t>(problem.blocks.num_blocks));
  settle(ex, problem, scratch, block, {plan.refinement, 0, hash(plan.seed, Salt::settle)});
}

/// Rounds of refinement on one level, repeatedly if the plan says so. `scratch` grows if it is too small.
template <HostExecutor Exec, class Objective>
void refine_in_rounds(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch,
                      Block* block, StagePlan const& plan, int level) {
  auto const& graph = problem.graph;
  scratch.reserve(ex, static_cast<std::size_t>(graph.num_vertices),
                  static_cast<std::size_t>(problem.blocks.num_blocks));
  ex.fill(scratch.summary.data(), 1, LevelSummary{});
  double const filter = level == 0 ? plan.filter_fine : plan.filter_coarse;
  auto const level_seed = hash(plan.seed, static_cast<std::uint64_t>(level));
  int const repetitions = repetitions_of(plan.refinement, graph.num_vertices, problem.blocks.num_blocks);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    auto const seed = hash(level_seed, static_cast<std::uint64_t>(repetition));
    auto const config = repetition == 0 ? plan.refinement : without_annealing(plan.refinement);
    auto const [first, last] = filters_of_repetition(config, filter, repetition);
    refine(ex, problem, scratch, block, {config, first, seed, last, level == 0});
  }
}

/// Minimum cuts between blocks, if the plan says so. Expects in `scratch` where a refinement left it.
template <HostExecutor Exec, class Objective>
FlowResult refine_by_cuts(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch,
                          Block* block, StagePlan const& plan, int level) {
  if (plan.flow.rounds == 0) return {};
  if (level == 0) scratch.give_rounds_back();  // the largest networks come with the largest level
  return refine_pairs(ex, problem, scratch, block, plan.flow, hash(plan.seed, static_cast<std::uint64_t>(level)));
}

/// Says what the refinement of a level came to, and returns its cost. The copies of the problem are the members that
/// are left.
template <HostExecutor Exec, class Objective>
Weight report_level(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec> const& scratch,
                    StagePlan const& plan, LevelId id, FlowResult const& flow, Stopwatch const& watch) {
  auto const [cost, rounds] = summarize(ex, scratch, problem.blocks.num_scopes(), problem.copies);
  Vertex const n = problem.graph.num_vertices / problem.copies * id.members;
  Edge const arcs = problem.graph.num_arcs / problem.copies * id.members;
  ex.run().add_level({plan.name, id.level, n, arcs, id.members, static_cast<int>(rounds), flow.cuts, flow.cut_short,
                      cost, watch.seconds()});
  return cost;
}

/// Refines one level, repeatedly and with flow if the plan says so, and reports it. `scratch` grows if it is too small.
template <HostExecutor Exec, class Objective>
void refine_level(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch, Block* block,
                  StagePlan const& plan, int level) {
  Stopwatch const watch;
  refine_in_rounds(ex, problem, scratch, block, plan, level);
  auto const flow = refine_by_cuts(ex, problem, scratch, block, plan, level);
  report_level(ex, problem, scratch, plan, {level, problem.copies}, flow, watch);
}

}  // namespace procmap
