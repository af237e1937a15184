// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>

#include "multilevel/contestants.hpp"
#include "multilevel/methods/hierarchy.hpp"
#include "objective/cost.hpp"

namespace procmap {

template <HostExecutor Exec>
GraphShape shape_of(Exec& ex, CsrView graph) {
  if (graph.num_vertices == 0) return {};
  auto const degree = [=] PROCMAP_LAMBDA(Edge v) -> Weight { return graph.degree(static_cast<Vertex>(v)); };
  return {graph.num_vertices, graph.num_arcs, ex.max(graph.num_vertices, degree)};
}

template <HostExecutor Exec>
Weight cost_on_hierarchy(Exec& ex, CsrView graph, MappingTask const& task, Block const* block) {
  auto const distances = make_hierarchy_distance(ex, task.topology);
  return total_cost(ex, graph, distances.view, block);
}

/// Excess of several weights over what the PEs hold.
template <HostExecutor Exec>
Weight excess_of(Exec& ex, CsrView graph, MappingTask const& task, Block const* block) {
  Block const k = task.topology.num_pes();
  std::vector<Weight> unit;
  for (int i = 0; i < task.several.count(); ++i) unit.push_back(task.several.total(i) / k);
  return total_excess(scope_loads(ex, graph, block, k), machine_targets(task).limits, unit);
}

/// Overload of the worst PE, then J: the smaller the better.
template <HostExecutor Exec>
std::pair<Weight, Weight> standing_of(Exec& ex, CsrView graph, MappingTask const& task, Block const* block) {
  if (!task.several.empty()) return {excess_of(ex, graph, task, block), cost_on_hierarchy(ex, graph, task, block)};
  auto const loads = scope_weights(ex, graph, block, task.topology.num_pes());
  Weight overload = 0;
  for (std::size_t pe = 0; pe < loads.size(); ++pe)
    overload = std::max(overload, loads[pe] - task.capacities.of(static_cast<Block>(pe)));
  return {overload, cost_on_hierarchy(ex, graph, task, block)};
}

/// The best mapping onto a hierarchy of all contestants, the first of equal ones; with the single moves that are left.
template <HostExecutor Exec>
Buffer<Exec, Block> best_on_hierarchy(Exec& ex, CsrView graph, MappingTask const& task) {
  auto const configs = contestants(task.config, shape_of(ex, graph), task.topology);
  Buffer<Exec, Block> best;
  std::pair<Weight, Weight> best_standing;
  for (auto const& config : configs) {
    MappingTask const own{.topology = task.topology,
                          .capacities = task.capacities,
                          .total_weight = task.total_weight,
                          .config = config,
                          .seed = task.seed,
                          .fixed = task.fixed,
                          .several = task.several};
    auto block = map_onto_hierarchy(ex, graph, own);
    settle_on_machine(ex, graph, own, block.data());
    if (configs.size() == 1) return block;
    auto const standing = standing_of(ex, graph, own, block.data());
    if (&config != configs.data() && standing >= best_standing) continue;
    best = std::move(block);
    best_standing = standing;
  }
  return best;
}

}  // namespace procmap
