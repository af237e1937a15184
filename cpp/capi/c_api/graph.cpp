// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "c_api/handles.hpp"
#include "procmap/io.hpp"

namespace procmap::capi {
namespace {

/// The arrays of a caller.
template <class Offset, class Head, class Value>
struct Rows {
  std::int64_t num_vertices;
  Offset const* offsets;
  Head const* heads;
  Value const* edge_weights;
  Value const* vertex_weights;
};

/// The number of arcs, after what has to be right before the arrays can be read at all.
template <class Offset, class Head, class Value>
std::int64_t checked_arcs(Rows<Offset, Head, Value> const& rows) {
  if (rows.num_vertices < 0 || rows.num_vertices > std::numeric_limits<Vertex>::max())
    throw ArgumentError("num_vertices = " + std::to_string(rows.num_vertices) + " is not in [0, 2^31)");
  required(rows.offsets, "offsets");
  std::int64_t const arcs = rows.offsets[rows.num_vertices];
  if (arcs < 0)
    throw GraphError("offsets[" + std::to_string(rows.num_vertices) + "] = " + std::to_string(arcs) + " is negative");
  if (arcs > 0) required(rows.heads, "heads");
  return arcs;
}

template <class To, class From>
std::vector<To> converted(From const* values, std::int64_t size) {
  return values ? std::vector<To>(values, values + size) : std::vector<To>();
}

/// A head that fits into no Vertex, such as 2^32, would become another one.
template <class Head>
void check_range(Head const* heads, std::int64_t arcs) {
  auto const end = heads + arcs;
  auto const wrong = std::find_if(heads, end, [](Head head) { return !std::in_range<Vertex>(head); });
  if (wrong != end)
    throw GraphError("arc " + std::to_string(wrong - heads) + ": head " + std::to_string(*wrong) + " is out of range");
}

template <class Index>
Graph copied(Rows<Index, Index, Index> const& rows) {
  auto const arcs = checked_arcs(rows);
  if constexpr (sizeof(Index) > sizeof(Vertex)) check_range(rows.heads, arcs);
  return Graph::from_csr({converted<Edge>(rows.offsets, rows.num_vertices + 1), converted<Vertex>(rows.heads, arcs),
                          converted<Weight>(rows.edge_weights, arcs),
                          converted<Weight>(rows.vertex_weights, rows.num_vertices)});
}

template <class T>
SharedArray<T> borrowed(T const* values, std::int64_t size) {
  // The owner is the caller: this pointer owns nothing.
  if (values == nullptr) return {};
  return {std::span(values, static_cast<std::size_t>(size)), std::shared_ptr<void const>()};
}

/// The same arrays but for the weights of vertices, of which `weights` has `count` per vertex.
Graph weighted(Graph const& graph, int count, int64_t const* weights) {
  if (count < 1 || count > max_vertex_weights)
    throw ArgumentError("num_weights = " + std::to_string(count) + " is not in [1, " +
                        std::to_string(max_vertex_weights) + "]");
  if (graph.num_vertices() > 0) required(weights, "vertex_weights");
  auto const owner = std::make_shared<Graph const>(graph);
  CsrArrays arrays{
      {owner->offsets(), owner}, {owner->heads(), owner}, {owner->arc_weights(), owner}, {}, {}, count - 1};
  auto const n = static_cast<std::size_t>(graph.num_vertices());
  auto const row = static_cast<std::size_t>(count);
  std::vector<Weight> first(n), further;
  further.reserve(n * (row - 1));
  for (std::size_t v = 0; v < n; ++v) {
    first[v] = weights[v * row];
    further.insert(further.end(), weights + v * row + 1, weights + (v + 1) * row);
  }
  arrays.vertex_weights = std::move(first);
  arrays.further_weights = std::move(further);
  return Graph::from_csr(std::move(arrays));
}

}  // namespace
}  // namespace procmap::capi

using namespace procmap::capi;

procmap_status procmap_graph_create_i32(int64_t num_vertices, int32_t const* offsets, int32_t const* heads,
                                        int32_t const* edge_weights, int32_t const* vertex_weights,
                                        procmap_graph** graph) {
  return create(graph, "graph", [&] {
    return copied(Rows<int32_t, int32_t, int32_t>{num_vertices, offsets, heads, edge_weights, vertex_weights});
  });
}

procmap_status procmap_graph_create_i64(int64_t num_vertices, int64_t const* offsets, int64_t const* heads,
                                        int64_t const* edge_weights, int64_t const* vertex_weights,
                                        procmap_graph** graph) {
  return create(graph, "graph", [&] {
    return copied(Rows<int64_t, int64_t, int64_t>{num_vertices, offsets, heads, edge_weights, vertex_weights});
  });
}

procmap_status procmap_graph_wrap(int64_t num_vertices, int64_t const* offsets, int32_t const* heads,
                                  int64_t const* edge_weights, int64_t const* vertex_weights, procmap_graph** graph) {
  return create(graph, "graph", [&] {
    auto const arcs =
        checked_arcs(Rows<int64_t, int32_t, int64_t>{num_vertices, offsets, heads, edge_weights, vertex_weights});
    return procmap::Graph::from_csr({borrowed(offsets, num_vertices + 1), borrowed(heads, arcs),
                                     borrowed(edge_weights, arcs), borrowed(vertex_weights, num_vertices)});
  });
}

procmap_status procmap_graph_read_metis(char const* path, procmap_graph** graph) {
  return create(graph, "graph", [&] { return procmap::read_metis(&required(path, "path")); });
}

procmap_status procmap_graph_with_weights(procmap_graph const* graph, int num_weights, int64_t const* vertex_weights,
                                          procmap_graph** result) {
  return create(result, "result",
                [&] { return weighted(required(graph, "graph").graph, num_weights, vertex_weights); });
}

void procmap_graph_free(procmap_graph* graph) { delete graph; }

int64_t procmap_graph_num_vertices(procmap_graph const* graph) { return graph ? graph->graph.num_vertices() : 0; }

int64_t procmap_graph_num_edges(procmap_graph const* graph) { return graph ? graph->graph.num_edges() : 0; }

int64_t procmap_graph_total_vertex_weight(procmap_graph const* graph) {
  return graph ? graph->graph.total_vertex_weight() : 0;
}

int procmap_graph_num_weights(procmap_graph const* graph) { return graph ? graph->graph.num_weights() : 0; }

int64_t procmap_graph_total_weight(procmap_graph const* graph, int weight) {
  bool const there = graph && weight >= 0 && weight < graph->graph.num_weights();
  return there ? graph->graph.total_weight(weight) : 0;
}
