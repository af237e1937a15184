// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/config.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// One split of every level instead of several that are combined.
inline void without_populations(MultisectionConfig& config) {
  config.population_outer = config.population_middle = config.population_inner = config.population_even = 1;
}

/// Whether splits of a population are made of a graph itself and not of a coarse one.
inline bool splits_graph_itself(MultisectionConfig const& config, Vertex num_vertices, Edge num_arcs) {
  constexpr Edge most_arcs = 32;  // per vertex
  Edge const most = config.population_vertices;
  return num_vertices <= most && num_arcs <= most_arcs * most;
}

}  // namespace procmap
