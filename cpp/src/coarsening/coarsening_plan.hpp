// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "coarsening/skew.hpp"
#include "procmap/config.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// What coarsening may do and where it ends.
struct CoarseningGoal {
  Vertex target_vertices = 0;  // stop at or below this
  Weight max_weight = 0;       // of a coarse vertex
  Edge few_arcs = -1;          // stop at or below this, too: somebody else goes on; -1: nobody does
  Skew skew = {};
};

/// How a graph is coarsened.
struct CoarseningPlan {
  CoarseningGoal goal;
  CoarseningConfig config;
  std::uint64_t seed = 0;
  int levels_before = 0;  // of the same hierarchy, made by somebody else
};

}  // namespace procmap
