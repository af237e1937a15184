// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graph/host_graph.hpp"

namespace procmap {

/// A graph each of whose small connected components has become one vertex.
struct SmallComponents {
  HostGraph graph;                // components 0 .. count - 1, then the vertices of the other components
  Vertex count = 0;
  std::vector<Vertex> vertex_of;  // in `graph`, of every vertex

  bool is_component(Vertex v) const { return v < count; }
};

/// Small are components that weigh at most `most` and hold nobody who is fixed. Nothing is returned unless they have
/// half of the weight at least. `fixed` as in recursive_bisection().
std::optional<SmallComponents> small_components(CsrView graph, Weight most, std::span<Block const> fixed);

}  // namespace procmap
