// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "procmap/types.hpp"
#include "refinement/flow/team.hpp"
#include "refinement/state/connectivity.hpp"

namespace procmap {

/// A flow network of one team: vertices 0 .. num_vertices - 1 and implicit terminals. The source's arcs are
/// saturated from the start, so what it sends stands in `excess`; `to_sink` is what an arc to the sink still
/// takes. Arcs come in pairs of opposite directions and equal capacities that name each other: what the two still take
/// is always twice the capacity.
struct FlowNetwork {
  Vertex num_vertices = 0;
  Edge* row_begin = nullptr;   // arcs of vertex i: row_begin[i] .. row_end[i] - 1
  Edge* row_end = nullptr;
  Vertex* head = nullptr;      // per arc
  Edge* reverse = nullptr;     // per arc
  Weight* capacity = nullptr;  // per arc
  Weight* residual = nullptr;  // per arc: what it still takes

  Weight* excess = nullptr;        // arrived and not sent on
  Weight* to_sink = nullptr;
  Weight* received = nullptr;      // in this round; 0 between rounds
  Vertex* height = nullptr;        // a lower bound of the distance to the sink, num_vertices + 1: no way
  Vertex* next_height = nullptr;
  Vertex* near_source = nullptr;   // 1: on the least source side; at last: on that of the chosen cut
  std::uint8_t* listed = nullptr;  // is in the list of active vertices
  TeamList active, next_active, receivers;

  PROCMAP_HD Vertex no_way() const { return num_vertices + 1; }
  /// What the opposite arc still takes.
  PROCMAP_HD Weight opposite_residual(Edge e) const { return 2 * capacity[e] - residual[e]; }
  /// Moves what is read and written most to fast memory, as far as it goes, and forgets it.
  PROCMAP_HD void move_to(FastMemory memory) {
    memory.take(height, num_vertices);
    memory.take(excess, num_vertices);
    memory.take(received, num_vertices);
    memory.take(active.items, num_vertices);
    memory.take(next_active.items, num_vertices);
    memory.take(receivers.items, num_vertices);
    memory.take(listed, num_vertices);
    memory.take(next_height, num_vertices);
    memory.take(row_begin, num_vertices);
    memory.take(row_end, num_vertices);
    memory.take(to_sink, num_vertices);
  }

  PROCMAP_HD Edge num_arcs(Vertex v) const { return row_end[v] - row_begin[v]; }
  PROCMAP_HD bool is_active(Vertex v) const { return excess[v] > 0 && height[v] < no_way(); }
};

/// f(e, load(e)) for the arcs of v, shared by `lanes`; loads run ahead (for_each_arc_by_batch).
template <class Lanes, class Load, class F>
PROCMAP_HD void for_each_arc_of(FlowNetwork const& network, Vertex v, Lanes lanes, Load load, F f) {
  for_each_arc_by_batch(network.row_begin[v], network.row_end[v], lanes, load, f);
}

}  // namespace procmap
