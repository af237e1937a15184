// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "procmap/topology.hpp"

namespace procmap {

/// A hierarchy for multisection to follow on a machine that is none. Slots are the PEs in an order in which close
/// ones are close: group g of a level consists of consecutive slots, whose PEs are near to each other.
struct MachineGuide {
  std::vector<Block> pe_of_slot;
  std::vector<Block> sizes;  // of the levels, innermost first; at most Topology::max_levels
  std::vector<Block> sizes_at_once;  // the same where a level cuts all dimensions of equal length
};

/// Slots as a hierarchy of such levels. Its distances say only which level is further out.
Topology hierarchy_of_slots(std::vector<Block> sizes);

/// Is it a table that says which nodes form groups, as that of a dragonfly?
bool has_known_groups(Topology const& topology);

/// The PEs in the order of their numbers, as one group.
MachineGuide as_numbered(Block num_pes);

/// A grid is cut along its longest dimension again and again; a table of distances into sets whose PEs are close to
/// each other, so that groups that stand out stay whole. `max_parts`: cuts are joined to levels of up to so many
/// parts.
MachineGuide make_guide(Topology const& topology, Block max_parts);

}  // namespace procmap
