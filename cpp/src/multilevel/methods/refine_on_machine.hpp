// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/index.hpp"
#include "graph/host_graph.hpp"
#include "graph/scopes.hpp"
#include "multilevel/exchange_to_fit.hpp"
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

/// What blocks hold and may hold, on the host.
struct HostPacking {
  std::vector<Weight> weight, capacity;
  std::vector<Block> fixed, block;

  PackingProblem problem() const { return {weight, capacity, fixed}; }
};

template <HostExecutor Exec>
HostPacking download_packing(Exec& ex, CsrView graph, MappingTask const& task, Block const* block) {
  auto const n = graph.num_vertices;
  HostPacking packing{
      std::vector<Weight>(index(n), 1), {}, download_labels(ex, task.fixed, n), download_labels(ex, block, n)};
  if (graph.vertex_weights) ex.download(graph.vertex_weights, n, packing.weight.data());
  for (Block pe = 0; pe < task.topology.num_pes(); ++pe) packing.capacity.push_back(task.capacities.of(pe));
  return packing;
}

/// exchange_to_fit() for a mapping that is on any device. Returns whether it changed anything.
template <HostExecutor Exec>
bool exchange_on_host(Exec& ex, CsrView graph, MappingTask const& task, Block* block,
                      std::int64_t most_work = most_exchange_work) {
  if (!may_exchange(graph.num_vertices, task.topology.num_pes())) return false;
  Phase phase(ex.run(), "exchanging to fit");
  auto packing = download_packing(ex, graph, task, block);
  auto const& machine = *task.topology.as_hierarchy();
  auto const host = download_graph(ex, graph);
  if (!exchange_to_fit(host, packing.problem(), machine, packing.block, most_work)) return false;
  ex.upload(packing.block.data(), graph.num_vertices, block);
  return true;
}

/// repack() for a mapping that is on any device. Returns whether it changed anything.
template <HostExecutor Exec>
bool repack_on_host(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  Phase phase(ex.run(), "repacking");
  auto packing = download_packing(ex, graph, task, block);
  if (!repack(packing.problem(), packing.block)) return false;
  ex.upload(packing.block.data(), graph.num_vertices, block);
  return true;
}

/// Where splits leave PEs overloaded, exchanges vertices before anybody refines the mapping cost over all PEs. Where
/// vertices weigh as much as the slack of a PE, no single one fits on another PE of its node, and refinement would move
/// many across the machine until all fit. The published presets do without, as without single moves. Returns whether it
/// changed anything.
template <HostExecutor Exec>
bool exchange_if_overloaded(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  if (!task.config.refinement.single_moves || !task.several.empty() || fits(ex, graph, task, block)) return false;
  constexpr std::int64_t least_work = 1 << 22, per_item = 128;
  return exchange_on_host(ex, graph, task, block, least_work + per_item * (graph.num_vertices + graph.num_arcs));
}

/// Refines a mapping whose overload was lowered; if it did fit, and fits no longer, takes that back.
template <HostExecutor Exec>
void refine_what_fits(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  bool const did_fit = fits(ex, graph, task, block);
  auto before = ex.template buffer<Block>(index(graph.num_vertices));
  ex.copy(block, graph.num_vertices, before.data());
  refine_on_machine(ex, graph, task, balance_stage(task), block);
  if (did_fit && !fits(ex, graph, task, block)) ex.copy(before.data(), graph.num_vertices, block);
}

/// If a block is overloaded, refines the mapping cost with the sorted rebalance, which may move vertices across the
/// whole machine; where that is not enough, vertices are exchanged, and where that is not, packed. Then the mapping
/// cost is refined again.
template <HostExecutor Exec>
void restore_balance(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  if (fits(ex, graph, task, block)) return;
  refine_on_machine(ex, graph, task, balance_stage(task), block);
  if (!task.several.empty() || fits(ex, graph, task, block)) return;
  if (exchange_on_host(ex, graph, task, block)) refine_what_fits(ex, graph, task, block);
  if (fits(ex, graph, task, block)) return;
  if (repack_on_host(ex, graph, task, block)) refine_what_fits(ex, graph, task, block);
}

}  // namespace procmap
