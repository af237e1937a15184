// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "exec/executor.hpp"
#include "objective/pairwise.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances of a torus or mesh, computed from coordinates.
struct GridSteps {
  int num_dimensions = 0;
  Block num_blocks = 0;
  Weight nearest = 0;
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

using GridDistance = Pairwise<GridSteps>;

/// Owns the coordinates of a GridDistance.
template <class Exec>
struct GridTables {
  Buffer<Exec, Block> coordinate;
  GridDistance view;
};

/// Blocks are numbered by `order`: block b is PE order[b].
template <Executor Exec>
GridTables<Exec> make_grid_distance(Exec& ex, Grid const& grid, std::vector<Block> const& order) {
  auto const dimensions = grid.sizes.size();
  GridTables<Exec> tables{ex.template buffer<Block>(order.size() * dimensions), {}};
  auto& view = tables.view;
  view.num_dimensions = static_cast<int>(dimensions);
  view.num_blocks = static_cast<Block>(order.size());
  view.nearest = std::numeric_limits<Weight>::max();
  for (std::size_t i = 0; i < dimensions; ++i) {
    view.period[i] = grid.wraps[i] ? grid.sizes[i] : 2 * grid.sizes[i];
    view.cost[i] = grid.costs[i];
    if (grid.sizes[i] > 1) view.nearest = std::min(view.nearest, grid.costs[i]);
  }
  if (order.size() < 2) view.nearest = 0;
  std::vector<Block> coordinates;
  coordinates.reserve(order.size() * dimensions);
  for (Block const pe : order) {
    auto const first = grid.coordinates.begin() + static_cast<std::ptrdiff_t>(dimensions) * pe;
    coordinates.insert(coordinates.end(), first, first + static_cast<std::ptrdiff_t>(dimensions));
  }
  ex.upload(coordinates.data(), static_cast<Edge>(coordinates.size()), tables.coordinate.data());
  view.coordinate = tables.coordinate.data();
  return tables;
}

}  // namespace procmap
