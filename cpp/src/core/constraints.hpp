// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "core/several_weights.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// What the options of a call ask of single PEs and vertices.
struct Constraints {
  std::vector<Weight> capacity;  // of every PE and weight, [pe * num_weights + i], as it is reported
  PeCapacities pes;              // the same, as the engine fills it: of the one weight, or of the sum of several
  std::vector<Block> refuge;     // every PE, or the nearest one where it is forbidden: where a given mapping starts
  std::vector<Weight> pull;      // per vertex: half of what its migration costs; empty: nothing
  SeveralWeights several = {};   // if vertices have several weights
};

/// Checks them all; throws ConfigError naming the first culprit.
Constraints make_constraints(Graph const& graph, Topology const& topology, Options const& options);

/// Allowed imbalance of every weight: `imbalances`, or `imbalance` for all where it is empty. Checks both.
std::vector<double> imbalance_of_weights(Graph const& graph, double imbalance, std::span<double const> imbalances);

/// Capacity of every PE and weight, [pe * num_weights + i]: `capacities`, of the right number, or Lmax where it is
/// empty.
std::vector<Weight> reported_capacities(Graph const& graph, Topology const& topology,
                                        std::span<Weight const> capacities, std::span<double const> imbalance);

/// The sums of the weights of all vertices, as the engine takes several weights for one.
std::vector<Weight> sums_of_loads(Graph const& graph, SeveralWeights const& several);

/// All weights of all vertices, [v * num_weights + i].
std::vector<Weight> all_loads(Graph const& graph);

}  // namespace procmap
