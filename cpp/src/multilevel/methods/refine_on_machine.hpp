// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "graph/scopes.hpp"
#include "multilevel/place_targets.hpp"
#include "multilevel/refine_level.hpp"
#include "multilevel/repack.hpp"
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

/// Does every PE hold what it is given?
template <HostExecutor Exec>
bool fits(Exec& ex, CsrView graph, MappingTask const& task, Block const* block) {
  Block const k = task.topology.num_pes();
  return task.several.empty() ? all_fit(scope_weights(ex, graph, block, k), task.capacities)
                              : all_fit(scope_loads(ex, graph, block, k), task.several);
}

/// repack() on the host, for a mapping that is on any device. Returns whether it changed anything.
template <HostExecutor Exec>
bool repack_on_host(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  Phase phase(ex.run(), "repacking");
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  std::vector<Weight> weight(n, 1), capacity;
  if (graph.vertex_weights) ex.download(graph.vertex_weights, graph.num_vertices, weight.data());
  for (Block pe = 0; pe < task.topology.num_pes(); ++pe) capacity.push_back(task.capacities.of(pe));
  std::vector<Block> fixed(task.fixed ? n : 0), now(n);
  if (task.fixed) ex.download(task.fixed, graph.num_vertices, fixed.data());
  ex.download(block, graph.num_vertices, now.data());
  if (!repack({weight, capacity, fixed}, now)) return false;
  ex.upload(now.data(), graph.num_vertices, block);
  return true;
}

/// If a block is overloaded, refines the mapping cost with the sorted rebalance, which may move vertices
/// across the whole machine; where that is not enough, vertices are packed, and the mapping cost refined again.
template <HostExecutor Exec>
void restore_balance(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  if (fits(ex, graph, task, block)) return;
  refine_on_machine(ex, graph, task, balance_stage(task), block);
  if (!task.several.empty() || fits(ex, graph, task, block)) return;
  if (repack_on_host(ex, graph, task, block)) refine_on_machine(ex, graph, task, balance_stage(task), block);
}

}  // namespace procmap
