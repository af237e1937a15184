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

/// Refines all members of one level together.
template <HostExecutor Exec>
void refine_members(Exec& ex, SplitLevel const& level, BlockTargets const& targets, StagePlan const& plan,
                    RefinementScratch<Exec>& scratch, Population<Exec>& population) {
  auto const placed = place_targets(ex, targets, population.size);
  EdgeCut const cut{placed.view.num_blocks};
  auto const refine_all = [&](CsrView graph, Block const* fixed) {
    refine_level(ex, RefinementProblem<EdgeCut>{graph, cut, placed.view, {fixed}, population.size}, scratch,
                 population.block.data(), plan, {level.number, population.size});
  };
  auto const* const fixed = level.labels.fixed;
  if (population.size == 1) {
    refine_all(level.graph, fixed);
    return;
  }
  auto const copies = replicate(ex, level.graph, population.size);
  auto const copies_fixed = replicate(ex, fixed, fixed ? level.graph.num_vertices : 0, population.size);
  refine_all(copies.view(), copies_fixed.data());
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
    refine_members(ex, here, targets, plan.stage, scratch, population);
    int const keep = level == 0 ? 1 : survivors(starters, coarsest, levels.graph(level - 1).num_vertices);
    if (keep >= population.size) return;
    auto const states = scope_states(ex, scratch, targets.num_scopes * population.size);
    population =
        keep_best(ex, population, keep, {here.graph.num_vertices, here.labels.scope}, targets.num_blocks(), states);
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
