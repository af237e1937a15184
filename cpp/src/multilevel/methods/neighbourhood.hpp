// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/coarsen.hpp"

namespace procmap {

/// Does the graph fill space rather than a surface? On coarse levels vertices of plane graphs have fewer than six
/// neighbours, those of meshes in space nine to fifteen, and those of irregular graphs more (measured).
template <HostExecutor Exec>
bool has_many_neighbours(Exec& ex, CsrView graph, Weight total_weight, CoarseningConfig const& config,
                         std::uint64_t seed) {
  constexpr Vertex coarse_vertices = 512;
  constexpr Edge surface_neighbours = 8;
  CoarseningGoal const goal{coarse_vertices, 2 * (total_weight / coarse_vertices) + 1};
  auto const levels = coarsen(ex, graph, {}, {goal, config, seed});
  auto const coarsest = levels.empty() ? graph : levels.back().graph.view();
  return coarsest.num_arcs > surface_neighbours * coarsest.num_vertices;
}

}  // namespace procmap
