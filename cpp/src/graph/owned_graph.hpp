// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// Owns the arrays of a graph that lives where Exec runs.
template <class Exec>
struct OwnedGraph {
  Vertex num_vertices = 0;
  Edge num_arcs = 0;
  Buffer<Exec, Edge> offsets;
  Buffer<Exec, Vertex> heads;
  Buffer<Exec, Weight> arc_weights;     // empty: all 1
  Buffer<Exec, Weight> vertex_weights;  // empty: all 1

  Buffer<Exec, Weight> loads = {};         // as in CsrView, but for a graph of the same vertices, which borrows them
  Weight const* borrowed_loads = nullptr;
  int num_loads = 0;
  Buffer<Exec, NarrowWeight> narrow_arc_weights = {};  // instead of arc_weights
  Edge max_degree = unknown_degree;                    // as in CsrView

  CsrView view() const {
    return {num_vertices,
            num_arcs,
            offsets.data(),
            heads.data(),
            arc_weights.data(),
            vertex_weights.data(),
            borrowed_loads ? borrowed_loads : loads.data(),
            num_loads,
            narrow_arc_weights.data(),
            max_degree};
  }
};

}  // namespace procmap
