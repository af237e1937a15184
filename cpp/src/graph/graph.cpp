// SPDX-License-Identifier: MIT
#include "procmap/graph.hpp"

#include <utility>
#include <vector>

#include "graph/check.hpp"
#include "graph/chunks.hpp"

namespace procmap {

Graph::Graph() { arrays_.offsets = std::vector<Edge>{0}; }

Graph Graph::from_csr(CsrArrays arrays, int threads) {
  threads = resolve_threads(threads);
  check_shape(arrays, threads);
  auto const given = view_of(arrays);
  auto const loads = check_vertex_weights(given, threads);
  auto totals = check_rows(given, threads);

  Graph graph;
  graph.arrays_ = arrays;
  std::vector<Edge> kept;
  if (count_neighbours(given, totals, threads, kept) < given.num_arcs) {
    graph.arrays_ = merge_arcs(arrays, totals, std::move(kept), threads);
    totals = check_rows(view_of(graph.arrays_), threads);
  }
  // The arrays as given, because the message speaks of their positions.
  if (!totals.symmetric()) throw_asymmetry(given);

  graph.num_vertices_ = given.num_vertices;
  graph.total_vertex_weight_ = loads.total;
  graph.max_vertex_weight_ = loads.max;
  graph.total_arc_weight_ = totals.weight;
  graph.max_degree_ = totals.max_degree;
  return graph;
}

}  // namespace procmap
