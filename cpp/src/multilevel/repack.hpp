// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Vertices and the blocks that are to hold them.
struct PackingProblem {
  std::span<Weight const> weight;    // of every vertex
  std::span<Weight const> capacity;  // of every block
  std::span<Block const> fixed;      // the block of a fixed vertex, no_block for the others; empty if none is fixed
};

/// Where refinement leaves blocks overloaded, as it moves one vertex at a time and with few vertices per block none
/// fits anywhere: packs single vertices, whatever they are joined to. First what overloads its block, so that the
/// others stay. If that does not do, and no vertex is too heavy for all blocks, everything: heavy vertices first, which
/// stay where they find room beside the heavier ones; at last wherever they fit best. A vertex that fits nowhere takes
/// the place of a lighter one, which is packed in its turn. Returns whether blocks are overloaded less than before;
/// else `block` stays as it is.
bool repack(PackingProblem const& problem, std::vector<Block>& block);

}  // namespace procmap
