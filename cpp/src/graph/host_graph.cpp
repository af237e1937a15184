// SPDX-License-Identifier: MIT
#include "graph/host_graph.hpp"

namespace procmap {

namespace {

/// The vertices of a scope and the arcs between them. `local`: of every vertex, its place among those of its scope.
HostGraph subgraph(HostGraph const& graph, std::vector<Block> const& scope, std::vector<Vertex> const& local,
                   std::vector<Vertex> const& vertices) {
  auto const view = graph.view();
  HostGraph part;
  part.num_loads = graph.num_loads;
  std::size_t most_arcs = 0;
  for (Vertex const v : vertices) most_arcs += static_cast<std::size_t>(view.degree(v));
  part.heads.reserve(most_arcs);
  part.arc_weights.reserve(most_arcs);
  part.offsets.reserve(vertices.size() + 1);
  part.vertex_weights.reserve(vertices.size());
  for (Vertex const v : vertices) {
    for (Edge e = view.begin(v); e < view.end(v); ++e) {
      auto const head = static_cast<std::size_t>(view.heads[e]);
      if (scope[head] != scope[static_cast<std::size_t>(v)]) continue;
      part.heads.push_back(local[head]);
      part.arc_weights.push_back(view.arc_weight(e));
    }
    part.offsets.push_back(static_cast<Edge>(part.heads.size()));
    part.vertex_weights.push_back(view.vertex_weight(v));
    for (int i = 0; i < view.num_loads; ++i) part.loads.push_back(view.load(v, i));
  }
  return part;
}

}  // namespace

ScopeSubgraphs split_by_scope(HostGraph const& graph, std::vector<Block> const& scope, Block num_scopes,
                              HostTeam const& team) {
  ScopeSubgraphs parts;
  parts.graph.resize(static_cast<std::size_t>(num_scopes));
  parts.vertices.resize(static_cast<std::size_t>(num_scopes));
  std::vector<Vertex> local(scope.size());
  for (std::size_t v = 0; v < scope.size(); ++v) {
    auto& members = parts.vertices[static_cast<std::size_t>(scope[v])];
    local[v] = static_cast<Vertex>(members.size());
    members.push_back(static_cast<Vertex>(v));
  }
  team.for_each_job(num_scopes, [&](Edge job) {
    auto const s = static_cast<std::size_t>(job);
    parts.graph[s] = subgraph(graph, scope, local, parts.vertices[s]);
  });
  return parts;
}

}  // namespace procmap
