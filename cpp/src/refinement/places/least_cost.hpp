// SPDX-License-Identifier: MIT
#pragma once

#include "graph/host_graph.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// What any mapping of tasks to PEs, one each, costs at least: J if every task had those it sends most to on the PEs
/// nearest to its own. Stencils reach it on a torus of their own shape. 0 for machines with a table of distances.
Weight least_cost_of_places(HostGraph const& traffic, Topology const& machine);

}  // namespace procmap
