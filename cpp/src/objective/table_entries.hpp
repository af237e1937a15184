// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/hd.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances of any machine, from a table over its nodes.
struct TableEntries {
  Edge num_nodes = 0;
  Block const* node = nullptr;            // per block
  std::int32_t const* entries = nullptr;  // [x * num_nodes + y]

  PROCMAP_HD Weight distance(Block a, Block b) const { return a == b ? 0 : entries[node[a] * num_nodes + node[b]]; }
};

/// Of blocks that are numbered by `order`: block b is PE order[b].
inline std::vector<Block> nodes_of(DistanceTable const& table, std::vector<Block> const& order) {
  std::vector<Block> node;
  node.reserve(order.size());
  for (Block const pe : order) node.push_back(table.node_of_pe[static_cast<std::size_t>(pe)]);
  return node;
}

}  // namespace procmap
