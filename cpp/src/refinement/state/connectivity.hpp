// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"
#include "exec/serial_group.hpp"
#include "graph/csr_view.hpp"
#include "refinement/state/scratch.hpp"

namespace procmap {

/// Arcs that a lane handles at a time: lanes of a GPU load several before they do anything with the first, since they
/// would wait for memory each time; a processor looks ahead by itself.
template <class Group>
inline constexpr int arc_batch = 4;
template <>
inline constexpr int arc_batch<SerialGroup> = 1;

/// The arcs [begin, end), shared by the lanes of `group`: f(e, load(e)), several loads ahead of the first f.
template <class Group, class Load, class F>
PROCMAP_HD void for_each_arc_by_batch(Edge begin, Edge end, Group group, Load load, F f) {
  constexpr int batch = arc_batch<Group>;
  for (Edge first = begin + group.rank(); first < end; first += batch * group.size()) {
    decltype(load(first)) loaded[batch];
    PROCMAP_UNROLL
    for (int i = 0; i < batch; ++i)
      if (Edge const e = first + i * group.size(); e < end) loaded[i] = load(e);
    PROCMAP_UNROLL
    for (int i = 0; i < batch; ++i)
      if (Edge const e = first + i * group.size(); e < end) f(e, loaded[i]);
  }
}
template <class Group, class Load, class F>
PROCMAP_HD void for_each_arc_by_batch(CsrView graph, Vertex v, Group group, Load load, F f) {
  for_each_arc_by_batch(graph.begin(v), graph.end(v), group, load, f);
}

/// What an arc leads to.
struct SeenBlock {
  Block block;
  Weight weight;
};

/// f(block, weight) for the head of every arc of v, shared by the lanes of `group`.
template <class Group, class F>
PROCMAP_HD void for_each_seen_block(CsrView graph, Block const* block, Vertex v, Group group, F f) {
  graph.with_arc_weights([&](auto weight) {
    for_each_arc_by_batch(
        graph, v, group, [&](Edge e) { return SeenBlock{block[graph.heads[e]], weight(e)}; },
        [&](Edge, SeenBlock seen) { f(seen.block, seen.weight); });
  });
}

/// Rule: fills an empty table with the weight from v to every adjacent block (paper, connectivity)
/// and to its own. Returns whether v sees a block other than its own.
template <class Group, class Table>
PROCMAP_HD bool gather_blocks(CsrView graph, Block const* block, Vertex v, Group group, Table& table) {
  Block const own = block[v];
  Weight inside = 0;
  table.fill([&](auto& sums) {
    for_each_seen_block(graph, block, v, group, [&](Block other, Weight weight) {
      if (other == own)
        inside += weight;
      else
        sums.add(other, weight);
    });
  });
  group.sync();
  bool const borders = table.size() > 0;
  group.sync();
  table.add(own, inside);
  group.sync();
  return borders;
}

/// As many blocks may be adjacent to v.
PROCMAP_HD inline Edge adjacent_blocks(CsrView graph, Block per_scope, Vertex v) {
  Edge const degree = graph.degree(v);
  return degree < per_scope ? degree : per_scope;
}

/// Keys that the table of v may take: min(degree, blocks) adjacent blocks and the own one, times the
/// groups they belong to.
template <class Objective>
PROCMAP_HD TableNeeds connectivity_needs(CsrView graph, Objective const& objective, Block per_scope, Vertex v) {
  return {(adjacent_blocks(graph, per_scope, v) + 1) * objective.keys_per_block(), graph.degree(v)};
}

/// Rule: gather_blocks for a vertex of a refinement, from the table that it keeps if it has one. A hub that sees
/// several blocks gets one.
template <class Group, class Table>
PROCMAP_HD bool see_blocks(CsrView graph, RefinementView const& state, Vertex v, Group group, Table& table) {
  if (!state.tables.has(v)) {
    bool const borders = gather_blocks(graph, state.block, v, group, table);
    if (borders) state.tables.keep(v, graph.degree(v), group, table);
    return borders;
  }
  state.tables.load(v, group, table);
  bool const borders = table.size() > (table.get(state.block[v]) != 0 ? 1 : 0);
  group.sync();
  return borders;
}

/// What see_blocks and aggregate need.
template <class Objective>
PROCMAP_HD TableNeeds see_needs(CsrView graph, RefinementView const& state, Objective const& objective, Block per_scope,
                                Vertex v) {
  if (!state.tables.has(v)) return connectivity_needs(graph, objective, per_scope, v);
  Edge const room = state.tables.room(v);
  return {room * objective.keys_per_block(), room};
}

}  // namespace procmap
