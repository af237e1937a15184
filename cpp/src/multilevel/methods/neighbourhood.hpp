// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/coarsen.hpp"

namespace procmap {

/// Does the graph fill space as a mesh does? On coarse levels vertices of plane graphs have fewer than six neighbours,
/// those of meshes in space ten to fifteen, and those of irregular graphs more than twenty (measured).
template <HostExecutor Exec>
bool fills_space(Exec& ex, CsrView graph, Weight total_weight, CoarseningConfig const& config, std::uint64_t seed) {
  constexpr Vertex coarse_vertices = 512;
  constexpr Edge most_on_surfaces = 9;
  constexpr Edge most_in_space = 18;
  CoarseningGoal const goal{coarse_vertices, 2 * (total_weight / coarse_vertices) + 1};
  auto const levels = coarsen(ex, graph, {}, {goal, config, seed});
  auto const coarsest = levels.empty() ? graph : levels.back().graph.view();
  Edge const n = coarsest.num_vertices;
  return coarsest.num_arcs > most_on_surfaces * n && coarsest.num_arcs <= most_in_space * n;
}

}  // namespace procmap
