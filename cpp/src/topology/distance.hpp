// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "procmap/topology.hpp"

namespace procmap {

/// Level (1 = innermost) at which two PEs first meet, 0 if they are the same.
inline int meeting_level(Hierarchy const& machine, Block a, Block b) {
  int level = 0;
  for (; a != b; ++level) {
    a /= machine.sizes[static_cast<std::size_t>(level)];
    b /= machine.sizes[static_cast<std::size_t>(level)];
  }
  return level;
}

// The distance of two different PEs by definition; objective/ has the same for inner loops.

inline Weight distance(Hierarchy const& machine, Block a, Block b) {
  return machine.distances[static_cast<std::size_t>(meeting_level(machine, a, b)) - 1];
}

inline Weight distance(Grid const& grid, Block a, Block b) {
  auto const dimensions = grid.sizes.size();
  auto const* const from = grid.coordinates.data() + static_cast<std::size_t>(a) * dimensions;
  auto const* const to = grid.coordinates.data() + static_cast<std::size_t>(b) * dimensions;
  Weight total = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    Block const steps = std::abs(from[i] - to[i]);
    total += grid.costs[i] * (grid.wraps[i] ? std::min(steps, grid.sizes[i] - steps) : steps);
  }
  return total;
}

inline Weight distance(DistanceTable const& table, Block a, Block b) {
  auto const x = static_cast<std::size_t>(table.node_of_pe[static_cast<std::size_t>(a)]);
  auto const y = static_cast<std::size_t>(table.node_of_pe[static_cast<std::size_t>(b)]);
  return table.distances[x * static_cast<std::size_t>(table.num_nodes) + y];
}

}  // namespace procmap
