// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Moves vertices of weight 1 out of blocks that hold more than their capacity, each to the block with room that is
/// nearest in number. Blocks must have room for all vertices.
void deal_out_excess(std::vector<Weight> const& capacity, std::vector<Block>& block);

}  // namespace procmap
