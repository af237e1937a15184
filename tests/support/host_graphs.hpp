// SPDX-License-Identifier: MIT
#pragma once

#include "graph/host_graph.hpp"
#include "support/reference.hpp"

namespace procmap::test {

/// The graph with all weights written out.
inline HostGraph host_graph(Csr const& csr) {
  HostGraph host{csr.offsets, csr.heads, csr.arc_weights, csr.vertex_weights};
  host.arc_weights.resize(csr.heads.size(), 1);
  host.vertex_weights.resize(at(csr.num_vertices()), 1);
  return host;
}

}  // namespace procmap::test
