// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "core/pe_capacities.hpp"
#include "procmap/graph.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// PEs without a vertex that are not forbidden.
std::vector<Block> empty_blocks(std::span<Block const> blocks, PeCapacities const& pes);

/// Gives every empty PE that is not forbidden one vertex of a PE that has several, the loosest ones (least traffic with
/// the rest of their PE) first and each to the nearest empty PE that takes it. Fixed vertices stay (`fixed` may be
/// empty). Returns how many vertices moved; that is fewer than there were empty PEs if too few vertices are free or
/// light enough.
Block fill_empty_blocks(Graph const& graph, Topology const& topology, PeCapacities const& pes,
                        std::span<Block const> fixed, std::span<Block> blocks);

}  // namespace procmap
