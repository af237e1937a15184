// SPDX-License-Identifier: MIT
#pragma once

#include "core/hd.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// What holds single vertices where they are, beside their arcs: fixed vertices never move, and leaving home costs
/// something. Home is where a vertex came from when an existing mapping is improved. Every array may be null.
struct AnchorsView {
  Block const* fixed = nullptr;  // anything but no_block: the vertex stays where it is
  Block const* home = nullptr;
  Weight const* pull = nullptr;  // what being away from home costs, on the scale of gains (every edge once)

  /// A block that v may want without a neighbour there; no_block if there is none.
  PROCMAP_HD Block home_of(Vertex v) const { return home ? home[v] : no_block; }
  PROCMAP_HD bool holds(Vertex v) const { return fixed && fixed[v] != no_block; }
  /// What v saves by being in b.
  PROCMAP_HD Weight affinity(Vertex v, Block b) const { return home && home[v] == b ? pull[v] : 0; }
  /// What v costs in b, on the scale of costs (every edge twice).
  PROCMAP_HD Weight cost(Vertex v, Block b) const { return home && home[v] != b ? 2 * pull[v] : 0; }
};

}  // namespace procmap
