// SPDX-License-Identifier: MIT
#pragma once

#include "graph/owned_graph.hpp"

namespace procmap {

/// A coarser graph and where every vertex of the next finer one went.
template <class Exec>
struct Level {
  OwnedGraph<Exec> graph;
  Buffer<Exec, Vertex> coarse_of;  // one per vertex of the finer graph
  Buffer<Exec, Block> scope;       // one per coarse vertex; empty: a single scope
  Buffer<Exec, Block> fixed;  // PE of every fixed coarse vertex, no_block for the others; empty: nobody is fixed
};

}  // namespace procmap
