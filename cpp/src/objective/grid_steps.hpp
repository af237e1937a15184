// SPDX-License-Identifier: MIT
#pragma once

#include "core/hd.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances of a torus or mesh, computed from coordinates.
struct GridSteps {
  int num_dimensions = 0;
  Block period[Topology::max_dimensions] = {};  // steps once around; twice the size if it does not wrap
  Weight cost[Topology::max_dimensions] = {};   // of a step
  Block const* coordinate = nullptr;            // [b * num_dimensions + i]

  PROCMAP_HD Weight distance(Block a, Block b) const {
    Block const* const from = coordinate + Edge{a} * num_dimensions;
    Block const* const to = coordinate + Edge{b} * num_dimensions;
    Weight total = 0;
    for (int i = 0; i < num_dimensions; ++i) {
      Block const steps = from[i] < to[i] ? to[i] - from[i] : from[i] - to[i];
      Block const back = period[i] - steps;
      total += cost[i] * (steps < back ? steps : back);
    }
    return total;
  }
};

}  // namespace procmap
