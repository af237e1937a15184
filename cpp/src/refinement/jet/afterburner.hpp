// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/state/refinement.hpp"

namespace procmap {

/// Rule: candidates are thought to move in the order of (gain, id).
template <class Id>
PROCMAP_HD bool moves_before(Weight gain_u, Id u, Weight gain_v, Id v) {
  return gain_u > gain_v || (gain_u == gain_v && u < v);
}

/// Two blocks.
struct Move {
  Block from, to;
};

/// Rule: how the gain of a vertex's `mine` changes by the move `other` of a neighbour, per unit of their arc.
template <class Objective>
PROCMAP_HD Weight change_by(Objective const& objective, Move mine, Move other) {
  return objective.distance(mine.from, other.to) - objective.distance(mine.to, other.to) -
         objective.distance(mine.from, other.from) + objective.distance(mine.to, other.from);
}

/// Rule: how the gain of v's proposed move changes once the candidates before v have moved
/// (paper, afterburner).
template <class Objective>
PROCMAP_HD Weight gain_change(CsrView graph, Objective const& objective, RefinementView const& state, Vertex v,
                              Edge begin, Edge stride) {
  Move const mine{state.block[v], state.proposal[v]};
  Weight change = 0;
  for (Edge e = graph.begin(v) + begin; e < graph.end(v); e += stride) {
    Vertex const u = graph.heads[e];
    Block const next = state.proposal[u];
    if (next == no_block || !moves_before(state.gain[u], u, state.gain[v], v)) continue;
    change += graph.arc_weight(e) * change_by(objective, mine, {state.block[u], next});
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
  ex.for_each_in_group(list.count, DegreeOfListed{graph, active}, [=, &objective] PROCMAP_LAMBDA(Edge i, auto group) {
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
