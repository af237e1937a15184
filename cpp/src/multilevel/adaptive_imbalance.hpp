// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Capacity of each of the `parts` children of a subgraph of weight `weight` that holds `num_pes` PEs of
/// capacity `pe_capacity`, with `depth` levels still to split, this one included.
///
/// With the adaptive imbalance of the paper (multisection), (num_pes * pe_capacity / weight)^(1/depth), the
/// slack is spread evenly over the levels that remain, and the last level meets Lmax exactly. Never below
/// the average child, never above what the child's PEs can hold.
Weight child_capacity(Weight weight, Block parts, Block num_pes, Weight pe_capacity, int depth);

}  // namespace procmap
