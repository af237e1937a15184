// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/atomic.hpp"
#include "graph/degrees.hpp"
#include "graph/owned_graph.hpp"

namespace procmap {

/// The arcs of `graph` that stay within a scope.
template <HostExecutor Exec>
OwnedGraph<Exec> drop_cross_arcs(Exec& ex, CsrView graph, Block const* scope) {
  Phase phase(ex.run(), "drop cross arcs");
  auto const n = static_cast<std::size_t>(graph.num_vertices);
  OwnedGraph<Exec> kept;
  kept.num_vertices = graph.num_vertices;
  kept.max_degree = graph.max_degree;
  kept.offsets = ex.template buffer<Edge>(n + 1);
  auto next_buffer = ex.template buffer<Edge>(n);
  auto* const offsets = kept.offsets.data();
  auto* const next = next_buffer.data();
  ex.for_each_in_group(graph.num_vertices, DegreeOf{graph}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    Edge count = 0;
    for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size())
      count += scope[graph.heads[e]] == scope[v] ? 1 : 0;
    count = group.sum(count);
    if (group.rank() == 0) next[v] = count;
  });
  kept.num_arcs = ex.scan(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) { return next[v]; }, offsets);
  ex.copy(offsets, graph.num_vertices, next);
  auto const arcs = static_cast<std::size_t>(kept.num_arcs);
  kept.heads = ex.template buffer<Vertex>(arcs);
  kept.arc_weights = ex.template buffer<Weight>(graph.arc_weights ? arcs : 0);
  kept.narrow_arc_weights = ex.template buffer<NarrowWeight>(graph.narrow_arc_weights ? arcs : 0);
  kept.vertex_weights = ex.template buffer<Weight>(graph.vertex_weights ? n : 0);
  auto* const heads = kept.heads.data();
  auto* const arc_weights = kept.arc_weights.data();
  auto* const narrow_weights = kept.narrow_arc_weights.data();
  // The order of the arcs of a vertex carries no meaning.
  ex.for_each_in_group(graph.num_vertices, DegreeOf{graph}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) {
      if (scope[graph.heads[e]] != scope[v]) continue;
      Edge const out = group.size() == 1 ? next[v]++ : fetch_add(&next[v], 1);
      heads[out] = graph.heads[e];
      if (graph.arc_weights) arc_weights[out] = graph.arc_weights[e];
      if (graph.narrow_arc_weights) narrow_weights[out] = graph.narrow_arc_weights[e];
    }
  });
  if (graph.vertex_weights) ex.copy(graph.vertex_weights, graph.num_vertices, kept.vertex_weights.data());
  kept.borrowed_loads = graph.loads;
  kept.num_loads = graph.num_loads;
  return kept;
}

/// Do all vertices weigh so much?
template <HostExecutor Exec>
bool all_weigh(Exec& ex, CsrView graph, Weight each) {
  if (!graph.vertex_weights) return each == 1;
  return ex.sum(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) -> Weight { return graph.vertex_weights[v] != each; }) ==
         0;
}

template <HostExecutor Exec>
bool has_unit_weights(Exec& ex, CsrView graph) {
  return all_weigh(ex, graph, 1);
}

/// The loads of `num_scopes` scopes.
template <HostExecutor Exec>
std::vector<Weight> scope_weights(Exec& ex, CsrView graph, Block const* scope, Block num_scopes) {
  auto buffer = ex.template buffer<Weight>(static_cast<std::size_t>(num_scopes));
  auto* const weight = buffer.data();
  ex.fill(weight, num_scopes, Weight{0});
  ex.for_each(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) {
    contended_add(&weight[scope ? scope[v] : 0], graph.vertex_weight(static_cast<Vertex>(v)));
  });
  std::vector<Weight> host(static_cast<std::size_t>(num_scopes));
  ex.download(weight, num_scopes, host.data());
  return host;
}

/// The loads of `num_scopes` scopes in every of several weights, [scope * num_loads + i].
template <HostExecutor Exec>
std::vector<Weight> scope_loads(Exec& ex, CsrView graph, Block const* scope, Block num_scopes) {
  if (graph.num_loads == 0) return {};
  auto const size = static_cast<std::size_t>(num_scopes) * static_cast<std::size_t>(graph.num_loads);
  auto buffer = ex.template buffer<Weight>(size);
  auto* const sum = buffer.data();
  ex.fill(sum, static_cast<Edge>(size), Weight{0});
  int const loads = graph.num_loads;
  ex.for_each(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) {
    for (int i = 0; i < loads; ++i)
      atomic_add(&sum[Edge{scope ? scope[v] : 0} * loads + i], graph.load(static_cast<Vertex>(v), i));
  });
  std::vector<Weight> host(size);
  ex.download(sum, static_cast<Edge>(size), host.data());
  return host;
}

}  // namespace procmap
