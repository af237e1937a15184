// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/hd.hpp"
#include "procmap/types.hpp"

namespace procmap {

// An Objective says what an edge costs whose ends lie in blocks a and b, and what a vertex gains
// from its surroundings. Refinement and evaluation know nothing else about it:
//
//   distance(a, b)           cost of one unit of traffic
//   num_keys()               size of the key universe of a connectivity table; keys below the
//                            number of blocks are the blocks themselves
//   keys_per_block()         keys that one adjacent block may add
//   num_groups(), group(j)   sets of blocks beside the scope that are close to each other, and their
//                            ranges; groups_of_block() of them, group_of(b, i), hold block b
//   aggregate(group, table)  completes a table that holds the weight to every adjacent block
//   considers(table, seed, v, b)  whether vertex v should look at adjacent block b: false to save work
//   affinity(table, b)       P(b): the gain of moving from a to b is P(b) - P(a)
//   sibling_loss(table, a)   what a vertex of block a loses by moving to a nearest block that it does not see
//   attachment(table, a, b)  what holds a vertex of block a back from b, for Jet's filter

/// Blocks first ... last - 1.
struct BlockRange {
  Block first;
  Block last;
};

/// The number of cut edges: every two blocks are at distance 1.
struct EdgeCut {
  Block num_blocks = 0;

  PROCMAP_HD Weight distance(Block a, Block b) const { return a == b ? 0 : 1; }
  PROCMAP_HD Vertex num_keys() const { return num_blocks; }
  PROCMAP_HD int keys_per_block() const { return 1; }
  PROCMAP_HD Vertex num_groups() const { return 0; }
  PROCMAP_HD BlockRange group(Vertex) const { return {0, 0}; }
  PROCMAP_HD int groups_of_block() const { return 0; }
  PROCMAP_HD Vertex group_of(Block, int) const { return 0; }

  template <class Group, class Table>
  PROCMAP_HD void aggregate(Group, Table&) const {}
  template <class Table>
  PROCMAP_HD bool considers(Table const&, std::uint64_t, Vertex, Block) const {
    return true;
  }
  template <class Table>
  PROCMAP_HD Weight affinity(Table const& table, Block b) const {
    return table.get(b);
  }
  template <class Table>
  PROCMAP_HD Weight sibling_loss(Table const& table, Block own) const {
    return table.get(own);
  }
  /// Jet's filter (paper, refinement): the weight to the own block.
  template <class Table>
  PROCMAP_HD Weight attachment(Table const& table, Block own, Block) const {
    return table.get(own);
  }
};

}  // namespace procmap
