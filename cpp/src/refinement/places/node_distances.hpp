// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/index.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances between the nodes of a table, which places may share. The table must outlive this.
class NodeDistances {
 public:
  using Key = std::uint64_t;  // the node of a place, and in the upper half which place it is
  struct Row {
    Key own;
    std::int32_t const* of_node;
    Weight operator[](Key q) const { return q == own ? 0 : of_node[static_cast<std::uint32_t>(q)]; }
  };
  Key key(Block p) const { return key_[index(p)]; }
  Row from(Key p) const { return {p, entries_ + static_cast<std::uint32_t>(p) * num_nodes_}; }

  NodeDistances(DistanceTable const& table, std::vector<Block> const& pe_of_place)
      : entries_(table.distances.data()), num_nodes_(static_cast<std::size_t>(table.num_nodes)) {
    key_.reserve(pe_of_place.size());
    for (Block const pe : pe_of_place) key_.push_back(Key{key_.size()} << half | table.node_of_pe[index(pe)]);
  }

 private:
  static constexpr int half = 32;  // bits

  std::int32_t const* entries_;
  std::size_t num_nodes_;
  std::vector<Key> key_;  // of every place
};

}  // namespace procmap
