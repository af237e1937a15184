// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "core/pe_capacities.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// What the options of a call ask of single PEs and vertices.
struct Constraints {
  std::vector<Weight> capacity;  // of every PE, as it is reported
  PeCapacities pes;              // the same, as the engine fills it
  std::vector<Block> refuge;     // every PE, or the nearest one where it is forbidden: where a given mapping starts
  std::vector<Weight> pull;      // per vertex: half of what its migration costs; empty: nothing
};

/// Checks them all; throws ConfigError naming the first culprit.
Constraints make_constraints(Graph const& graph, Topology const& topology, Options const& options);

/// Capacity of every PE: `capacities`, checked against the load of the graph, or Lmax where it is empty.
std::vector<Weight> reported_capacities(Graph const& graph, Topology const& topology,
                                        std::span<Weight const> capacities, double imbalance);

}  // namespace procmap
