// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/band.hpp"
#include "refinement/flow/network.hpp"
#include "refinement/state/anchors.hpp"

namespace procmap {

/// What the blocks of a band's vertices cost now, and what every choice of theirs costs at least.
struct BandCost {
  Weight current = 0;  // every edge once; edges between vertices outside the band are left out
  Weight certain = 0;
};

/// Links arcs between band vertices i < j, a free place in each row.
template <class Group>
PROCMAP_HD void link(FlowNetwork const& network, Group group, Vertex i, Vertex j, Weight capacity) {
  Edge const forth = team_add(group, &group.item(network.row_end, i), 1);
  Edge const back = team_add(group, &group.item(network.row_end, j), 1);
  network.arc[forth] = {j, static_cast<Vertex>(back - group.item(network.row_begin, j)), capacity};
  network.arc[back] = {i, static_cast<Vertex>(forth - group.item(network.row_begin, i)), capacity};
  network.capacity[forth] = capacity;
  network.capacity[back] = capacity;
}

/// Turns a band into a network whose cuts cost what the corresponding choices of blocks cost: the source side is
/// block a, the sink side b. An edge inside the band costs weight times distance(a, b) if it is cut. An edge to
/// a vertex outside, in block c, costs weight times distance(a, c) or distance(b, c): the capacities of the
/// terminal arcs, of which what they have in common is certain. So is a home in one of the blocks: to be in the other
/// costs the vertex its pull.
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
    struct End {
      Block block;
      Vertex place;
    };
    auto const load = [&](Edge e) {
      Vertex const u = graph.heads[e];
      Block const other = racy_load(&band.block[u]);
      return End{other, other == pair.a || other == pair.b ? band.place[u] : no_vertex};
    };
    for_each_arc_by_batch(graph, v, lanes, load, [&](Edge e, End end) {
      auto const [other, j] = end;
      Weight const weight = graph.arc_weight(e);
      if (j >= 0) {
        if (i < j && weight * distance > 0) {
          link(network, group, i, j, weight * distance);
          if (in_a != (other == pair.a)) cost.current += weight * distance;
        }
      } else if (other == pair.a) {
        stay_in_b += weight * distance;
      } else if (other == pair.b) {
        stay_in_a += weight * distance;
      } else {
        stay_in_a += weight * objective.distance(pair.a, other);
        stay_in_b += weight * objective.distance(pair.b, other);
      }
    });
    stay_in_a = lanes.sum(stay_in_a) + anchors.affinity(v, pair.b);
    stay_in_b = lanes.sum(stay_in_b) + anchors.affinity(v, pair.a);
    if (lanes.rank() != 0) return;
    Weight const common = stay_in_a < stay_in_b ? stay_in_a : stay_in_b;
    cost.current += in_a ? stay_in_a : stay_in_b;
    cost.certain += common;
    group.item(network.excess, i) = stay_in_b - common;
    group.item(network.to_sink, i) = stay_in_a - common;
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
