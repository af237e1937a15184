// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "exec/executor.hpp"
#include "exec/host_team.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// A graph in host memory.
struct HostGraph {
  std::vector<Edge> offsets{0};
  std::vector<Vertex> heads;
  std::vector<Weight> arc_weights;
  std::vector<Weight> vertex_weights;
  std::vector<Weight> loads = {};  // of several weights, as in CsrView
  int num_loads = 0;
  Edge max_degree = unknown_degree;  // as in CsrView

  CsrView view() const {
    return {static_cast<Vertex>(offsets.size() - 1),
            static_cast<Edge>(heads.size()),
            offsets.data(),
            heads.data(),
            arc_weights.data(),
            vertex_weights.data(),
            num_loads > 0 ? loads.data() : nullptr,
            num_loads,
            nullptr,
            max_degree};
  }
};

/// Copies a graph to the host; waits for the machine. Missing weights become 1.
template <HostExecutor Exec>
HostGraph download_graph(Exec& ex, CsrView graph) {
  HostGraph host;
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  auto const arcs = static_cast<std::size_t>(graph.num_arcs);
  host.offsets.resize(n + 1);
  host.heads.resize(arcs);
  host.vertex_weights.assign(n, 1);
  ex.download(graph.offsets, graph.num_vertices + 1, host.offsets.data());
  ex.download(graph.heads, graph.num_arcs, host.heads.data());
  if (graph.narrow_arc_weights) {
    std::vector<NarrowWeight> narrow(arcs);
    ex.download(graph.narrow_arc_weights, graph.num_arcs, narrow.data());
    host.arc_weights.assign(narrow.begin(), narrow.end());
  } else {
    host.arc_weights.assign(arcs, 1);
    if (graph.arc_weights) ex.download(graph.arc_weights, graph.num_arcs, host.arc_weights.data());
  }
  if (graph.vertex_weights) ex.download(graph.vertex_weights, graph.num_vertices, host.vertex_weights.data());
  host.num_loads = graph.num_loads;
  host.max_degree = graph.max_degree;
  host.loads.resize(n * static_cast<std::size_t>(graph.num_loads));
  if (graph.num_loads > 0) ex.download(graph.loads, static_cast<Edge>(host.loads.size()), host.loads.data());
  return host;
}

/// A label of each of n vertices, on the host; empty if there are none.
template <HostExecutor Exec>
std::vector<Block> download_labels(Exec& ex, Block const* label, Vertex n) {
  std::vector<Block> labels(label ? static_cast<std::size_t>(n) : 0);
  if (label) ex.download(label, n, labels.data());
  return labels;
}

/// The subgraph of every scope: its vertices in order of id, and arcs between them.
struct ScopeSubgraphs {
  std::vector<HostGraph> graph;               // per scope
  std::vector<std::vector<Vertex>> vertices;  // per scope: id in the whole graph
};

ScopeSubgraphs split_by_scope(HostGraph const& graph, std::vector<Block> const& scope, Block num_scopes,
                              HostTeam const& team = {});

}  // namespace procmap
