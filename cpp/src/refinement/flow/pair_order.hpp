// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "refinement/flow/pair.hpp"

namespace procmap {

/// Sorts pairs by longer_border(). Of thousands of blocks there may be a million pairs, most with short borders: those
/// in the order of their blocks, as they are found, are sorted by counting.
void put_longest_first(std::vector<BlockPair>& pairs);

/// A number above that of every block.
Block end_of_blocks(std::vector<BlockPair> const& pairs);

}  // namespace procmap
