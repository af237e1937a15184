// SPDX-License-Identifier: MIT
#pragma once

#include "objective/hierarchy_distance.hpp"
#include "objective/pairwise_tables.hpp"
#include "topology/guide.hpp"

namespace procmap {

/// Calls f with the objective of a machine that is no hierarchy, whose blocks are the slots of `guide`.
template <HostExecutor Exec, class F>
auto with_slot_distances(Exec& ex, Topology const& topology, MachineGuide const& guide, F f) {
  auto const* const grid = topology.as_grid();
  auto tables = grid ? make_grid_distance(ex, *grid, guide.pe_of_slot)
                     : make_matrix_distance(ex, *topology.as_table(), guide.pe_of_slot);
  tables.view.groups = consecutive_groups(guide.sizes, topology.num_pes());
  return f(tables.view);
}

/// Calls f with the objective of a machine whose blocks are its PEs.
template <HostExecutor Exec, class F>
auto with_distances(Exec& ex, Topology const& topology, F f) {
  if (topology.is_hierarchy()) return f(make_hierarchy_distance(ex, topology).view);
  return with_slot_distances(ex, topology, as_numbered(topology.num_pes()), f);
}

}  // namespace procmap
