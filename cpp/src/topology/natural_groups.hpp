// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/topology.hpp"

namespace procmap {

/// Sizes s for which the machine falls apart into groups of s PEs each if only PEs up to some distance are linked, in
/// increasing order, without 1 and the whole machine.
std::vector<Block> natural_group_sizes(DistanceTable const& table);

}  // namespace procmap
