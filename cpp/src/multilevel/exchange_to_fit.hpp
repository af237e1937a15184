// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "graph/host_graph.hpp"
#include "multilevel/repack.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Arcs, prices and pairs that may be looked at: what takes a second or so.
inline constexpr std::int64_t most_exchange_work = std::int64_t{1} << 29;

/// Is a problem small enough for the following? It looks at all vertices for every step.
bool may_exchange(Vertex num_vertices, Block num_blocks);

/// Where refinement leaves blocks of a mapping onto a hierarchy overloaded, as it moves one vertex at a time and no
/// single vertex fits anywhere: moves single vertices out of overloaded blocks, and exchanges them with lighter ones of
/// other blocks, as long as all blocks together are overloaded less than before. Of all such steps it takes the one
/// that costs the least J per unit of overload. No block loses its last vertex, unless it may hold none. Returns
/// whether anything became better. After `most_work` the rest stays as it is.
bool exchange_to_fit(HostGraph const& graph, PackingProblem const& problem, Hierarchy const& machine,
                     std::vector<Block>& block, std::int64_t most_work = most_exchange_work);

}  // namespace procmap
