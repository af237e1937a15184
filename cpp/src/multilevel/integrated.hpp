// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/partition.hpp"
#include "objective/hierarchy_distance.hpp"
#include "refinement/subtree_swaps.hpp"

namespace procmap {

inline StageTask mapping_stage(MappingTask const& task) {
  auto const& refinement = task.config.refinement;
  return {"mapping",
          refinement,
          task.config.flow,
          refinement.mapping_filter_fine,
          refinement.mapping_filter_coarse,
          refinement.rounds,
          hash(task.seed, 0x3a9ull)};
}

/// Vertices per PE at which integrated mapping ends its coarsening. A share of large graphs: multisection of the
/// coarsest one is where the quality comes from, and its time per vertex of the finest graph stays what it is.
inline int coarsest_vertices_per_block(IntegratedConfig const& config, Vertex num_vertices, Block num_pes) {
  auto const shared = static_cast<int>(config.coarsest_share * num_vertices / num_pes);
  return std::max(config.vertices_per_block, shared);
}

/// Integrated mapping (paper, GPU-IM): coarsens the graph, multisects the coarsest one, and refines the
/// mapping cost itself on the way back.
template <Executor Exec>
Buffer<Exec, Block> integrated_mapping(Exec& ex, CsrView finest, MappingTask const& task) {
  auto const& config = task.config;
  auto const per_block = coarsest_vertices_per_block(config.integrated, finest.num_vertices, task.topology.num_pes());
  auto goal = mapping_goal(task, per_block);
  if (config.coarsening.algorithm == CoarseningAlgorithm::matching)
    goal.max_weight = std::max<Weight>(1, task.capacities.average());

  VertexLabels const labels{nullptr, task.fixed};
  Levels<Exec> const levels{finest, labels,
                            coarsen(ex, finest, labels, goal, config.coarsening, hash(task.seed, 0xc0ull))};
  auto const distances = make_hierarchy_distance(ex, task.topology);
  auto const blocks = place_blocks(ex, machine_blocks(task), 1);
  auto const stage = mapping_stage(task);
  RefinementScratch<Exec> scratch(ex, 0, 0);

  auto coarsest_config = config;
  coarsest_config.flow.rounds = config.integrated.coarsest_flow_rounds;
  MappingTask const coarsest{task.topology,   task.capacities, task.total_weight,
                             coarsest_config, task.seed,       levels.labels(levels.coarsest()).fixed};
  auto level = levels.coarsest();
  Population<Exec> mapping{1, multisect(ex, levels.graph(level), coarsest, config.integrated.refine_coarsest)};
  bool swaps_help = config.refinement.subtree_swaps && task.capacities.alike() && !task.fixed;
  for (;; --level) {
    auto const graph = levels.graph(level);
    refine_level(ex, graph, distances.view, blocks.view, scratch, mapping.block.data(), stage, static_cast<int>(level),
                 1, {levels.labels(level).fixed});
    // Once no swap helps, none will on finer levels: refinement moves vertices, not subtrees.
    swaps_help = swaps_help && improve_by_subtree_swaps(ex, graph, task.topology, config.refinement.max_swap_subtrees,
                                                        mapping.block.data());
    if (level == 0) return std::move(mapping.block);
    mapping = levels.project_to(ex, level - 1, mapping);
  }
}

inline bool all_fit(std::vector<Weight> const& weight, PeCapacities const& capacities) {
  for (Block pe = 0; pe < capacities.num_pes(); ++pe)
    if (weight[static_cast<std::size_t>(pe)] > capacities.of(pe)) return false;
  return true;
}

/// How a given mapping is improved. Where migration costs, few vertices move, and that takes less.
inline VCyclePlan improvement_plan(MappingTask const& task, Vertex num_vertices) {
  auto const& config = task.config.improve;
  VCyclePlan plan{task.config.coarsening, mapping_goal(task, config.vertices_per_block), mapping_stage(task)};
  plan.stage.name = "improve";
  if (!task.given.pull) return plan;
  if (!config.coarsen_with_migration) plan.goal.target_vertices = num_vertices;
  plan.stage.flow.rounds = std::min(plan.stage.flow.rounds, config.migration_flow_rounds);
  plan.stage.flow.band = std::min(plan.stage.flow.band, config.migration_flow_band);
  return plan;
}

/// Improves the given mapping by a V-cycle. Vertices that leave their PE pay for their migration.
template <Executor Exec, class Objective>
Buffer<Exec, Block> improve_given(Exec& ex, CsrView graph, MappingTask const& task, Objective objective) {
  auto const size = static_cast<std::size_t>(graph.num_vertices);
  auto buffer = ex.template buffer<Block>(size);
  auto home_buffer = ex.template buffer<Block>(task.given.pull ? size : 0);
  auto* const block = buffer.data();
  auto* const home = home_buffer.data();
  ex.for_each(graph.num_vertices, [=, given = task.given, fixed = task.fixed] PROCMAP_LAMBDA(Edge v) {
    Block const start = given.refuge[given.pe[v]];
    block[v] = fixed && fixed[v] != no_block ? fixed[v] : start;
    if (home) home[v] = start == given.pe[v] ? start : no_block;
  });
  auto const plan = improvement_plan(task, graph.num_vertices);
  auto const blocks = place_blocks(ex, machine_blocks(task), 1);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  v_cycle(ex, graph, objective, blocks.view, scratch, plan, task.given.pe, block, {task.fixed, home, task.given.pull});
  return buffer;
}

/// Refines the mapping cost of the finest graph over all PEs at once: multisection never moves a vertex between blocks
/// of different subgraphs, and cuts count all edges of a level alike.
template <Executor Exec>
void refine_mapping(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  auto const& multisection = task.config.multisection;
  if (multisection.final_rounds == 0) return;
  auto stage = mapping_stage(task);
  stage.name = "final";
  stage.filter_fine = multisection.final_filter;
  stage.rounds = multisection.final_rounds;
  stage.flow.rounds = std::min(stage.flow.rounds, multisection.final_flow_rounds);
  auto const distances = make_hierarchy_distance(ex, task.topology);
  auto const blocks = place_blocks(ex, machine_blocks(task), 1);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  refine_level(ex, graph, distances.view, blocks.view, scratch, block, stage, 0, 1, {task.fixed});
}

/// A mapping by `config.method`; one by multisection is refined once more over all PEs, by V-cycles if it is a
/// partition.
template <Executor Exec>
Buffer<Exec, Block> make_mapping(Exec& ex, CsrView graph, MappingTask const& task) {
  if (task.config.method == Method::integrated) return integrated_mapping(ex, graph, task);
  auto block = multisect(ex, graph, task, true);
  if (is_partitioning(task.topology))
    improve_partition(ex, graph, task, block.data());
  else
    refine_mapping(ex, graph, task, block.data());
  return block;
}

/// The whole method for a hierarchy: the given mapping improved or a new one, then a last rebalancing if it came out
/// too heavy somewhere.
template <Executor Exec>
Buffer<Exec, Block> map_graph(Exec& ex, CsrView graph, MappingTask const& task) {
  auto block = task.given.pe ? improve_given(ex, graph, task, make_hierarchy_distance(ex, task.topology).view)
                             : make_mapping(ex, graph, task);
  restore_balance(ex, graph, task, block.data());
  return block;
}

/// If a block is overloaded, refines the mapping cost with the sorted rebalance, which may move vertices
/// across the whole machine.
template <Executor Exec>
void restore_balance(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  if (all_fit(scope_weights(ex, graph, block, task.topology.num_pes()), task.capacities)) return;
  auto const distances = make_hierarchy_distance(ex, task.topology);
  auto const blocks = place_blocks(ex, machine_blocks(task), 1);
  auto stage = mapping_stage(task);
  stage.name = "restore balance";
  stage.refinement.rebalancing = Rebalancing::sorted;
  stage.refinement.repetitions = 1;
  stage.flow.rounds = 0;
  RefinementScratch<Exec> scratch(ex, 0, 0);
  refine_level(ex, graph, distances.view, blocks.view, scratch, block, stage, 0, 1, {task.fixed});
}

}  // namespace procmap
