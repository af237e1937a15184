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

/// Integrated mapping (paper, GPU-IM): coarsens the graph, multisects the coarsest one, and refines the
/// mapping cost itself on the way back.
template <Executor Exec>
Buffer<Exec, Block> integrated_mapping(Exec& ex, CsrView finest, MappingTask const& task) {
  auto const& config = task.config;
  Block const k = task.topology.num_pes();
  auto const wanted = Edge{config.integrated.vertices_per_block} * k;
  CoarseningGoal goal;
  goal.target_vertices = static_cast<Vertex>(std::min<Edge>(wanted, 1 << 30));
  goal.max_weight = config.coarsening.algorithm == CoarseningAlgorithm::matching
                        ? task.pe_capacity
                        : static_cast<Weight>(config.coarsening.max_cluster_weight *
                                              static_cast<double>(task.total_weight) / static_cast<double>(wanted));
  goal.max_weight = std::max<Weight>(1, goal.max_weight);

  auto const levels = coarsen(ex, finest, nullptr, goal, config.coarsening, hash(task.seed, 0xc0ull));
  auto const graph_at = [&](std::size_t level) { return level == 0 ? finest : levels[level - 1].graph.view(); };
  auto const distances = make_hierarchy_distance(ex, task.topology);
  auto const blocks = place_blocks(ex, machine_blocks(task), 1);
  auto const stage = mapping_stage(task);
  RefinementScratch<Exec> scratch(ex, 0, 0);

  Population<Exec> mapping{1, multisect(ex, graph_at(levels.size()), task, config.integrated.refine_coarsest)};
  bool swaps_help = config.refinement.subtree_swaps;
  for (std::size_t level = levels.size();; --level) {
    auto const graph = graph_at(level);
    refine_level(ex, graph, distances.view, blocks.view, scratch, mapping.block.data(), stage, static_cast<int>(level),
                 1);
    // Once no swap helps, none will on finer levels: refinement moves vertices, not subtrees.
    swaps_help = swaps_help && improve_by_subtree_swaps(ex, graph, task.topology, config.refinement.max_swap_subtrees,
                                                        mapping.block.data());
    if (level == 0) return std::move(mapping.block);
    auto const& step = levels[level - 1];
    mapping = project(ex, mapping, graph.num_vertices, step.coarse_of.data(), graph_at(level - 1).num_vertices);
  }
}

/// The whole method: the mapping of `config.method`, V-cycles if it is a partition, then a last rebalancing if
/// it came out too heavy somewhere.
template <Executor Exec>
Buffer<Exec, Block> map_graph(Exec& ex, CsrView graph, MappingTask const& task) {
  if (!task.topology.is_hierarchy()) {
    auto const flat = Topology::flat(task.topology.num_pes());
    return map_graph(ex, graph, MappingTask{flat, task.pe_capacity, task.total_weight, task.config, task.seed});
  }
  bool const integrated = task.config.method == Method::integrated;
  auto block = integrated ? integrated_mapping(ex, graph, task) : multisect(ex, graph, task, true);
  if (!integrated && is_partitioning(task.topology)) improve_partition(ex, graph, task, block.data());
  restore_balance(ex, graph, task, block.data());
  return block;
}

/// If a block is overloaded, refines the mapping cost with the sorted rebalance, which may move vertices
/// across the whole machine.
template <Executor Exec>
void restore_balance(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  Block const k = task.topology.num_pes();
  Weight const capacity = task.pe_capacity;
  auto const weight = scope_weights(ex, graph, block, k);
  if (std::all_of(weight.begin(), weight.end(), [&](Weight w) { return w <= capacity; })) return;
  auto const distances = make_hierarchy_distance(ex, task.topology);
  auto const blocks = place_blocks(ex, machine_blocks(task), 1);
  auto stage = mapping_stage(task);
  stage.name = "restore balance";
  stage.refinement.rebalancing = Rebalancing::sorted;
  stage.refinement.repetitions = 1;
  stage.flow.rounds = 0;
  RefinementScratch<Exec> scratch(ex, 0, 0);
  refine_level(ex, graph, distances.view, blocks.view, scratch, block, stage, 0, 1);
}

}  // namespace procmap
