// SPDX-License-Identifier: MIT
#pragma once

#include "graph/csr_view.hpp"
#include "support/graphs.hpp"

namespace procmap::test {

/// What algorithms see of a graph: valid as long as that is.
inline CsrView view_of(Csr const& csr) {
  auto const weights = [](std::vector<Weight> const& w) { return w.empty() ? nullptr : w.data(); };
  return {csr.num_vertices(),       static_cast<Edge>(csr.heads.size()), csr.offsets.data(), csr.heads.data(),
          weights(csr.arc_weights), weights(csr.vertex_weights)};
}

inline CsrView view_of(Graph const& graph) {
  auto const weights = [](auto span) { return span.empty() ? nullptr : span.data(); };
  return {graph.num_vertices(),         graph.num_arcs(),
          graph.offsets().data(),       graph.heads().data(),
          weights(graph.arc_weights()), weights(graph.vertex_weights())};
}

}  // namespace procmap::test
