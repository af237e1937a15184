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
  double last_filter = 0;  // ... in the last of several steps of annealing; no more than `filter`

  /// Rule: Jet's c in a step of annealing.
  PROCMAP_HD double filter_of_step(int step) const {
    int const last = config.annealing_steps - 1;
    if (step == 0 || last <= 0) return filter;
    return filter - (filter - last_filter) * (static_cast<double>(step) / static_cast<double>(last));
  }
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
