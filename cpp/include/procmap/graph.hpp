// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "procmap/device_array.hpp"
#include "procmap/export.h"
#include "procmap/types.hpp"

namespace procmap PROCMAP_API {

/// A read-only array that keeps whatever owns its memory alive: a moved-in vector, or a
/// foreign buffer such as a NumPy array.
template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  SharedArray(std::vector<T> values)  // NOLINT(google-explicit-constructor): a vector is an array
  {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    values_ = *owner;
    owner_ = std::move(owner);
  }
  /// Borrows `values`; `owner` is released with the last copy of this array.
  SharedArray(std::span<T const> values, std::shared_ptr<void const> owner)
      : values_(values), owner_(std::move(owner)) {}

  std::span<T const> span() const { return values_; }
  T const* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  T const& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::span<T const> values_;
  std::shared_ptr<void const> owner_;
};

/// The arrays of a graph before they are checked. Both directions of every edge are stored.
struct CsrArrays {
  SharedArray<Edge> offsets;         ///< n + 1, from 0 to the number of arcs
  SharedArray<Vertex> heads;         ///< head of every arc, in [0, n)
  SharedArray<Weight> arc_weights;   ///< traffic of every arc; empty: all 1
  SharedArray<Weight> vertex_weights;  ///< load of every vertex; empty: all 1
  /// The second and further weights of every vertex, [v * num_further + i]; then vertex_weights are the first.
  SharedArray<Weight> further_weights = {};
  int num_further = 0;
};

class ResidentGraph;
struct VertexTotals;

/// An immutable undirected task graph in CSR form. It is checked completely when it is made, so
/// every holder of a Graph may rely on: monotone offsets, heads in range, no self-loops, no
/// parallel arcs, both directions of every edge with equal weights, weights >= 0, and total
/// vertex and arc weight below 2^62.
///
/// The arrays lie in host memory or on a GPU. Host accessors download them on first use.
class Graph {
 public:
  /// The graph without vertices.
  Graph();

  /// Checks `arrays` and throws GraphError naming the first culprit. Self-loops are dropped and
  /// parallel arcs added up, which copies the arrays; clean arrays are kept as they are.
  /// `threads` <= 0 uses all.
  static Graph from_csr(CsrArrays arrays, int threads = 0);

  /// A graph whose arrays stay where they are, on a GPU, and must not change while it exists; `copy` copies them on
  /// that GPU. They are checked there. Nothing comes back if a value does not fit, something is wrong, or there are
  /// self-loops or parallel arcs: from_csr says what, or cleans. Throws DeviceError and std::bad_alloc.
  static std::optional<Graph> from_device(DeviceCsrArrays const& arrays, bool copy);
  /// The same graph with its arrays on a GPU. Throws ConfigError if `device` is none, DeviceError and std::bad_alloc.
  Graph to_device(DeviceId const& device) const;
  /// The same graph, whose weights of vertices become the first of several; the others are
  /// [v * num_further + i], in host memory. Throws GraphError naming the first culprit.
  Graph with_further_weights(SharedArray<Weight> further, int num_further) const;
  /// Where the arrays lie: the host or a GPU. The second and further weights lie on the host in any case.
  DeviceId device() const;
  /// The arrays on that GPU, which keep them alive. Throws std::logic_error if they are in host memory.
  DeviceCsrArrays device_arrays() const;
  /// The arrays on that GPU; null if they are in host memory.
  std::shared_ptr<ResidentGraph const> const& resident() const { return resident_; }

  Vertex num_vertices() const { return num_vertices_; }
  Edge num_arcs() const { return num_arcs_; }
  Edge num_edges() const { return num_arcs() / 2; }

  std::span<Edge const> offsets() const { return host().offsets.span(); }
  std::span<Vertex const> heads() const { return host().heads.span(); }
  /// Empty when every edge weighs 1.
  std::span<Weight const> arc_weights() const { return host().arc_weights.span(); }
  /// Empty when every vertex weighs 1.
  std::span<Weight const> vertex_weights() const { return host().vertex_weights.span(); }

  /// Weights of a vertex, 1 unless several were given.
  int num_weights() const { return 1 + arrays_.num_further; }
  /// The second and further weights, [v * (num_weights() - 1) + i].
  std::span<Weight const> further_weights() const { return arrays_.further_weights.span(); }
  /// Sum over all vertices of weight `i`, and the largest; 0 is the first.
  Weight total_weight(int i) const {
    return i == 0 ? total_vertex_weight_ : further_totals_[static_cast<std::size_t>(i - 1)];
  }
  Weight max_weight(int i) const {
    return i == 0 ? max_vertex_weight_ : further_maxima_[static_cast<std::size_t>(i - 1)];
  }
  /// Weight `i` of a vertex.
  Weight weight_of(Vertex v, int i) const;

  bool has_arc_weights() const;
  bool has_vertex_weights() const;

  Weight total_vertex_weight() const { return total_vertex_weight_; }
  /// Sum over both directions of every edge.
  Weight total_arc_weight() const { return total_arc_weight_; }
  Weight max_vertex_weight() const { return max_vertex_weight_; }
  Edge max_degree() const { return max_degree_; }

 private:
  CsrArrays const& host() const;
  void keep_further(SharedArray<Weight> further, std::vector<VertexTotals> const& totals);

  CsrArrays arrays_;  // unless resident_; but further weights are here in any case
  std::shared_ptr<ResidentGraph const> resident_;
  Vertex num_vertices_ = 0;
  Edge num_arcs_ = 0;
  Weight total_vertex_weight_ = 0;
  Weight total_arc_weight_ = 0;
  Weight max_vertex_weight_ = 0;
  std::vector<Weight> further_totals_, further_maxima_;  // of the further weights
  Edge max_degree_ = 0;
};

}  // namespace procmap PROCMAP_API
