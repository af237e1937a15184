// SPDX-License-Identifier: MIT
#include "initial/host_graph.hpp"

namespace procmap {

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
    for (Vertex const v : parts.vertices[s]) {
      for (Edge e = view.begin(v); e < view.end(v); ++e) {
        auto const head = static_cast<std::size_t>(view.heads[e]);
        if (scope[head] != static_cast<Block>(s)) continue;
        part.heads.push_back(local[head]);
        part.arc_weights.push_back(view.arc_weight(e));
      }
      part.offsets.push_back(static_cast<Edge>(part.heads.size()));
      part.vertex_weights.push_back(view.vertex_weight(v));
    }
  }
  return parts;
}

}  // namespace procmap
