// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "procmap/topology.hpp"

namespace procmap {

/// A machine as part of a hierarchy: some of its slots hold no PE.
struct HierarchyWithGaps {
  Topology hierarchy;
  std::vector<Block> pe_of_slot;  // no_block: a gap
};

/// A machine whose groups are of unequal size, such as what a scheduler left of a cluster, is a hierarchy all the same
/// if distances say only which group two PEs meet in. The least one of which it is a part; nothing if there is none,
/// or one with too many gaps.
std::optional<HierarchyWithGaps> as_hierarchy_with_gaps(DistanceTable const& table);

}  // namespace procmap
