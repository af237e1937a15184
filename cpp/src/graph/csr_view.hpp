// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/hd.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Weights of arcs in half the memory: those of contracted graphs without weights, whose sum fits.
using NarrowWeight = std::uint32_t;

/// Of a graph of which nobody counted.
inline constexpr Edge unknown_degree = -1;

/// Non-owning, trivially copyable view of a CSR graph; pass it by value. Both directions of every
/// edge are stored. Null weights mean 1: read weights only through the accessors.
struct CsrView {
  Vertex num_vertices = 0;
  Edge num_arcs = 0;
  Edge const* offsets = nullptr;  // num_vertices + 1
  Vertex const* heads = nullptr;
  Weight const* arc_weights = nullptr;
  Weight const* vertex_weights = nullptr;
  Weight const* loads = nullptr;  // of vertices with several weights, [v * num_loads + i]; vertex_weights is their sum
  int num_loads = 0;  // 0: a vertex has one weight
  NarrowWeight const* narrow_arc_weights = nullptr;  // instead of arc_weights
  Edge max_degree = unknown_degree;  // a bound: that of the graph whose arcs these are, or of which they are a part

  PROCMAP_HD Edge begin(Vertex v) const { return offsets[v]; }
  PROCMAP_HD Edge end(Vertex v) const { return offsets[v + 1]; }
  PROCMAP_HD Edge degree(Vertex v) const { return offsets[v + 1] - offsets[v]; }
  PROCMAP_HD Weight arc_weight(Edge e) const {
    if (narrow_arc_weights) return narrow_arc_weights[e];
    return arc_weights ? arc_weights[e] : 1;
  }
  /// f(weight) with weight(e) = arc_weight(e), for loops over arcs: what weights there are is asked once before them.
  template <class F>
  PROCMAP_HD auto with_arc_weights(F f) const {
    if (narrow_arc_weights) return f([weights = narrow_arc_weights](Edge e) { return Weight{weights[e]}; });
    if (arc_weights) return f([weights = arc_weights](Edge e) { return weights[e]; });
    return f([](Edge) { return Weight{1}; });
  }
  PROCMAP_HD Weight load(Vertex v, int i) const { return loads[Edge{v} * num_loads + i]; }
  PROCMAP_HD Weight vertex_weight(Vertex v) const { return vertex_weights ? vertex_weights[v] : 1; }
};

}  // namespace procmap
