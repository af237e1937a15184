// SPDX-License-Identifier: MIT
#pragma once

#include <numeric>
#include <vector>

#include "objective/grid_distance.hpp"
#include "objective/hierarchy_distance.hpp"
#include "objective/matrix_distance.hpp"

namespace procmap {

inline std::vector<Block> as_numbered(Topology const& topology) {
  std::vector<Block> order(static_cast<std::size_t>(topology.num_pes()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Calls f with the objective of a machine whose blocks are its PEs.
template <Executor Exec, class F>
auto with_distances(Exec& ex, Topology const& topology, F f) {
  if (auto const* const grid = topology.as_grid()) return f(make_grid_distance(ex, *grid, as_numbered(topology)).view);
  if (auto const* const table = topology.as_table())
    return f(make_matrix_distance(ex, *table, as_numbered(topology)).view);
  return f(make_hierarchy_distance(ex, topology).view);
}

}  // namespace procmap
