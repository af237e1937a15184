// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/empty/fill_empty.hpp"
#include "multilevel/methods/anneal_tasks.hpp"

namespace procmap {

/// If every PE is to have a task, those without get one, and few tasks look for their places. Returns whether any
/// moved.
template <HostExecutor Exec>
bool leave_none_empty(Exec& ex, CsrView graph, MappingTask const& task, Block* block) {
  if (!task.none_empty) return false;
  auto const count = vertices_per_pe(ex, graph, block, task.topology.num_pes());
  if (pes_without(count, task.capacities).empty()) return false;
  Block moved = 0;
  {
    Phase phase(ex.run(), "empty PEs");
    moved = fill_empty_blocks(ex, graph, task, block);
  }
  if (moved == 0) return false;
  anneal_filled(ex, graph, task, moved, block);
  return true;
}

}  // namespace procmap
