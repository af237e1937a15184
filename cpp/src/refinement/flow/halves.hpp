// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/network.hpp"

namespace procmap {

// A flow starts at the cut between the two blocks, as most of these cuts are minimum ones or nearly: every edge of the
// cut is filled before anybody has sent what it carries. In block b that arrives at the border and looks for the sink.
// In block a it is missing there and looks for the source, against the direction of arcs: the same problem turned
// round. So nothing has a way that is longer than one half of the band, and no more is on its way than the cut holds.
//
// Filling an edge adds its capacity c to what every cut costs, so the minimum cuts stay what they are. Let u be its end
// in block a, v that in b. Afterwards it takes nothing from u to v and 2 c back, c more arrive at v, and the sink takes
// c more from u. What that costs, and what the edge alone cost before, with
//
//   both on the source side   c      the sink takes no more from u      before 0
//   both on the sink side     c      no more arrives at v               before 0
//   u on the source side, v on the sink side   c + c   both             before c
//   u on the sink side, v on the source side   2 c     the way back     before c
//
// While the network is parted into its halves,
//
//   near_source   is 1 for what is in block a,
//   block a       has its arcs turned round, `excess` is what is missing, and `to_sink` what the source still has,
//   edges of the cut are closed in both directions: they take nothing, and their capacities stand as negative numbers.
//
// When nothing can be done in a half any more, its heights say who has a way: in block b to the sink, in block a,
// turned round, from the source. Who has one is as good as a terminal from then on (middle.hpp): nothing flows there or
// comes from there, and in both extreme cuts it lies near the sink, or near the source. If nothing is missing, that is
// all. Else the halves are joined, and what is left is a flow between those who have no way, in few steps.

/// What was sent along an arc goes the other way. Of a pair of arcs both are turned, each for itself.
PROCMAP_HD inline void turn_round(FlowNetwork const& network, Edge e) {
  network.arc[e].residual = 2 * network.capacity[e] - network.arc[e].residual;
}

/// Makes parted halves one network.
template <class Group>
PROCMAP_HD void join_halves(FlowNetwork const& network, Group group) {
  auto const arcs = [&](Vertex i) { return network.near_source[i] ? network.num_arcs(group, i) : 0; };
  group.for_rows(network.num_vertices, arcs, [&](Vertex i, auto lanes) {
    if (!network.near_source[i]) return;
    Edge const end = group.item(network.row_end, i);
    for (Edge e = group.item(network.row_begin, i) + lanes.rank(); e < end; e += lanes.size()) {
      FlowArc const& arc = network.arc[e];
      if (!network.near_source[arc.head]) {
        Edge const opposite = group.item(network.row_begin, arc.head) + arc.opposite;
        Weight const capacity = network.capacity[e] = network.capacity[opposite] = -network.capacity[e];
        network.arc[opposite].residual = 2 * capacity;
      } else {
        turn_round(network, e);
      }
    }
    if (lanes.rank() != 0) return;
    swap_values(group.item(network.excess, i), group.item(network.to_sink, i));
  });
  group.sync();
}

/// Notes in near_source who has a way: 1 from the source, and 2 to the sink if anything is missing and halves have been
/// joined. Heights are those of the joined network then.
template <class Group>
PROCMAP_HD void note_ways(FlowNetwork const& network, Group group, bool any_missing) {
  team_for(group, network.num_vertices, [&](Vertex i) {
    auto& height = group.item(network.height, i);
    bool const has_way = height < network.no_way(), in_a = network.near_source[i] != 0;
    network.near_source[i] = !has_way ? 0 : in_a ? 1 : any_missing ? 2 : 0;
    if (in_a && has_way) height = network.no_way();
  });
  group.sync();
}

}  // namespace procmap
