// SPDX-License-Identifier: MIT
#include "procmap/graph.hpp"

#include <utility>
#include <vector>

#include "backends.hpp"
#include "graph/check.hpp"
#include "graph/chunks.hpp"
#include "graph/examine.hpp"
#include "graph/resident.hpp"

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

  graph.num_arcs_ = static_cast<Edge>(graph.arrays_.heads.size());
  graph.num_vertices_ = given.num_vertices;
  graph.total_vertex_weight_ = loads.total;
  graph.max_vertex_weight_ = loads.max;
  graph.total_arc_weight_ = totals.weight;
  graph.max_degree_ = totals.max_degree;
  return graph;
}

std::optional<Graph> Graph::from_device(DeviceCsrArrays const& arrays, bool copy) {
  GraphFacts facts;
  auto resident = adopt_on_cuda(arrays, copy, facts);
  if (!resident) return {};
  Graph graph;
  graph.num_vertices_ = resident->view().num_vertices;
  graph.num_arcs_ = resident->view().num_arcs;
  graph.total_vertex_weight_ = facts.total_vertex_weight;
  graph.max_vertex_weight_ = facts.max_vertex_weight;
  graph.total_arc_weight_ = facts.total_arc_weight;
  graph.max_degree_ = facts.max_degree;
  graph.resident_ = std::move(resident);
  return graph;
}

Graph Graph::to_device(int device) const {
  if (device == this->device()) return *this;
  auto graph = *this;
  graph.resident_ = upload_to_cuda(*this, device);
  graph.arrays_ = {};
  return graph;
}

int Graph::device() const { return resident_ ? resident_->device() : -1; }

bool Graph::has_arc_weights() const {
  return resident_ ? resident_->view().arc_weights != nullptr : !arrays_.arc_weights.empty();
}

bool Graph::has_vertex_weights() const {
  return resident_ ? resident_->view().vertex_weights != nullptr : !arrays_.vertex_weights.empty();
}

CsrArrays const& Graph::host() const { return resident_ ? resident_->host() : arrays_; }

}  // namespace procmap
