// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "procmap/topology.hpp"

namespace procmap {

/// Reorders `pes` so that the first `left` of them are close to each other, and the others too: the sum of the
/// distances within the two sides is made small.
void bisect_table(DistanceTable const& table, std::span<Block> pes, std::size_t left);

}  // namespace procmap
