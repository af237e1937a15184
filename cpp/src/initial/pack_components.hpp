// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "initial/small_components.hpp"

namespace procmap {

/// In which order components are put into blocks: heavy ones first, but those may take turns that weigh less than
/// `disorder` of each other's weight. With equal weights the seed decides.
struct PackingOrder {
  double disorder = 0;
  std::uint64_t seed = 0;
};

/// Puts every small component into a block as a whole, as bins are packed: into the block with most room (Graham's LPT
/// rule), which leaves all blocks about as full; or, if that overloads any, into the one with least room where it fits
/// (best fit decreasing), if that overloads them less. `block` has the blocks of all other vertices. Blocks
/// without capacity get none, if any block has some. Returns the components that did not fit into their blocks.
std::vector<Vertex> pack_components(SmallComponents const& small, std::span<Weight const> capacity, PackingOrder order,
                                    std::span<Block> block);

}  // namespace procmap
