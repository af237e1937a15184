// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"

namespace procmap {

/// Rule: fills an empty table with the weight from v to every adjacent block (paper, connectivity)
/// and to its own. Returns whether v sees a block other than its own.
template <class Group, class Table>
PROCMAP_HD bool gather_blocks(CsrView graph, Block const* block, Vertex v, Group group, Table& table) {
  Block const own = block[v];
  Weight inside = 0;
  for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
    Block const other = block[graph.heads[e]];
    if (other == own)
      inside += graph.arc_weight(e);
    else
      table.add(other, graph.arc_weight(e));
  }
  group.sync();
  bool const borders = table.size() > 0;
  group.sync();
  table.add(own, inside);
  group.sync();
  return borders;
}

/// Keys that the table of v may need: min(degree, blocks) adjacent blocks and the own one, times the
/// groups they belong to.
template <class Objective>
PROCMAP_HD Edge connectivity_bound(CsrView graph, Objective const& objective, Block per_scope, Vertex v) {
  Edge const degree = graph.degree(v);
  Edge const adjacent = degree < per_scope ? degree : per_scope;
  return (adjacent + 1) * objective.keys_per_block();
}

}  // namespace procmap
