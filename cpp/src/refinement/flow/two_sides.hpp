// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "refinement/flow/cut_pair.hpp"
#include "refinement/flow/side.hpp"

namespace procmap {

// A pair on a CPU. Each side of its band is grown, becomes half of a network and is solved for itself (halves.hpp), by
// a thread of its own if one is idle. If both halves can send all that they have, the present cut is a minimum one, and
// the extreme cuts lie one in each half. Otherwise side b is put behind side a, and the flow goes on.

/// The sides of the pairs that a thread cuts, one pair at a time.
struct TwoSides {
  BandSide a, b;
};

/// Returns what the flow of a half falls short of what it has to send.
inline Weight solve_half(BandSide& side) { return maximum_preflow(side.network(), SerialGroup{}, side.excess, false); }

/// Puts the vertices and steps of b behind those of a.
inline void append_band(BandSide& a, BandSide const& b) {
  auto const n = static_cast<std::size_t>(a.size + b.size);
  a.vertices.make_room(n, static_cast<std::size_t>(a.size));
  a.steps.make_room(static_cast<std::size_t>(a.growth.steps + b.growth.steps),
                    static_cast<std::size_t>(a.growth.steps));
  std::copy_n(b.vertices.data(), b.size, a.vertices.data() + a.size);
  for (Vertex i = 0; i < b.growth.steps; ++i) {
    GrownStep step = b.steps[static_cast<std::size_t>(i)];
    step.end += a.size;
    a.steps[static_cast<std::size_t>(a.growth.steps++)] = step;
  }
  a.growth.cut_short |= b.growth.cut_short;
}

/// Half a was solved against the direction of its arcs.
inline void turn_round(BandSide& side) {
  auto const network = side.network();
  for (Vertex i = 0; i < side.size; ++i) {
    swap_values(network.excess[i], network.to_sink[i]);
    for (Edge e = network.row_begin[i]; e < network.row_end[i]; ++e) turn_round(network, e);
  }
}

/// Puts the network of b behind that of a.
inline void append_network(BandSide& a, BandSide& b) {
  Vertex const first = a.size;
  Edge const first_arc = a.arcs;
  a.make_room(a.size + b.size, a.arcs + b.arcs);
  auto const from = b.network(), to = a.network();
  for (Vertex i = 0; i < b.size; ++i) {
    to.row_begin[first + i] = from.row_begin[i] + first_arc;
    to.row_end[first + i] = from.row_end[i] + first_arc;
    to.excess[first + i] = from.excess[i];
    to.to_sink[first + i] = from.to_sink[i];
    for (Edge e = from.row_begin[i]; e < from.row_end[i]; ++e) {
      to.arc[first_arc + e] = {from.arc[e].head + first, from.arc[e].opposite, from.arc[e].residual};
      to.capacity[first_arc + e] = from.capacity[e];
    }
  }
  a.size += b.size;
  a.arcs += b.arcs;
}

/// Opens the edges of the present cut, which are filled.
inline void link_across(BandSide& whole, Vertex first_of_b, Vertex const* place) {
  auto const network = whole.network();
  for (CutEdge const& edge : whole.cut) {
    if (place[edge.head] < 0) continue;
    Vertex const i = edge.from, j = first_of_b + place[edge.head];
    Edge const forth = network.row_end[i]++, back = network.row_end[j]++;
    link(network, SerialGroup{}, i, j, forth, back, edge.capacity);
    network.arc[forth].residual = 0;
    network.arc[back].residual = 2 * edge.capacity;
  }
}

/// Puts the networks of both sides together; every edge of the present cut between them is filled.
inline void join_sides(TwoSides& sides, Vertex const* place) {
  Vertex const first_of_b = sides.a.size;
  turn_round(sides.a);
  append_network(sides.a, sides.b);
  link_across(sides.a, first_of_b, place);
}

/// Shows in side a the extreme cuts of the whole band where the present cut is a minimum one: what leads to the source
/// is all in block a, and what leads to the sink in b. Heights of both halves are exact.
inline void show_halves(TwoSides& sides) {
  auto& [a, b] = sides;
  Vertex const first_of_b = a.size, no_way_in_a = a.network().no_way();
  a.make_room(a.size + b.size, a.arcs);
  a.size += b.size;
  auto const shown = a.network(), half = b.network();
  for (Vertex i = 0; i < first_of_b; ++i) {
    shown.near_source[i] = shown.height[i] < no_way_in_a ? 1 : 0;
    shown.height[i] = shown.no_way();
  }
  for (Vertex i = 0; i < b.size; ++i) {
    shown.near_source[first_of_b + i] = 0;
    shown.height[first_of_b + i] = half.height[i] < half.no_way() ? half.height[i] : shown.no_way();
  }
}

}  // namespace procmap
