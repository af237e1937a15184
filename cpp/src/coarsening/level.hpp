// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"

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

  CsrView view() const {
    return {num_vertices, num_arcs, offsets.data(), heads.data(), arc_weights.data(), vertex_weights.data()};
  }
};

/// A coarser graph and where every vertex of the next finer one went.
template <class Exec>
struct Level {
  OwnedGraph<Exec> graph;
  Buffer<Exec, Vertex> coarse_of;  // one per vertex of the finer graph
  Buffer<Exec, Block> scope;       // one per coarse vertex; empty: a single scope
  Buffer<Exec, Block> fixed;  // PE of every fixed coarse vertex, no_block for the others; empty: nobody is fixed
};

}  // namespace procmap
