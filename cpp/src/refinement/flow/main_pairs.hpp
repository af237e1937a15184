// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "refinement/flow/pair.hpp"

namespace procmap {

/// A block is cut with no more partners than this in a round.
inline constexpr int most_partners = 128;

/// Leaves out pairs of blocks that have more partners than `most_partners`: the longest borders stay. On meshes nothing
/// is left out. But among thousands of blocks, the one with a hub borders on every other one, mostly by the hub alone;
/// these pairs come one after the other, each looks at all arcs of the hub, and hardly any of them saves anything.
void keep_main_pairs(std::vector<BlockPair>& pairs);

/// Of pairs in the order of their blocks, leaves out those next to whose border nothing has changed, and those for
/// which the round before found no cheaper cut: what others have changed there since opens nothing in most cases
/// (measured).
void keep_open_pairs(std::vector<BlockPair>& pairs, std::vector<BlockPair> const& settled);

}  // namespace procmap
