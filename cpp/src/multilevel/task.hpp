// SPDX-License-Identifier: MIT
#pragma once

#include "coarsening/skew.hpp"
#include "core/several_weights.hpp"
#include "procmap/config.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// A mapping that is to be improved instead of making one; null pointers if there is none.
struct GivenMapping {
  Block const* pe = nullptr;      // of every vertex
  Block const* refuge = nullptr;  // per PE: where its vertices start; the PE itself unless that is forbidden
  Weight const* pull = nullptr;   // per vertex: half of what it costs to migrate; null: nothing
};

/// What a user asks for: the machine, what its PEs hold, and how to go about it.
struct MappingTask {
  Topology const& topology;
  PeCapacities const& capacities;
  Weight total_weight;
  Config const& config;
  std::uint64_t seed;
  Block const* fixed = nullptr;  // PE of every fixed vertex, no_block for the others; null: nobody is fixed
  GivenMapping given = {};
  SeveralWeights const& several = one_weight;  // else the graph's vertex_weights are the sums of its loads
  bool none_empty = false;                     // every PE is to have a task, and there are enough
  Skew skew = {};                              // of the graph

  static inline SeveralWeights const one_weight = {};
};

/// A new mapping of the same PEs, grouped as in `topology`, by other means.
inline MappingTask with_topology(MappingTask const& task, Topology const& topology, Config const& config,
                                 std::uint64_t seed, Block const* fixed) {
  return {.topology = topology,
          .capacities = task.capacities,
          .total_weight = task.total_weight,
          .config = config,
          .seed = seed,
          .fixed = fixed,
          .several = task.several,
          .none_empty = task.none_empty,
          .skew = task.skew};
}

/// The task with another configuration and the fixed vertices of another level.
inline MappingTask with_config(MappingTask const& task, Config const& config, Block const* fixed) {
  return with_topology(task, task.topology, config, task.seed, fixed);
}

/// Are all PEs equally far apart? Then the mapping cost is a multiple of the edge cut.
inline bool is_partitioning(Topology const& topology) {
  auto const& distances = topology.distances();
  return !distances.empty() && distances.front() == distances.back();
}

}  // namespace procmap
