// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/push_relabel.hpp"

namespace procmap {

// The two extreme minimum cuts. Let f be a maximum preflow: no excess reaches the sink in the residual network.
//
// Source side least: let R be what the excess (and the source, whose arcs are all saturated) reaches. The sink is
// not in R, every arc out of R is saturated, every arc into R is empty, and no excess lies outside R, so all that
// crosses arrives at the sink: R is a minimum cut. Let A be the source side of any minimum cut. What crosses it
// is at most its capacity, which is the value of f; so no excess lies beyond A and no residual arc leaves A: A holds
// the excess and all that it reaches. Hence R is contained in A.
//
// Sink side least: let Q be what reaches the sink. No excess lies in Q, and by the same argument Q is the sink side
// of a minimum cut, contained in that of every other one.
//
// R and Q are thus defined by the network alone (Picard and Queyranne, "On the structure of all minimum cuts in a
// network"): they do not depend on the preflow, on the order of arcs, or on the machine.

/// Marks R; heights < no_way() are Q already, since the heights of a finished preflow are exact. Once halves are
/// `solved` (halves.hpp) a part of R is known.
template <class Group>
PROCMAP_HD void mark_source_side(FlowNetwork const& network, Group group, bool solved = false) {
  auto found = network.list[0], next = network.list[1];
  auto passes = network.passes;
  passes.start(group);
  team_for(group, network.num_vertices, [&](Vertex v) {
    if (solved && network.near_source[v] == 1) return;
    bool const first = group.item(network.excess, v) > 0;
    network.near_source[v] = first;
    if (first && network.num_arcs(group, v) > 0) passes.append(group, next, v);
  });
  while (Vertex const size = passes.next(group)) {
    swap_values(found, next);
    auto const arcs = [&](Vertex i) { return network.num_arcs(group, found.at(group, i)); };
    group.for_rows(size, arcs, [&](Vertex i, auto lanes) {
      auto const open_ahead = [&](Edge e) {
        FlowArc const arc = network.arc[e];
        return arc.residual > 0 ? arc.head : no_vertex;
      };
      auto const unseen = [&](Vertex v) { return team_load(group, &network.near_source[v]) == 0; };
      auto const claim = [&](Vertex v) { return team_claim(group, &network.near_source[v], 0, 1); };
      list_heads(network, passes, next, group, lanes, found.at(group, i), open_ahead, unseen, claim);
    });
  }
}

}  // namespace procmap
