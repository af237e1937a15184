// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/population.hpp"

namespace procmap {

/// The members of the next finer level: every vertex goes where its coarse vertex is (paper, projection).
template <Executor Exec>
Population<Exec> project(Exec& ex, Population<Exec> const& coarse, Vertex num_coarse, Vertex const* coarse_of,
                         Vertex n) {
  Phase phase(ex.run(), "projection");
  Population<Exec> fine{coarse.size,
                        ex.template buffer<Block>(static_cast<std::size_t>(n) * static_cast<std::size_t>(coarse.size))};
  auto const* const from = coarse.block.data();
  auto* const to = fine.block.data();
  for (int t = 0; t < coarse.size; ++t)
    ex.for_each(n, [=] PROCMAP_LAMBDA(Edge v) { to[Edge{n} * t + v] = from[Edge{num_coarse} * t + coarse_of[v]]; });
  return fine;
}

}  // namespace procmap
