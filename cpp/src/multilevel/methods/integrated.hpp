// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/methods/multisection.hpp"
#include "objective/hierarchy_distance.hpp"
#include "refinement/places/subtree_swaps.hpp"

namespace procmap {

/// The mapping of the coarsest graph.
template <HostExecutor Exec>
Buffer<Exec, Block> map_coarsest(Exec& ex, Levels<Exec> const& levels, MappingTask const& task) {
  auto config = task.config;
  config.flow.rounds = config.integrated.coarsest_flow_rounds;
  MappingTask const coarsest{.topology = task.topology,
                             .capacities = task.capacities,
                             .total_weight = task.total_weight,
                             .config = config,
                             .seed = task.seed,
                             .fixed = levels.coarsest_labels().fixed,
                             .several = task.several};
  auto const method = config.integrated.refine_coarsest ? SplitMethod::multilevel : SplitMethod::bisection;
  return multisect(ex, levels.coarsest_graph(), coarsest, method);
}

/// Has coarsening left so many arcs that the coarsest graph saves nothing? That is so of power laws, where clusters
/// hold no good mapping either.
template <class Exec>
bool saves_nothing(Levels<Exec> const& levels, IntegratedConfig const& config) {
  if (!config.refine_coarsest || levels.coarsest() == 0) return false;
  auto const left = static_cast<double>(levels.coarsest_graph().num_arcs);
  return left > config.max_arc_share * static_cast<double>(levels.finest.num_arcs);
}

/// Integrated mapping (paper, GPU-IM): coarsens the graph, multisects the coarsest one, and refines the
/// mapping cost itself on the way back.
template <HostExecutor Exec>
Buffer<Exec, Block> integrated_mapping(Exec& ex, CsrView finest, MappingTask const& task) {
  auto const& refinement = task.config.refinement;
  auto levels = make_levels(ex, finest, {nullptr, task.fixed}, integrated_coarsening(task, finest.num_vertices));
  if (saves_nothing(levels, task.config.integrated)) {
    levels.drop_above(0);
    return multisect(ex, finest, task, SplitMethod::multilevel);
  }
  auto const distances = make_hierarchy_distance(ex, task.topology);
  auto const placed = place_targets(ex, machine_targets(task), 1);
  auto const stage = mapping_stage(task);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto block = map_coarsest(ex, levels, task);
  bool swaps_help = refinement.subtree_swaps && task.capacities.alike() && !task.fixed;
  auto const refine = [&](std::size_t level) {
    auto const graph = levels.graph(level);
    RefinementProblem<HierarchyDistance> const problem{
        graph, distances.view, placed.view, {levels.labels(level).fixed}};
    refine_level(ex, problem, scratch, block.data(), stage, static_cast<int>(level));
    // Once no swap helps, none will on finer levels: refinement moves vertices, not subtrees.
    swaps_help =
        swaps_help && improve_by_subtree_swaps(ex, graph, task.topology, refinement.max_swap_subtrees, block.data());
  };
  uncoarsen(levels.coarsest(), refine, [&](std::size_t level) {
    block = projected(ex, levels, level, block.data());
    levels.drop_above(level);
  });
  return block;
}

}  // namespace procmap
