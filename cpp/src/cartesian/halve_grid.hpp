// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "cartesian/layout.hpp"
#include "procmap/topology.hpp"

namespace procmap {

Block num_pes(Grid const& grid);

/// The dimensions along which a grid has several PEs, the longest first.
std::vector<std::size_t> used_dimensions(Grid const& grid);

/// A PE for every point, whose axes go along the used dimensions in their order. The PEs are halved along the dimension
/// in which they reach farthest, and the points along its axis, so that each half gets as much of their weight as its
/// PEs have of the capacity; and so on.
std::vector<Block> halve_grid(Layout const& points, std::vector<Weight> const& weight, Grid const& grid,
                              std::vector<Weight> const& capacity);

}  // namespace procmap
