// SPDX-License-Identifier: MIT
#include "procmap/graph.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include "graph/check.hpp"
#include "graph/chunks.hpp"
#include "graph/resident.hpp"

namespace procmap {

Graph::Graph() { arrays_.offsets = std::vector<Edge>{0}; }

Graph Graph::from_csr(CsrArrays arrays, int threads) {
  threads = resolve_threads(threads);
  check_shape(arrays, threads);
  auto const given = view_of(arrays);
  auto const several =
      check_several_weights(arrays.vertex_weights.span(), arrays.further_weights.span(), arrays.num_further);
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
  graph.keep_further(arrays.further_weights, several);
  graph.total_arc_weight_ = totals.weight;
  graph.max_degree_ = totals.max_degree;
  return graph;
}

Graph Graph::with_further_weights(SharedArray<Weight> further, int num_further) const {
  auto const first = vertex_weights();
  check_further_shape(num_vertices_, first.size(), further.size(), num_further);
  auto graph = *this;
  auto const totals = check_several_weights(first, further.span(), num_further);
  graph.keep_further(std::move(further), totals);
  return graph;
}

void Graph::keep_further(SharedArray<Weight> further, std::vector<VertexTotals> const& totals) {
  arrays_.num_further = totals.empty() ? 0 : static_cast<int>(totals.size()) - 1;
  arrays_.further_weights = std::move(further);
  further_totals_.clear();
  further_maxima_.clear();
  for (std::size_t i = 1; i < totals.size(); ++i) {
    further_totals_.push_back(totals[i].total);
    further_maxima_.push_back(totals[i].max);
  }
}

DeviceId Graph::device() const { return resident_ ? resident_->device() : DeviceId{}; }

DeviceCsrArrays Graph::device_arrays() const {
  if (!resident_) throw std::logic_error("the arrays of the graph are in host memory");
  auto const view = resident_->view();
  auto const share = [this](void const* data, Edge size, ElementType type) {
    return data ? DeviceArray{data, size, type, device(), resident_} : DeviceArray{};
  };
  return {share(view.offsets, Edge{view.num_vertices} + 1, ElementType::int64),
          share(view.heads, view.num_arcs, ElementType::int32),
          share(view.arc_weights, view.num_arcs, ElementType::int64),
          share(view.vertex_weights, view.num_vertices, ElementType::int64),
          {}};
}

Weight Graph::weight_of(Vertex v, int i) const {
  if (i == 0) return vertex_weights().empty() ? 1 : vertex_weights()[static_cast<std::size_t>(v)];
  auto const further = static_cast<std::size_t>(arrays_.num_further);
  return arrays_.further_weights[static_cast<std::size_t>(v) * further + static_cast<std::size_t>(i - 1)];
}

bool Graph::has_arc_weights() const {
  return resident_ ? resident_->view().arc_weights != nullptr : !arrays_.arc_weights.empty();
}

bool Graph::has_vertex_weights() const {
  return resident_ ? resident_->view().vertex_weights != nullptr : !arrays_.vertex_weights.empty();
}

CsrArrays const& Graph::host() const { return resident_ ? resident_->host() : arrays_; }

}  // namespace procmap
