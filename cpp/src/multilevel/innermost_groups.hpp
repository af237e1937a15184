// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "core/pe_capacities.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// The groups of PEs within which all are equally far apart, seen as PEs themselves. With one task per PE it makes no
/// difference who of a group has which task: J is that of the groups and a constant.
struct InnermostGroups {
  Block size = 1;  // PEs of each
  Topology hierarchy;
  PeCapacities capacities;
};

/// Of the PEs of a hierarchy; nothing if all of them are one group, or groups are small.
std::optional<InnermostGroups> innermost_groups(Topology const& hierarchy, PeCapacities const& pes);

/// Tasks in groups become tasks on PEs of these, one on each that is not forbidden, in order. What a group has no PE
/// for is on its last one as well.
void place_within_groups(Block size, PeCapacities const& pes, std::vector<Block>& group);

}  // namespace procmap
