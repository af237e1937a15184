// SPDX-License-Identifier: MIT
#pragma once

#include "initial/initial_population.hpp"
#include "multilevel/split/ascent.hpp"
#include "multilevel/split/host_part.hpp"
#include "multilevel/split/start_several.hpp"

namespace procmap {

/// The population at the coarsest graph, made on the host.
template <HostExecutor Exec>
Population<Exec> start_population(Exec& ex, Levels<Exec> const& levels, BlockTargets const& targets,
                                  SplitPlan const& plan) {
  Phase phase(ex.run(), "initial mapping");
  auto const labels = levels.coarsest_labels();
  Vertex const n = levels.coarsest_graph().num_vertices;
  InitialProblem problem{download_graph(ex, levels.coarsest_graph()), download_labels(ex, labels.scope, n),
                         download_labels(ex, labels.fixed, n)};
  problem.scope.resize(static_cast<std::size_t>(n), 0);
  auto const make_starts = problem.graph.num_loads > 0 ? start_several : initial_population;
  auto const level = plan.first_level + static_cast<int>(levels.coarsest());
  auto const blocks = make_starts(problem, targets_of_level(targets, level, n), plan.tournament, plan.initial,
                                  plan.stage.seed, host_team(ex));
  return {plan.tournament, put(ex, std::span(blocks))};
}

/// As split_scopes, but graphs with at most `host_arcs` arcs are the host's, and as many members are left as go on to a
/// graph with plan.finer vertices.
template <HostExecutor Exec>
Ascent<Exec> split_with_host(Exec& ex, CsrView finest, VertexLabels labels, BlockTargets const& targets,
                             SplitPlan const& plan, ClusterHistory<Exec>* history, Edge host_arcs) {
  auto levels = make_levels(ex, finest, labels, above(plan.coarsening, host_arcs), history);
  auto const coarsest = levels.coarsest_graph();
  auto ascent = coarsest.num_arcs <= host_arcs
                    ? leave_to_host(ex, levels, targets, plan, {}, history)
                    : ascent_from(start_population(ex, levels, targets, plan), coarsest.num_vertices);
  return refine_up(ex, std::move(levels), targets, plan, std::move(ascent));
}

/// Splits every scope of `finest`, whose arcs do not leave their scope, into `targets.parts` blocks with a
/// small edge cut: the multilevel method over all scopes at once. labels.scope[v] in [0, num_scopes), null if
/// there is one; a fixed vertex goes to the block of its PE. `history` as in coarsen(). Returns the block of every
/// vertex.
template <HostExecutor Exec>
Buffer<Exec, Block> split_scopes(Exec& ex, CsrView finest, VertexLabels labels, BlockTargets const& targets,
                                 SplitPlan const& plan, ClusterHistory<Exec>* history = nullptr) {
  return std::move(split_with_host(ex, finest, labels, targets, plan, history, host_arcs(ex, plan)).population.block);
}

}  // namespace procmap
