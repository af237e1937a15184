// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"
#include "graph/arc_tails.hpp"

namespace procmap {

/// Rule: what the arcs of one vertex cost, or every stride-th of them.
template <class Objective>
PROCMAP_HD Weight vertex_cost(CsrView graph, Objective const& objective, Block const* block, Vertex v, Edge begin = 0,
                              Edge stride = 1) {
  Weight total = 0;
  for (Edge e = graph.begin(v) + begin; e < graph.end(v); e += stride) {
    Block const other = block[graph.heads[e]];
    if (other != block[v]) total += graph.arc_weight(e) * objective.distance(block[v], other);
  }
  return total;
}

/// total_cost, arc by arc. `tail` is the tail of every arc.
template <HostExecutor Exec, class Objective>
Weight cost_by_arcs(Exec& ex, CsrView graph, Vertex const* tail, Objective objective, Block const* block) {
  return ex.sum(graph.num_arcs, [=] PROCMAP_LAMBDA(Edge e) -> Weight {
    Block const from = block[tail[e]], to = block[graph.heads[e]];
    return from == to ? 0 : graph.arc_weight(e) * objective.distance(from, to);
  });
}

/// J: sum over ordered pairs of weight times distance (every edge counts twice).
template <HostExecutor Exec, class Objective>
Weight total_cost(Exec& ex, CsrView graph, Objective objective, Block const* block) {
  if (loops_over_arcs(ex, graph)) return cost_by_arcs(ex, graph, arc_tails(ex, graph).data(), objective, block);
  return ex.sum(graph.num_vertices,
                [=] PROCMAP_LAMBDA(Edge v) { return vertex_cost(graph, objective, block, static_cast<Vertex>(v)); });
}

}  // namespace procmap
