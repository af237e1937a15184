// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "procmap/types.hpp"
#include "refinement/flow/team.hpp"

namespace procmap {

/// A flow network of one team: vertices 0 .. num_vertices - 1 and implicit terminals. The source's arcs are
/// saturated from the start, so what it sends stands in `excess`; `to_sink` is what an arc to the sink still
/// takes. Arcs come in pairs of opposite directions that name each other.
struct FlowNetwork {
  Vertex num_vertices = 0;
  Edge* row_begin = nullptr;   // arcs of vertex i: row_begin[i] .. row_end[i] - 1
  Edge* row_end = nullptr;
  Vertex* head = nullptr;      // per arc
  Edge* reverse = nullptr;     // per arc
  Weight* residual = nullptr;  // per arc: what it still takes

  Weight* excess = nullptr;        // arrived and not sent on
  Weight* to_sink = nullptr;
  Weight* received = nullptr;      // in this round; 0 between rounds
  Vertex* height = nullptr;        // a lower bound of the distance to the sink, num_vertices + 1: no way
  Vertex* next_height = nullptr;
  Vertex* near_source = nullptr;   // 1: on the least source side
  std::uint8_t* listed = nullptr;  // is in the list of active vertices
  TeamList active, next_active, receivers;

  PROCMAP_HD Vertex no_way() const { return num_vertices + 1; }
  PROCMAP_HD bool is_active(Vertex v) const { return excess[v] > 0 && height[v] < no_way(); }
};

}  // namespace procmap
