// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/place_targets.hpp"
#include "multilevel/v_cycle.hpp"
#include "objective/edge_cut.hpp"

namespace procmap {

/// Improves a partition by V-cycles on the edge cut over all blocks at once: multisection never moves a vertex
/// between blocks of different subgraphs.
template <HostExecutor Exec>
void improve_partition(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  auto const placed = place_targets(ex, machine_targets(task), 1);
  RefinementProblem<EdgeCut> const problem{graph, EdgeCut{task.topology.num_pes()}, placed.view, {task.fixed}};
  RefinementScratch<Exec> scratch(ex, 0, 0);
  auto label = ex.template buffer<Block>(static_cast<std::size_t>(graph.num_vertices));
  for (int cycle = 0; cycle < task.config.multisection.v_cycles; ++cycle) {
    ex.copy(block, graph.num_vertices, label.data());
    v_cycle(ex, problem, scratch, partition_cycle(task, cycle), label.data(), block);
  }
}

}  // namespace procmap
