// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cartesian/task_grid.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// The PE of every task of a grid that is cut along its axes into as many boxes as there are PEs: levels or dimensions
/// of the machine are shared out among the axes so that the traffic between boxes costs least. Boxes that follow each
/// other along an axis lie beside each other on a grid of PEs. Boxes differ in size where the numbers do not divide:
/// the first mapping is the cheapest one without a box of more than `most` tasks, and the cheapest of all is another
/// one if that differs. The machine must have digits (has_digits()).
std::vector<std::vector<Block>> decompose(TaskGrid const& tasks, Topology const& machine, Edge most);

}  // namespace procmap
