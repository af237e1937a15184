// SPDX-License-Identifier: MIT
#pragma once

#include "graph/csr_view.hpp"
#include "refinement/state/scratch.hpp"

namespace procmap {

/// What is to be refined: a graph, what its edges cost between blocks, the blocks, and what holds single vertices. The
/// graph may be several copies of one, one behind the other, each with as many scopes.
template <class Objective>
struct RefinementProblem {
  CsrView graph;
  Objective objective;
  BlocksView blocks;
  AnchorsView anchors = {};
  int copies = 1;
};

/// How it is done.
struct RefinementRules {
  RefinementConfig config;
  double filter = 0;  // Jet's c: how large a loss may be proposed; 0: none
  std::uint64_t seed = 0;
  double last_filter = 0;  // ... in the last of several steps of annealing; no more than `filter`
  bool is_last = true;  // no finer level follows, on which it would be easier to balance several weights

  /// Rule: Jet's c in a step of annealing.
  PROCMAP_HD double filter_of_step(int step) const {
    int const last = config.annealing_steps - 1;
    if (step == 0 || last <= 0) return filter;
    return filter - (filter - last_filter) * (static_cast<double>(step) / static_cast<double>(last));
  }
};

/// Some scopes that follow each other, and their vertices: what a team refines while others refine other parts.
struct Part {
  Vertex const* list = nullptr;  // vertices by part; null: by number
  Vertex first = 0;              // the place of the part in it
  Vertex num_vertices = 0;
  Block first_scope = 0;
  Block num_scopes = 0;

  PROCMAP_HD Vertex vertex(Edge i) const { return list ? list[first + i] : static_cast<Vertex>(first + i); }
};

inline Part whole_part(CsrView graph, BlocksView const& blocks) {
  return {nullptr, 0, graph.num_vertices, 0, blocks.num_scopes()};
}

/// A refinement under way, as its phases see it. The objective is an argument of its own, of those phases that ask for
/// it: the others need not be compiled for every objective.
struct Refinement {
  CsrView graph;
  BlocksView blocks;
  RefinementView state;
  RefinementRules rules;
  Part part;

  PROCMAP_HD Block first_block() const { return blocks.first_of(part.first_scope); }
  PROCMAP_HD Block num_blocks() const { return part.num_scopes * blocks.per_scope; }
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
