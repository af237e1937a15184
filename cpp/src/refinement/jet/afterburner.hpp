// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/state/refinement.hpp"

namespace procmap {

/// Rule: candidates are thought to move in the order of (gain, id).
PROCMAP_HD inline bool moves_before(Weight gain_u, Vertex u, Weight gain_v, Vertex v) {
  return gain_u > gain_v || (gain_u == gain_v && u < v);
}

/// Rule: how the gain of v's proposed move changes once the candidates before v have moved
/// (paper, afterburner).
template <class Objective>
PROCMAP_HD Weight gain_change(CsrView graph, Objective const& objective, RefinementView const& state, Vertex v,
                              Edge begin, Edge stride) {
  Block const from = state.block[v];
  Block const to = state.proposal[v];
  Weight change = 0;
  for (Edge e = graph.begin(v) + begin; e < graph.end(v); e += stride) {
    Vertex const u = graph.heads[e];
    Block const next = state.proposal[u];
    if (next == no_block || !moves_before(state.gain[u], u, state.gain[v], v)) continue;
    Block const now = state.block[u];
    change += graph.arc_weight(e) * (objective.distance(from, next) - objective.distance(to, next) -
                                     objective.distance(from, now) + objective.distance(to, now));
  }
  return change;
}

/// accepted[i]: the proposed move of the i-th active vertex is still no loss after the moves of better candidates.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT void afterburner(Exec& ex, Refinement const& refinement, Objective const& objective, VertexList list,
                                  std::uint8_t* accepted) {
  auto const phase = ex.phase("afterburner");
  auto const graph = refinement.graph;
  auto const state = refinement.state;
  auto const* const active = list.vertex;
  auto const degree = [=] PROCMAP_LAMBDA(Edge i) { return graph.degree(active[i]); };
  ex.for_each_in_group(list.count, degree, [=, &objective] PROCMAP_LAMBDA(Edge i, auto group) {
    Vertex const v = active[i];
    bool keeps = false;
    if (state.proposal[v] != no_block) {
      Weight const change = group.sum(gain_change(graph, objective, state, v, group.rank(), group.size()));
      keeps = state.gain[v] + change >= 0;
    }
    if (group.rank() == 0) accepted[i] = keeps;
  });
}

}  // namespace procmap
