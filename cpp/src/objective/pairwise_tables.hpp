// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "exec/executor.hpp"
#include "objective/pairwise.hpp"

namespace procmap {

/// Owns what a PairwiseDistance reads: coordinates, or nodes and their distances.
template <class Exec>
struct PairwiseTables {
  Buffer<Exec, Block> coordinate, node;
  Buffer<Exec, std::int32_t> entries;
  PairwiseDistance view;
};

/// Blocks are numbered by `order`: block b is PE order[b].
template <HostExecutor Exec>
PairwiseTables<Exec> make_grid_distance(Exec& ex, Grid const& grid, std::vector<Block> const& order) {
  auto const coordinates = coordinates_of(grid, order);
  PairwiseTables<Exec> tables;
  tables.coordinate = ex.template buffer<Block>(coordinates.size());
  ex.upload(coordinates.data(), static_cast<Edge>(coordinates.size()), tables.coordinate.data());
  auto& view = tables.view;
  view.grid = grid_steps(grid, tables.coordinate.data());
  view.num_blocks = static_cast<Block>(order.size());
  view.nearest = std::numeric_limits<Weight>::max();
  for (std::size_t i = 0; i < grid.sizes.size(); ++i)
    if (grid.sizes[i] > 1) view.nearest = std::min(view.nearest, grid.costs[i]);
  if (order.size() < 2) view.nearest = 0;
  return tables;
}

/// Blocks are numbered by `order`: block b is PE order[b].
template <HostExecutor Exec>
PairwiseTables<Exec> make_matrix_distance(Exec& ex, DistanceTable const& table, std::vector<Block> const& order) {
  PairwiseTables<Exec> tables;
  tables.node = ex.template buffer<Block>(order.size());
  tables.entries = ex.template buffer<std::int32_t>(table.distances.size());
  auto& view = tables.view;
  view.num_blocks = static_cast<Block>(order.size());
  view.matrix.num_nodes = table.num_nodes;
  auto const nodes = static_cast<std::size_t>(table.num_nodes);
  auto const node = nodes_of(table, order);
  bool const shared = nodes < order.size();  // some node has two PEs, so its diagonal is a distance
  if (order.size() > 1) view.nearest = table.distances[shared ? 0 : 1];
  for (std::size_t x = 0; x < nodes; ++x)
    for (std::size_t y = 0; y < x + (shared ? 1 : 0); ++y)
      view.nearest = std::min(view.nearest, Weight{table.distances[x * nodes + y]});
  ex.upload(node.data(), static_cast<Edge>(node.size()), tables.node.data());
  ex.upload(table.distances.data(), static_cast<Edge>(table.distances.size()), tables.entries.data());
  view.matrix.node = tables.node.data();
  view.matrix.entries = tables.entries.data();
  return tables;
}

}  // namespace procmap
