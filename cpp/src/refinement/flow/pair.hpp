// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "exec/executor.hpp"

namespace procmap {

/// Two adjacent blocks a < b of one scope; entries [first, last) of the border list are the vertices that saw the
/// other block when the list was made.
struct BlockPair {
  Block a = no_block;
  Block b = no_block;
  Edge first = 0;
  Edge last = 0;
  Weight changed = 0;  // entries whose vertex moved in the round before, or a neighbour of it
};

/// The order in which pairs are found.
inline bool first_by_blocks(BlockPair const& x, BlockPair const& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

/// The order in which pairs have their turn: the longest border first.
inline bool longer_border(BlockPair const& x, BlockPair const& y) {
  if (x.last - x.first != y.last - y.first) return x.last - x.first > y.last - y.first;
  return first_by_blocks(x, y);
}

/// What became of a pair.
enum class CutChoice : std::int32_t { none, source_side_least, sink_side_least };

/// What came of growing a band.
struct Growth {
  Vertex steps = 0;
  std::int32_t cut_short = 0;  // 1: the number of vertices, not their weight or the depth, ended a side
};

/// The work of one team.
struct PairState {
  Edge first_vertex = 0;   // of the team's share of the vertex arrays
  Edge first_arc = 0;      // ... of the arc arrays
  Edge first_step = 0;     // ... and of the steps of bands
  Vertex size = 0;         // vertices of the band
  Growth growth;
  Vertex counts[num_team_counters] = {};  // of the team's lists, on a processor
  Weight sums[num_team_counters - 1] = {};  // what its passes add up
  Edge arcs = 0;           // room for arcs that the band needs
  Edge used_arcs = 0;      // ... handed out so far
  Weight load_to_b = 0;    // what the cut moves from a to b
  Vertex vertices_to_b = 0;
  Weight saved = 0;        // by the cut, every edge once
  CutChoice choice = CutChoice::none;
  bool is_settled = false;  // its band has no cheaper cut than the present one
};

/// What a round has to know of a pair that has had its turn. Flags.
struct PairOutcome {
  std::uint8_t cut_short = 0;
  std::uint8_t has_moved = 0;
  std::uint8_t is_settled = 0;
  std::uint8_t left_out = 0;  // it found no room
};

PROCMAP_HD inline PairOutcome outcome_of(PairState const& state) {
  return {state.growth.cut_short != 0, state.choice != CutChoice::none, state.is_settled, 0};
}

}  // namespace procmap
