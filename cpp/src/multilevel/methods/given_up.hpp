// SPDX-License-Identifier: MIT
#pragma once

#include "multilevel/methods/standing.hpp"
#include "multilevel/task.hpp"
#include "objective/with_distances.hpp"

namespace procmap {

/// Has most of the given mapping been left behind? Then it was none that anybody chose for its traffic, such as tasks
/// dealt out in turn, and improving it ends far from what a new mapping finds.
template <HostExecutor Exec>
bool is_given_up(Exec& ex, Vertex n, MappingTask const& task, Block const* block) {
  if (!task.given.pe) return false;
  auto const* const given = task.given.pe;
  Weight const moved = ex.sum(n, [=] PROCMAP_LAMBDA(Edge v) { return Weight{block[v] != given[v]}; });
  return 2 * moved > n;
}

/// How good a mapping of the PEs is, migration from the given one included.
template <HostExecutor Exec>
Standing standing_after_migration(Exec& ex, CsrView graph, MappingTask const& task, Block const* block) {
  Standing standing;
  with_distances(ex, task.topology, [&](auto objective) { standing = standing_of(ex, graph, task, objective, block); });
  auto const given = task.given;
  if (!given.pull) return standing;
  Weight const half = ex.sum(
      graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) { return block[v] != given.pe[v] ? given.pull[v] : Weight{0}; });
  standing.second += 2 * half;
  return standing;
}

}  // namespace procmap
