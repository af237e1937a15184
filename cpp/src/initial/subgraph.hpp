// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graph/csr_view.hpp"

namespace procmap::initial {

/// Head and weight side by side: every visit of an arc reads both.
struct Arc {
  Weight weight;
  Vertex head;
};

/// Vertices of one bisection, numbered from 0; a slice of a Level, valid until that is written.
struct Subgraph {
  Vertex num_vertices = 0;
  Edge const* offsets = nullptr;
  Arc const* all_arcs = nullptr;
  Weight const* vertex_weights = nullptr;
  Vertex const* origins = nullptr;  // ids in the graph the caller passed

  std::span<Arc const> arcs(Vertex v) const {
    return {all_arcs + offsets[v], static_cast<std::size_t>(offsets[v + 1] - offsets[v])};
  }
};

/// All subgraphs of one depth of the recursion, one behind the other; heads count from the first
/// vertex of their subgraph. The parts of a graph never need more room than the graph, so two
/// levels that take turns serve the whole recursion.
class Level {
 public:
  void reserve(Vertex num_vertices, Edge num_arcs);
  void clear();

  /// Appends all of `graph` without self loops; returns its first vertex, as `append_side` does.
  Vertex append(CsrView graph);

  /// Appends the vertices with side[v] == `chosen` and the arcs among them. `new_id` is scratch
  /// with one entry per vertex of `parent`.
  Vertex append_side(Subgraph const& parent, std::span<std::uint8_t const> side, std::uint8_t chosen,
                     std::span<Vertex> new_id);

  /// Appends a vertex per cluster of `parent`, cluster[v] for its vertex v, and between two clusters one arc with the
  /// weight of all.
  void append_clusters(Subgraph const& parent, std::span<Vertex const> cluster, Vertex num_clusters);

  Subgraph slice(Vertex first, Vertex num_vertices) const;

 private:
  std::vector<Edge> offsets_{0};  // one more than vertices: a slice ends where the next begins
  std::vector<Arc> arcs_;
  std::vector<Weight> vertex_weights_;
  std::vector<Vertex> origins_;
};

}  // namespace procmap::initial
