// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/multisection.hpp"
#include "multilevel/v_cycle.hpp"

namespace procmap {

inline VCyclePlan partition_cycle(MappingTask const& task, int cycle) {
  auto const& config = task.config;
  VCyclePlan plan;
  plan.coarsening = config.coarsening;
  plan.goal = mapping_goal(task, config.multisection.vertices_per_block);
  plan.stage = {"partition",
                config.refinement,
                config.flow,
                config.refinement.cut_filter_fine,
                config.refinement.cut_filter_coarse,
                config.refinement.rounds,
                hash(task.seed, 0xc7cull, static_cast<std::uint64_t>(cycle))};
  return plan;
}

/// Improves a partition by V-cycles on the edge cut over all blocks at once: multisection never moves a vertex
/// between blocks of different subgraphs.
template <Executor Exec>
void improve_partition(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  Block const k = task.topology.num_pes();
  auto const blocks = place_blocks(ex, machine_blocks(task), 1);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto label = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
  for (int cycle = 0; cycle < task.config.multisection.v_cycles; ++cycle) {
    ex.copy(block, graph.num_vertices, label.data());
    v_cycle(ex, graph, EdgeCut{k}, blocks.view, scratch, partition_cycle(task, cycle), label.data(), block,
            {task.fixed});
  }
}

}  // namespace procmap
