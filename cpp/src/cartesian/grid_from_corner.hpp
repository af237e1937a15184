// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "cartesian/task_grid.hpp"
#include "graph/csr_view.hpp"

namespace procmap {

/// May tasks with these arcs, of some of them in any order, form a grid in which each talks to the next ones along two
/// or three axes? Most have four or six arcs then, and nobody more.
bool may_be_shuffled_grid(std::vector<SampledArc> const& arcs);

/// The grid that tasks form in any order, if each talks to the next ones along the axes and to nobody else; its traffic
/// is that of `arcs`. Weights are not looked at. Where there is no such grid that is seen at the first task outside.
std::optional<TaskGrid> grid_from_corner(CsrView host_graph, std::vector<SampledArc> const& arcs);

}  // namespace procmap
