// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "refinement/places/annealing.hpp"

namespace procmap {

/// Exchanges groups of consecutive places (`places.sizes`) by annealing, large ones first: everything on a group goes
/// to the other one, in the same order. It brings parts of a mapping to each other that are too far apart for single
/// exchanges. Groups with the same capacities exchange; each
/// size has at most as many tries as `annealing`. Returns whether J fell; if not, `place` stays.
bool anneal_groups(HostGraph const& traffic, Places const& places, Annealing annealing, std::vector<Block>& place);

}  // namespace procmap
