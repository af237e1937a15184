// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "core/constraints.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// A problem small enough for tables of all pairs.
struct SmallProblem {
  std::size_t num_vertices = 0;
  std::size_t num_pes = 0;
  std::vector<Weight> load;      // per vertex
  std::vector<Weight> traffic;   // [u * num_vertices + v]
  std::vector<Weight> distance;  // [p * num_pes + q]
  std::vector<Block> sizes;      // of the levels, innermost first, if the machine is a hierarchy
  std::vector<Weight> capacity;  // per PE; no more than all load
  std::vector<char> forbidden;   // per PE: no vertex may be there, whatever it weighs
  std::vector<Block> fixed;      // per vertex: its PE, or no_block
  std::vector<Block> home;       // per vertex; empty: there is no given mapping
  std::vector<Weight> size;      // per vertex: of what migrates
  double migration_cost = 0;     // of one unit of size
  bool fills_all = false;        // no PE is to stay empty unless it is forbidden
  // Second and further weights, on a scale on which their totals are about equal, as are then load and capacity.
  std::size_t num_further = 0;
  std::vector<Weight> further_load = {};      // [v * num_further + i]
  std::vector<Weight> further_capacity = {};  // [p * num_further + i]

  Weight further(std::size_t v, std::size_t i) const { return further_load[v * num_further + i]; }
  Weight further_room(std::size_t pe, std::size_t i) const { return further_capacity[pe * num_further + i]; }
};

/// How good a mapping is, the smaller the better: balance first, then J with migration, then what moves least.
struct Standing {
  Weight overload = 0;  // of the worst PE, in the worst weight
  Weight excess = 0;    // of all PEs and weights
  Block empty = 0;      // PEs without a vertex that should have one
  double total = 0;     // J and migration; only if that costs something
  Weight cost = 0;      // half of J: every edge once
  Weight migrated = 0;  // size of the vertices that are not at home

  bool feasible() const { return overload <= 0 && empty == 0; }
  friend auto operator<=>(Standing const&, Standing const&) = default;
};

/// The tables of a checked call. `fills_all` is whether no PE is to stay empty.
SmallProblem small_problem(Graph const& graph, Topology const& topology, Options const& options,
                           Constraints const& constraints, bool fills_all);

}  // namespace procmap
