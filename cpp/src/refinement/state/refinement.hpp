// SPDX-License-Identifier: MIT
#pragma once

#include "graph/csr_view.hpp"
#include "refinement/state/scratch.hpp"

namespace procmap {

/// What is to be refined: a graph, what its edges cost between blocks, the blocks, and what holds single vertices.
template <class Objective>
struct RefinementProblem {
  CsrView graph;
  Objective objective;
  BlocksView blocks;
  AnchorsView anchors = {};
};

/// How it is done.
struct RefinementRules {
  RefinementConfig config;
  double filter = 0;  // Jet's c: how large a loss may be proposed; 0: none
  std::uint64_t seed = 0;
};

/// A refinement under way, as its phases see it. The objective is an argument of its own, of those phases that ask for
/// it: the others need not be compiled for every objective.
struct Refinement {
  CsrView graph;
  BlocksView blocks;
  RefinementView state;
  RefinementRules rules;
};

/// Where vertices are, and where they were before the last moves.
struct BlockChange {
  Block const* block = nullptr;
  Block const* previous = nullptr;
};

/// Vertices, in any order.
struct VertexList {
  Vertex* vertex = nullptr;
  Edge count = 0;
};

}  // namespace procmap
