// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/scopes.hpp"
#include "multilevel/targets.hpp"
#include "objective/cost.hpp"

namespace procmap {

/// How good a mapping is: overload of the worst PE, or the excess of several weights, then J. The smaller the better.
using Standing = std::pair<Weight, Weight>;

/// Excess of several weights over what the PEs hold.
template <HostExecutor Exec>
Weight excess_of(Exec& ex, CsrView graph, MappingTask const& task, Block const* block) {
  Block const k = task.topology.num_pes();
  std::vector<Weight> unit;
  for (int i = 0; i < task.several.count(); ++i) unit.push_back(task.several.total(i) / k);
  return total_excess(scope_loads(ex, graph, block, k), machine_targets(task).limits, unit);
}

template <HostExecutor Exec>
Weight worst_overload(Exec& ex, CsrView graph, MappingTask const& task, Block const* block) {
  auto const loads = scope_weights(ex, graph, block, task.topology.num_pes());
  Weight overload = 0;
  for (std::size_t pe = 0; pe < loads.size(); ++pe)
    overload = std::max(overload, loads[pe] - task.capacities.of(static_cast<Block>(pe)));
  return overload;
}

/// `objective` has the distances of the machine.
template <HostExecutor Exec, class Objective>
Standing standing_of(Exec& ex, CsrView graph, MappingTask const& task, Objective const& objective, Block const* block) {
  Weight const excess =
      task.several.empty() ? worst_overload(ex, graph, task, block) : excess_of(ex, graph, task, block);
  return {excess, total_cost(ex, graph, objective, block)};
}

}  // namespace procmap
