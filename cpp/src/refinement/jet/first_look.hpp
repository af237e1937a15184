// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/state/connectivity.hpp"
#include "refinement/state/refinement.hpp"

namespace procmap {

struct FirstSight {
  Weight cost;   // of the arcs of a vertex
  bool borders;  // it sees other blocks than its own
};

/// Rule: looks at all arcs of v. An empty table ends with the weight to its own block, and that of a hub, which keeps
/// it, with all others as well.
template <class Objective, class Group, class Table>
PROCMAP_HD FirstSight first_sight(CsrView graph, Objective const& objective, RefinementView const& state, Vertex v,
                                  Group group, Table& table) {
  Block const own = state.block[v];
  Weight cost = 0;
  if (state.tables.keeps(graph.degree(v))) {
    bool const borders = gather_blocks(graph, state.block, v, group, table);
    if (borders) {
      state.tables.keep(v, graph.degree(v), group, table);
      table.for_each(group, [&](Vertex b, Weight weight) {
        if (b != own) cost += weight * objective.distance(own, b);
      });
    }
    return {group.sum(cost), borders};
  }
  Weight inside = 0;
  Weight outside = 0;
  for_each_seen_block(graph, state.block, v, group, [&](Block other, Weight weight) {
    (other == own ? inside : outside) += weight;
    if (other != own) cost += weight * objective.distance(own, other);
  });
  table.add(own, inside);
  group.sync();
  return {group.sum(cost), group.sum(outside) != 0};
}

/// Looks at all arcs. A vertex that sees no block but its own, and has no home elsewhere, is done with: its cached gain
/// is what RenewDestination would make of it. All others are dirty, and gain[v] is what their arcs cost.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT void first_look(Exec& ex, Refinement const& refinement, Objective const& objective) {
  auto const graph = refinement.graph;
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const part = refinement.part;
  ex.for_each_with_table(
      part.num_vertices,
      [=] PROCMAP_LAMBDA(Edge i) -> TableNeeds {
        Vertex const v = part.vertex(i);
        Edge const degree = graph.degree(v);
        return {state.tables.keeps(degree) ? adjacent_blocks(graph, blocks.per_scope, v) + 1 : 1, degree};
      },
      objective.num_keys(),
      [=, &objective] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        Vertex const v = part.vertex(i);
        Block const own = state.block[v];
        Block const home = state.anchors.home_of(v);
        if (group.rank() == 0) state.tables.forget(v);
        auto const sight = first_sight(graph, objective, state, v, group, table);
        if (group.rank() != 0) return;
        bool const looks = sight.borders || (home != no_block && home != own);
        state.dirty[v] = looks;
        state.gain[v] = looks ? sight.cost : -objective.sibling_loss(table, own) - state.anchors.affinity(v, own);
      });
}

}  // namespace procmap
