// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/methods/contest.hpp"
#include "multilevel/methods/one_per_pe.hpp"
#include "multilevel/methods/other_machines.hpp"

// The top of the method. Each way below makes a mapping, or improves the given one, and restores the balance.

namespace procmap {

/// Maps `graph` onto any machine; returns the PE of every vertex.
template <HostExecutor Exec>
Buffer<Exec, Block> map_to_topology(Exec& ex, CsrView graph, MappingTask const& task) {
  if (is_one_per_pe(ex, graph, task)) return map_one_per_pe(ex, graph, task);
  if (!task.topology.is_hierarchy()) return map_onto_other_machine(ex, graph, task);
  if (task.given.pe) return map_onto_hierarchy(ex, graph, task);
  return best_on_hierarchy(ex, graph, task);
}

}  // namespace procmap
