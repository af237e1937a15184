// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "graph/csr_view.hpp"

namespace procmap {

/// Points in space, one per vertex of a graph.
struct Layout {
  std::size_t axes = 0;
  std::vector<double> at;  // [vertex * axes + axis]

  double of(Vertex v, std::size_t axis) const { return at[static_cast<std::size_t>(v) * axes + axis]; }
};

/// Points that lie about as far apart as their vertices in steps along arcs, the longest axis first (algorithm: Pivot
/// MDS, Brandes and Pich 2006). The same on every machine: sums have a fixed order, and products are not fused.
Layout lay_out(CsrView host_graph, std::size_t axes);

/// The same points, turned about the origin: as they are for `turn` 0, otherwise by chance.
Layout turned(Layout const& layout, int turn);

}  // namespace procmap
