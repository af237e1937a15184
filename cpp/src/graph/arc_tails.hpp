// SPDX-License-Identifier: MIT
#pragma once

#include "exec/executor.hpp"
#include "graph/degrees.hpp"

// The extended CSR (paper): beside the head of every arc its tail, so that a loop can run flat over arcs. It takes 4
// bytes per arc, so it is made where a flat loop follows, and lives as long as that.

namespace procmap {

/// Rule: a row of so many arcs keeps one block of threads of a GPU busy while all others have nothing left to do, so
/// loops over rows would wait for it.
PROCMAP_HD constexpr bool is_hub(Edge degree) {
  constexpr Edge least = Edge{1} << 13;
  return degree >= least;
}

/// The one place that says whether a graph is to be looped over arc by arc, not row by row: where lanes wait for hubs,
/// which a single thread does not, and where there are some.
template <HostExecutor Exec>
bool loops_over_arcs(Exec& ex, CsrView graph) {
  if (!Exec::waits_for_hubs || !is_hub(graph.num_arcs) || !is_hub(graph.num_vertices)) return false;
  return is_hub(largest_degree(ex, graph));
}

/// The tail of every arc.
template <HostExecutor Exec>
Buffer<Exec, Vertex> arc_tails(Exec& ex, CsrView graph) {
  auto tails = ex.template buffer<Vertex>(static_cast<std::size_t>(graph.num_arcs));
  auto* const tail = tails.data();
  ex.for_each_in_group(graph.num_vertices, DegreeOf{graph}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    for (Edge e = graph.begin(v) + group.rank(); e < graph.end(v); e += group.size()) tail[e] = v;
  });
  return tails;
}

}  // namespace procmap
