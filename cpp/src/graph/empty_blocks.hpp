// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "core/constraints.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// PEs that are not forbidden and whose entry of `loads` is 0.
std::vector<Block> pes_without(std::span<Weight const> loads, PeCapacities const& pes);

/// PEs without a vertex that are not forbidden.
std::vector<Block> empty_blocks(std::span<Block const> blocks, PeCapacities const& pes);

/// Are there vertices for all PEs that are not forbidden: for every one that nobody is fixed to a free vertex of its
/// own that fits there? What else is there is not looked at.
bool can_fill_all(Graph const& graph, PeCapacities const& pes, std::span<Block const> fixed);
/// The same of one weight or several. Several are no order, so only vertices count that fit into every such PE.
bool can_fill_all(Graph const& graph, Constraints const& constraints, std::span<Block const> fixed);

}  // namespace procmap
