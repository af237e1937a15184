// SPDX-License-Identifier: MIT
#include "graph/host_graph.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace procmap {

HostGraph with_sorted_rows(HostGraph graph) {
  std::vector<std::pair<Vertex, Weight>> row;
  for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v) {
    auto const begin = static_cast<std::size_t>(graph.offsets[v]), end = static_cast<std::size_t>(graph.offsets[v + 1]);
    row.clear();
    for (auto e = begin; e < end; ++e) row.emplace_back(graph.heads[e], graph.arc_weights[e]);
    std::sort(row.begin(), row.end());
    for (auto e = begin; e < end; ++e) std::tie(graph.heads[e], graph.arc_weights[e]) = row[e - begin];
  }
  return graph;
}

ScopeSubgraphs split_by_scope(HostGraph const& graph, std::vector<Block> const& scope, Block num_scopes) {
  auto const view = graph.view();
  ScopeSubgraphs parts;
  parts.graph.resize(static_cast<std::size_t>(num_scopes));
  parts.vertices.resize(static_cast<std::size_t>(num_scopes));
  std::vector<Vertex> local(scope.size());
  for (std::size_t v = 0; v < scope.size(); ++v) {
    auto& members = parts.vertices[static_cast<std::size_t>(scope[v])];
    local[v] = static_cast<Vertex>(members.size());
    members.push_back(static_cast<Vertex>(v));
  }
  for (std::size_t s = 0; s < parts.graph.size(); ++s) {
    auto& part = parts.graph[s];
    part.num_loads = graph.num_loads;
    for (Vertex const v : parts.vertices[s]) {
      for (Edge e = view.begin(v); e < view.end(v); ++e) {
        auto const head = static_cast<std::size_t>(view.heads[e]);
        if (scope[head] != static_cast<Block>(s)) continue;
        part.heads.push_back(local[head]);
        part.arc_weights.push_back(view.arc_weight(e));
      }
      part.offsets.push_back(static_cast<Edge>(part.heads.size()));
      part.vertex_weights.push_back(view.vertex_weight(v));
      for (int i = 0; i < view.num_loads; ++i) part.loads.push_back(view.load(v, i));
    }
  }
  return parts;
}

}  // namespace procmap
