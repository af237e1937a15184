// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "exec/host_team.hpp"
#include "graph/host_graph.hpp"
#include "refinement/places/distances.hpp"

namespace procmap {

/// How many vertices every block may have, and which stay where they are.
struct BlockSeats {
  std::vector<Vertex> most;   // per block
  std::vector<Block> fixed;   // per vertex: no_block if it may move; empty: all may
};

/// Vertices all weigh the same. Where blocks have more of them than they may, vertices move along the cheapest chains
/// of blocks to where there is room; then along closed chains as long as that lowers J, by which every block keeps as
/// many as it has. So does refinement by single moves where next to nothing is left of the room.
/// Gives up after a fixed amount of work; returns whether no block has too many.
bool balance_by_chains(HostGraph const& graph, PlaceDistances const& distances, BlockSeats const& seats,
                       HostTeam const& team, std::vector<Block>& block);

}  // namespace procmap
