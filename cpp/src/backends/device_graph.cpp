// SPDX-License-Identifier: MIT
#include <utility>

#include "backends/registry.hpp"
#include "graph/resident.hpp"
#include "procmap/error.hpp"
#include "procmap/graph.hpp"

// Graphs on devices: graph/ knows none of the backends that this takes.

namespace procmap {

std::optional<Graph> Graph::from_device(DeviceCsrArrays const& arrays, bool copy) {
  auto adopted = memory_of(arrays.offsets.device).adopt(arrays, copy);
  if (!adopted.graph) return {};
  Graph graph;
  graph.num_vertices_ = adopted.graph->view().num_vertices;
  graph.num_arcs_ = adopted.graph->view().num_arcs;
  graph.total_vertex_weight_ = adopted.facts.total_vertex_weight;
  graph.max_vertex_weight_ = adopted.facts.max_vertex_weight;
  graph.total_arc_weight_ = adopted.facts.total_arc_weight;
  graph.max_degree_ = adopted.facts.max_degree;
  graph.resident_ = std::move(adopted.graph);
  return graph;
}

Graph Graph::to_device(DeviceId const& device) const {
  if (device == this->device()) return *this;
  auto graph = *this;
  graph.resident_ = memory_of(device).upload(*this, device.ordinal);
  graph.arrays_ = CsrArrays{};
  graph.arrays_.further_weights = arrays_.further_weights;
  graph.arrays_.num_further = arrays_.num_further;
  return graph;
}

}  // namespace procmap
