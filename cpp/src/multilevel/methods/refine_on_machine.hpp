// SPDX-License-Identifier: MIT
#pragma once

#include "graph/scopes.hpp"
#include "multilevel/place_targets.hpp"
#include "multilevel/refine_level.hpp"
#include "objective/hierarchy_distance.hpp"

namespace procmap {

/// Refines the mapping cost of the finest graph over all PEs of a hierarchy at once.
template <HostExecutor Exec>
void refine_on_machine(Exec& ex, CsrView graph, MappingTask const& task, StagePlan const& plan, Block* block) {
  auto const distances = make_hierarchy_distance(ex, task.topology);
  auto const placed = place_targets(ex, machine_targets(task), 1);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  RefinementProblem<HierarchyDistance> const problem{graph, distances.view, placed.view, {task.fixed}};
  refine_level(ex, problem, scratch, block, plan, 0);
}

/// Makes the single moves that are left on a hierarchy.
template <HostExecutor Exec>
void settle_on_machine(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  auto const distances = make_hierarchy_distance(ex, task.topology);
  auto const placed = place_targets(ex, machine_targets(task), 1);
  RefinementScratch<Exec> scratch(ex, 0, 0);
  RefinementProblem<HierarchyDistance> const problem{graph, distances.view, placed.view, {task.fixed}};
  settle_finest(ex, problem, scratch, block, mapping_stage(task));
}

/// If a block is overloaded, refines the mapping cost with the sorted rebalance, which may move vertices
/// across the whole machine.
template <HostExecutor Exec>
void restore_balance(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  bool const fits = task.several.empty()
                        ? all_fit(scope_weights(ex, graph, block, task.topology.num_pes()), task.capacities)
                        : all_fit(scope_loads(ex, graph, block, task.topology.num_pes()), task.several);
  if (fits) return;
  refine_on_machine(ex, graph, task, balance_stage(task), block);
}

}  // namespace procmap
