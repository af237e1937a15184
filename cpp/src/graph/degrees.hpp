// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// The arcs of vertex v, for passes that serve a vertex with the more lanes the more arcs it has.
struct DegreeOf {
  CsrView graph;
  PROCMAP_HD Edge operator()(Edge v) const { return graph.degree(static_cast<Vertex>(v)); }
};

/// ... of the i-th vertex of a list.
struct DegreeOfListed {
  CsrView graph;
  Vertex const* vertex = nullptr;
  PROCMAP_HD Edge operator()(Edge i) const { return graph.degree(vertex[i]); }
};

/// No vertex has more arcs than this; some vertex has as many, if `graph` is neither a part of another one nor has
/// lost arcs. Looks at all vertices if nobody counted yet.
template <HostExecutor Exec>
Edge largest_degree(Exec& ex, CsrView graph) {
  if (graph.max_degree != unknown_degree) return graph.max_degree;
  return graph.num_vertices == 0 ? 0 : ex.max(graph.num_vertices, DegreeOf{graph});
}

}  // namespace procmap
