// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "metis.h"
#include "procmap/procmap.h"

namespace procmap_metis {

struct Free {
  void operator()(procmap_graph* graph) const { procmap_graph_free(graph); }
  void operator()(procmap_topology* topology) const { procmap_topology_free(topology); }
  void operator()(procmap_options* options) const { procmap_options_free(options); }
  void operator()(procmap_report* report) const { procmap_report_free(report); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

/// Arrays as METIS's callers give them. Numbers count from `first`; weights may be NULL: all 1.
struct Arrays {
  std::int64_t vertices = 0;
  idx_t first = 0;
  idx_t const* xadj = nullptr;
  idx_t const* adjncy = nullptr;
  idx_t const* vwgt = nullptr;  ///< `constraints` of every vertex
  idx_t const* adjwgt = nullptr;
  int constraints = 1;
};

/// A graph for procmap, and the arrays that it reads. Counts from 0.
struct TaskGraph {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> heads;
  std::vector<std::int64_t> edge_weights;    ///< empty: all 1
  std::vector<std::int64_t> vertex_weights;  ///< columns.size() of every vertex; empty: all 1
  /// The caller's constraints that there is something of: where nobody weighs anything, parts are always equal.
  std::vector<int> columns{0};
  Handle<procmap_graph> handle;

  std::int64_t vertices() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t arcs() const { return offsets.back(); }
  std::int64_t edge_weight(std::int64_t arc) const {
    return edge_weights.empty() ? 1 : edge_weights[static_cast<std::size_t>(arc)];
  }
  std::int64_t vertex_weight(std::int64_t vertex, std::size_t column) const {
    return vertex_weights.empty() ? 1 : vertex_weights[static_cast<std::size_t>(vertex) * columns.size() + column];
  }
};

/// Copies and checks the arrays. METIS takes arcs without their reverse, half an edge each: so does this, by weighing
/// every edge with the sum of both directions. Throws Failure naming the first culprit.
TaskGraph task_graph(Arrays const& arrays);

/// As METIS counts: the weights of all arcs between parts, halved.
std::int64_t edge_cut(TaskGraph const& graph, std::vector<std::int32_t> const& part);

/// columns.size() of every part.
std::vector<std::int64_t> part_weights(TaskGraph const& graph, std::vector<std::int32_t> const& part,
                                       std::int64_t parts);

}  // namespace procmap_metis
