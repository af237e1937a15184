// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/pe_capacities.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Which PEs `tasks` tasks, one for each, may be mapped onto: all of them first; where far fewer would do, also those
/// of the first subtrees of the outermost level that hold all tasks, and no more than the first PEs that do. A
/// multisection shares tasks out in proportion to the PEs, but with so much room J falls where they come together.
std::vector<PeCapacities> rooms_for(PeCapacities const& pes, Topology const& hierarchy, Block tasks);

/// The first places of a guide, in whole groups of which there are some.
struct FirstPlaces {
  Block count = 0;
  std::vector<Block> sizes;  // of the levels, as those of the guide
};

/// So many of `all` as hold the first `wanted`.
FirstPlaces first_places(std::vector<Block> const& guide_sizes, Block wanted, Block all);

}  // namespace procmap
