// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/arc_ends.hpp"
#include "refinement/flow/network.hpp"
#include "refinement/state/anchors.hpp"

namespace procmap {

/// What the blocks of a band's vertices cost now, and what every choice of theirs costs at least; both with what the
/// edges cost that are cut now.
struct BandCost {
  Weight current = 0;  // every edge once; edges between vertices outside the band are left out
  Weight certain = 0;
};

/// Links arcs between band vertices i and j: forth and back are free places in their rows. A negative capacity: they
/// are closed.
template <class Group>
PROCMAP_HD void link(FlowNetwork const& network, Group group, Vertex i, Vertex j, Edge forth, Edge back,
                     Weight capacity) {
  Weight const residual = capacity > 0 ? capacity : 0;
  network.arc[forth] = {j, static_cast<Vertex>(back - group.item(network.row_begin, j)), residual};
  network.arc[back] = {i, static_cast<Vertex>(forth - group.item(network.row_begin, i)), residual};
  network.capacity[forth] = capacity;
  network.capacity[back] = capacity;
}

/// Links a band vertex to those of higher numbers.
template <class Group, int n>
PROCMAP_HD void link_all(FlowNetwork const& network, Group group, Vertex i, Vertex const (&to)[n],
                         Weight const (&capacity)[n], bool const (&links)[n]) {
  Vertex const number = number_of(links);
  if (number == 0) return;
  Edge forth = network.take_places(group, i, number);
  Edge back[n];
  PROCMAP_UNROLL
  for (int k = 0; k < n; ++k)
    if (links[k]) back[k] = network.take_places(group, to[k], 1);
  PROCMAP_UNROLL
  for (int k = 0; k < n; ++k)
    if (links[k]) link(network, group, i, to[k], forth++, back[k], capacity[k]);
}

/// Turns a band into a network whose cuts cost what the corresponding choices of blocks cost: the source side is
/// block a, the sink side b. An edge inside the band costs weight times distance(a, b) if it is cut. An edge to
/// a vertex outside, in block c, costs weight times distance(a, c) or distance(b, c): the capacities of the
/// terminal arcs, of which what they have in common is certain. So is a home in one of the blocks: to be in the other
/// costs the vertex its pull. The network is parted into its halves (halves.hpp).
template <class Group, class Objective>
PROCMAP_HD BandCost build_network(CsrView graph, Objective const& objective, AnchorsView const& anchors,
                                  BandView const& band, BlockPair const& pair, FlowNetwork const& network,
                                  Group group) {
  Weight const distance = objective.distance(pair.a, pair.b);
  BandCost cost;
  auto const degree = [&](Vertex i) { return graph.degree(band.vertices.items[i]); };
  group.for_rows(network.num_vertices, degree, [&](Vertex i, auto lanes) {
    Vertex const v = band.vertices.items[i];
    bool const in_a = band.block[v] == pair.a;
    Weight stay_in_a = 0;
    Weight stay_in_b = 0;
    constexpr int batch = ArcEnds<decltype(lanes)>::size;
    auto const in_pair = [&](Block block) { return block == pair.a || block == pair.b; };
    for_ends(graph, band, v, lanes, in_pair, [&](auto const& ends) {
      Vertex place[batch];
      Weight capacity[batch];
      bool links[batch];
      PROCMAP_UNROLL
      for (int k = 0; k < batch; ++k) {
        auto const& [head, other, its_place, weight] = ends.of[k];
        bool const is_in_a = other == pair.a, is_inside = in_pair(other) && its_place >= 0;
        bool const is_cut = is_inside && in_a != is_in_a;
        Weight const if_cut = weight * distance;
        place[k] = its_place;
        capacity[k] = is_cut ? -if_cut : if_cut;
        links[k] = is_inside && i < its_place && if_cut > 0;
        if (is_inside) {
          if (is_cut) (in_a ? stay_in_a : stay_in_b) += if_cut;
        } else if (in_pair(other)) {
          (is_in_a ? stay_in_b : stay_in_a) += if_cut;
        } else if (weight != 0) {
          stay_in_a += weight * objective.distance(pair.a, other);
          stay_in_b += weight * objective.distance(pair.b, other);
        }
      }
      link_all(network, group, i, place, capacity, links);
    });
    stay_in_a = lanes.sum(stay_in_a) + anchors.affinity(v, pair.b);
    stay_in_b = lanes.sum(stay_in_b) + anchors.affinity(v, pair.a);
    if (lanes.rank() != 0) return;
    Weight const common = stay_in_a < stay_in_b ? stay_in_a : stay_in_b;
    cost.current += in_a ? stay_in_a : stay_in_b;
    cost.certain += common;
    network.near_source[i] = in_a ? 1 : 0;
    group.item(network.excess, i) = (in_a ? stay_in_a : stay_in_b) - common;
    group.item(network.to_sink, i) = (in_a ? stay_in_b : stay_in_a) - common;
  });
  cost.current = group.sum(cost.current);
  cost.certain = group.sum(cost.certain);
  group.sync();
  return cost;
}

/// Gives every vertex an empty row with room for all of its arcs.
template <class Group>
PROCMAP_HD void allot_rows(CsrView graph, BandView const& band, FlowNetwork const& network, Group group, Edge* used) {
  if (group.rank() == 0) *used = 0;
  group.sync();
  team_for(group, network.num_vertices, [&](Vertex i) {
    Edge const first = team_add(group, used, graph.degree(band.vertices.items[i]));
    group.item(network.row_begin, i) = first;
    group.item(network.row_end, i) = first;
  });
  group.sync();
}

}  // namespace procmap
