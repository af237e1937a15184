// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "multilevel/methods/multisection.hpp"
#include "multilevel/methods/standing.hpp"
#include "objective/edge_cut.hpp"
#include "objective/hierarchy_distance.hpp"
#include "refinement/places/subtree_swaps.hpp"

namespace procmap {

inline Config with_flow_rounds(Config config, int rounds) {
  config.flow.rounds = rounds;
  return config;
}

/// The first `splits` splits of the finest graph: the outer borders are where most of the cost is. Records the
/// clusters, and what the first split cost on its levels.
template <HostExecutor Exec>
Buffer<Exec, Block> split_finest(Exec& ex, CsrView finest, MappingTask const& task, int splits,
                                 ClusterHistory<Exec>* history, std::vector<LevelCost>* costs) {
  auto const config = with_flow_rounds(task.config, task.config.integrated.fine_flow_rounds);
  return multisect_steps(ex, finest, with_config(task, config, task.fixed), SplitMethod::multilevel, {0, splits},
                         history, costs);
}

/// The mapping of the coarsest graph, whose scopes are what `splits` splits of the finest graph came to.
template <HostExecutor Exec>
Buffer<Exec, Block> map_coarsest(Exec& ex, Levels<Exec> const& levels, MappingTask const& task, int splits) {
  auto const& integrated = task.config.integrated;
  auto const config = with_flow_rounds(task.config, integrated.coarsest_flow_rounds);
  auto const labels = levels.coarsest_labels();
  auto const method = integrated.refine_coarsest ? SplitMethod::multilevel : SplitMethod::bisection;
  return multisect(ex, levels.coarsest_graph(), with_config(task, config, labels.fixed), method,
                   {splits, labels.scope});
}

/// Rule: has coarsening left so many arcs that the coarsest graph saves nothing? That is so of power laws, where
/// clusters hold no good mapping either.
inline bool saves_nothing(CsrView finest, Edge arcs_left, IntegratedConfig const& config) {
  auto const left = static_cast<double>(arcs_left);
  return config.refine_coarsest && left > config.max_arc_share * static_cast<double>(finest.num_arcs);
}

/// Rule: have the finest levels saved most of what a split cost on a graph of at most `coarsest` vertices? Then such a
/// graph holds no good mapping. That, too, is so of power laws, where a tenth to a third is left, and elsewhere more
/// than half.
inline bool coarse_graphs_mislead(std::vector<LevelCost> const& costs, Vertex coarsest,
                                  IntegratedConfig const& config) {
  auto const coarse =
      std::find_if(costs.rbegin(), costs.rend(), [=](LevelCost const& level) { return level.vertices <= coarsest; });
  if (coarse == costs.rend()) return false;
  return static_cast<double>(costs.back().cost) < config.least_cost_share * static_cast<double>(coarse->cost);
}

/// A mapping of the coarsest graph as it is, and with its overload exchanged: both are refined and balanced there, and
/// the better one is kept. Where few vertices are much too heavy refinement alone finds more.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> without_overload(Exec& ex, Levels<Exec> const& levels, MappingTask const& task,
                                     Objective const& objective, Buffer<Exec, Block> block) {
  auto const graph = levels.coarsest_graph();
  auto const own = with_config(task, task.config, levels.coarsest_labels().fixed);
  auto exchanged = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
  ex.copy(block.data(), graph.num_vertices, exchanged.data());
  if (!exchange_if_overloaded(ex, graph, own, exchanged.data())) return block;
  auto const placed = place_targets(ex, machine_targets(task), 1);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto const refined = [&](Block* of) {
    RefinementProblem<Objective> const problem{graph, objective, placed.view, {own.fixed}};
    refine_level(ex, problem, scratch, of, integrated_stage(task), static_cast<int>(levels.coarsest()));
    restore_balance(ex, graph, own, of);  // which may cost more than all else
    return standing_of(ex, graph, own, objective, of);
  };
  auto const as_it_is = refined(block.data());
  return refined(exchanged.data()) < as_it_is ? std::move(exchanged) : std::move(block);
}

/// Refines a mapping of the coarsest graph on the way back to the finest, level by level.
template <HostExecutor Exec, class Objective>
Buffer<Exec, Block> refine_to_finest(Exec& ex, Levels<Exec>& levels, MappingTask const& task,
                                     Objective const& objective, Buffer<Exec, Block> block) {
  auto const placed = place_targets(ex, machine_targets(task), 1);
  auto const stage = integrated_stage(task);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto const& refinement = task.config.refinement;
  bool swaps_help = refinement.subtree_swaps && task.capacities.alike() && !task.fixed;
  auto const refine = [&](std::size_t level) {
    auto const graph = levels.graph(level);
    RefinementProblem<Objective> const problem{graph, objective, placed.view, {levels.labels(level).fixed}};
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

/// An integrated mapping, of whose splits `splits` are made of the finest graph first. `plain` is the task where the
/// others are made of it, too: with many starts, not with what suits a first look.
template <HostExecutor Exec>
Buffer<Exec, Block> integrated_mapping(Exec& ex, CsrView finest, MappingTask const& task, MappingTask const& plain,
                                       int splits) {
  auto const& config = task.config;
  ClusterHistory<Exec> clusters;
  auto* const history = splits > 0 && config.multisection.reuse_clusters ? &clusters : nullptr;
  Buffer<Exec, Block> outer;  // nothing: no split is made yet
  auto const multisect_finest = [&] {
    clusters = {};
    return multisect(ex, finest, plain, SplitMethod::multilevel, {splits, outer.data()});
  };
  auto const plan = integrated_coarsening(task, finest.num_vertices);
  if (splits > 0) {
    std::vector<LevelCost> costs;
    outer = split_finest(ex, finest, task, splits, history, &costs);
    auto const coarsest = plan.goal.target_vertices;
    // Within these subgraphs clusters are others, and say nothing about the graph.
    if (saves_nothing(finest, clusters.arcs_of_level(coarsest), config.integrated) ||
        coarse_graphs_mislead(costs, coarsest, config.integrated))
      return multisect_finest();
  }
  auto levels = make_levels(ex, finest, {outer.data(), task.fixed, true}, plan, history);
  if (levels.coarsest() > 0 && saves_nothing(finest, levels.coarsest_graph().num_arcs, config.integrated)) {
    levels.drop_above(0);
    return multisect_finest();
  }
  auto block = map_coarsest(ex, levels, task, splits);
  if (is_partitioning(task.topology))
    return refine_to_finest(ex, levels, task, EdgeCut{task.topology.num_pes()}, std::move(block));
  auto const distances = make_hierarchy_distance(ex, task.topology);
  block = without_overload(ex, levels, task, distances.view, std::move(block));
  return refine_to_finest(ex, levels, task, distances.view, std::move(block));
}

/// Integrated mapping (paper, GPU-IM): coarsens the graph, multisects the coarsest one, and refines the
/// mapping cost itself on the way back.
template <HostExecutor Exec>
Buffer<Exec, Block> integrated_mapping(Exec& ex, CsrView finest, MappingTask const& task) {
  int const splits = fine_splits(task, finest.num_vertices);
  if (splits == 0) return integrated_mapping(ex, finest, task, task, 0);
  auto const config = with_fine_splits(task.config);
  return integrated_mapping(ex, finest, with_config(task, config, task.fixed), task, splits);
}

}  // namespace procmap
