// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/types.hpp"

namespace procmap {

/// value * part / whole without overflow, rounded down; value >= 0, 0 <= part, whole > 0.
Weight proportion(Weight value, Weight part, Weight whole);

/// Capacity of a child whose PEs hold `child_room`, of a subgraph of weight `weight` whose PEs hold `room`, with
/// `depth` levels still to split, this one included.
///
/// With the adaptive imbalance of the paper (multisection), (room / weight)^(1/depth), the slack is spread evenly
/// over the levels that remain, and the last level meets the capacities of the PEs exactly. A larger `least_share`
/// than 1/depth gives the outer levels more of it. Children are filled in proportion to what they hold. Never below the
/// child's share of the weight, never above what its PEs can hold.
Weight child_capacity(Weight weight, Weight child_room, Weight room, int depth, double least_share = 0);

}  // namespace procmap
