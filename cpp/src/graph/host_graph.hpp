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

/// Copies offsets and heads to the host; waits for the machine.
template <HostExecutor Exec>
HostGraph download_rows(Exec& ex, CsrView graph) {
  HostGraph host;
  host.offsets.resize(static_cast<std::size_t>(graph.num_vertices) + 1);
  host.heads.resize(static_cast<std::size_t>(graph.num_arcs));
  ex.download(graph.offsets, graph.num_vertices + 1, host.offsets.data());
  ex.download(graph.heads, graph.num_arcs, host.heads.data());
  host.max_degree = graph.max_degree;
  return host;
}

/// Weights of `count` arcs from `first` on, on the host. Missing ones are 1.
template <HostExecutor Exec>
std::vector<Weight> download_arc_weights(Exec& ex, CsrView graph, Edge first, Edge count) {
  std::vector<Weight> weights(static_cast<std::size_t>(count), 1);
  if (graph.narrow_arc_weights) {
    std::vector<NarrowWeight> narrow(weights.size());
    ex.download(graph.narrow_arc_weights + first, count, narrow.data());
    weights.assign(narrow.begin(), narrow.end());
  } else if (graph.arc_weights) {
    ex.download(graph.arc_weights + first, count, weights.data());
  }
  return weights;
}

/// Copies a graph to the host; waits for the machine. Missing weights become 1.
template <HostExecutor Exec>
HostGraph download_graph(Exec& ex, CsrView graph) {
  HostGraph host = download_rows(ex, graph);
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  host.arc_weights = download_arc_weights(ex, graph, 0, graph.num_arcs);
  host.vertex_weights.assign(n, 1);
  if (graph.vertex_weights) ex.download(graph.vertex_weights, graph.num_vertices, host.vertex_weights.data());
  host.num_loads = graph.num_loads;
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
