// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exec/executor.hpp"
#include "objective/pairwise.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances of any machine, from a table over its nodes.
struct TableEntries {
  Block num_blocks = 0;
  Edge num_nodes = 0;
  Weight nearest = 0;
  Block const* node = nullptr;             // per block
  std::int32_t const* entries = nullptr;   // [x * num_nodes + y]

  PROCMAP_HD Weight distance(Block a, Block b) const { return a == b ? 0 : entries[node[a] * num_nodes + node[b]]; }
};

using MatrixDistance = Pairwise<TableEntries>;

/// Owns the table of a MatrixDistance.
template <class Exec>
struct MatrixTables {
  Buffer<Exec, Block> node;
  Buffer<Exec, std::int32_t> entries;
  MatrixDistance view;
};

/// Blocks are numbered by `order`: block b is PE order[b].
template <Executor Exec>
MatrixTables<Exec> make_matrix_distance(Exec& ex, DistanceTable const& table, std::vector<Block> const& order) {
  MatrixTables<Exec> tables{
      ex.template buffer<Block>(order.size()), ex.template buffer<std::int32_t>(table.distances.size()), {}};
  auto& view = tables.view;
  view.num_blocks = static_cast<Block>(order.size());
  view.num_nodes = table.num_nodes;
  auto const nodes = static_cast<std::size_t>(table.num_nodes);
  std::vector<Block> node;
  node.reserve(order.size());
  for (Block const pe : order) node.push_back(table.node_of_pe[static_cast<std::size_t>(pe)]);
  bool const shared = nodes < order.size();  // some node has two PEs, so its diagonal is a distance
  if (order.size() > 1) view.nearest = table.distances[shared ? 0 : 1];
  for (std::size_t x = 0; x < nodes; ++x)
    for (std::size_t y = 0; y < x + (shared ? 1 : 0); ++y)
      view.nearest = std::min(view.nearest, Weight{table.distances[x * nodes + y]});
  ex.upload(node.data(), static_cast<Edge>(node.size()), tables.node.data());
  ex.upload(table.distances.data(), static_cast<Edge>(table.distances.size()), tables.entries.data());
  view.node = tables.node.data();
  view.entries = tables.entries.data();
  return tables;
}

}  // namespace procmap
