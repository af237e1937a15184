// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "refinement/state/connectivity.hpp"
#include "refinement/state/refinement.hpp"

namespace procmap {

/// Rule: how the cost of v's arcs changed when `previous` became `block`, every edge counted twice. An edge whose other
/// end moved too is met from both ends. Every lane returns its part and calls visit(e, u) for its arcs.
template <class Objective, class Group, class Visit>
PROCMAP_HD Weight cost_change(CsrView graph, Objective const& objective, BlockChange const& change, Vertex v,
                              Group group, Visit visit) {
  Block const from = change.previous[v];
  Block const to = change.block[v];
  Weight total = 0;
  struct End {
    Block now, before;
  };
  auto const load = [&](Edge e) {
    Vertex const u = graph.heads[e];
    return End{racy_load(&change.block[u]), racy_load(&change.previous[u])};
  };
  for_each_arc_by_batch(graph, v, group, load, [&](Edge e, End u) {
    Weight const difference =
        graph.arc_weight(e) * (objective.distance(to, u.now) - objective.distance(from, u.before));
    total += u.now == u.before ? 2 * difference : difference;
    visit(e, graph.heads[e]);
  });
  return total;
}

}  // namespace procmap
