// SPDX-License-Identifier: MIT
#pragma once

#include "procmap/topology.hpp"
#include "refinement/places/distances.hpp"

namespace procmap {

/// Slots grouped as in `hierarchy`, with the distances that two slots of neighbouring groups have in the mean, in
/// fractions of a unit, but none shorter than on the level below. Of many slots some are asked.
Topology with_mean_distances(Topology const& hierarchy, PlaceDistances const& distance);

}  // namespace procmap
