// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "multilevel/task.hpp"
#include "procmap/config.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// What says whether a preset that does less may be better.
struct GraphShape {
  Vertex num_vertices = 0;
  Edge num_arcs = 0;
  Edge max_degree = 0;
};

/// Has it hubs, with many times the average degree? Where they end up is a matter of chance.
bool is_skewed(GraphShape const& shape);

/// The configurations with which such a graph is mapped onto a hierarchy, the given one first: the best mapping of them
/// is kept.
std::vector<Config> contestants(Config const& config, GraphShape const& shape, Topology const& topology);

/// The same for a task, which knows what PEs hold.
std::vector<Config> contestants(MappingTask const& task, GraphShape const& shape);

}  // namespace procmap
