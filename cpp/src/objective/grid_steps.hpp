// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "core/hd.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances of a torus or mesh, computed from coordinates.
struct GridSteps {
  int num_dimensions = 0;
  Block period[Topology::max_dimensions] = {};  // steps once around; twice the size if it does not wrap
  Weight cost[Topology::max_dimensions] = {};   // of a step
  Block const* coordinate = nullptr;            // [b * num_dimensions + i]

  PROCMAP_HD Weight distance(Block a, Block b) const {
    Block const* const from = coordinate + Edge{a} * num_dimensions;
    Block const* const to = coordinate + Edge{b} * num_dimensions;
    Weight total = 0;
    for (int i = 0; i < num_dimensions; ++i) {
      Block const steps = from[i] < to[i] ? to[i] - from[i] : from[i] - to[i];
      Block const back = period[i] - steps;
      total += cost[i] * (steps < back ? steps : back);
    }
    return total;
  }
};

/// `coordinate`: of every block, as coordinates_of() has them.
inline GridSteps grid_steps(Grid const& grid, Block const* coordinate) {
  GridSteps steps;
  steps.num_dimensions = static_cast<int>(grid.sizes.size());
  for (std::size_t i = 0; i < grid.sizes.size(); ++i) {
    steps.period[i] = grid.wraps[i] ? grid.sizes[i] : 2 * grid.sizes[i];
    steps.cost[i] = grid.costs[i];
  }
  steps.coordinate = coordinate;
  return steps;
}

/// Of blocks that are numbered by `order`: block b is PE order[b].
inline std::vector<Block> coordinates_of(Grid const& grid, std::vector<Block> const& order) {
  auto const dimensions = grid.sizes.size();
  std::vector<Block> coordinates;
  coordinates.reserve(order.size() * dimensions);
  for (Block const pe : order) {
    auto const first = grid.coordinates.begin() + static_cast<std::ptrdiff_t>(dimensions) * pe;
    coordinates.insert(coordinates.end(), first, first + static_cast<std::ptrdiff_t>(dimensions));
  }
  return coordinates;
}

}  // namespace procmap
