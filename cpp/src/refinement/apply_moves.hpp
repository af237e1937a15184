// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "refinement/scratch.hpp"

namespace procmap {

/// Rule: how the cost of v's arcs changed when `previous` became `block`, every edge counted twice. An
/// edge whose other end moved too is met from both ends.
template <class Objective>
PROCMAP_HD Weight cost_change(CsrView graph, Objective const& objective, RefinementView const& state, Vertex v,
                              Edge begin, Edge stride) {
  Block const from = state.previous[v];
  Block const to = state.block[v];
  Weight change = 0;
  for (Edge e = graph.begin(v) + begin; e < graph.end(v); e += stride) {
    Vertex const u = graph.heads[e];
    Block const now = state.block[u];
    Block const before = state.previous[u];
    Weight const difference = graph.arc_weight(e) * (objective.distance(to, now) - objective.distance(from, before));
    change += now == before ? 2 * difference : difference;
    racy_store(&state.dirty[u], 1);
  }
  return change;
}

/// Moves movers[i] to proposal[movers[i]], all at once: updates block weights, the cost of every scope,
/// and what is cached about the neighbourhood.
template <Executor Exec, class Objective>
void apply_moves(Exec& ex, CsrView graph, Objective objective, BlocksView blocks, RefinementView state,
                 Vertex const* movers, Edge num_movers) {
  Phase phase(ex.run(), "apply moves");
  ex.for_each(num_movers, [=] PROCMAP_LAMBDA(Edge i) {
    Vertex const v = movers[i];
    Block const from = state.block[v];
    Block const to = state.proposal[v];
    state.previous[v] = from;
    state.block[v] = to;
    state.dirty[v] = 1;
    Weight const load = graph.vertex_weight(v);
    atomic_add(&state.block_weight[from], -load);
    atomic_add(&state.block_weight[to], load);
    ScopeState& scope = state.scope[blocks.scope_of(to)];
    atomic_add(&scope.moves, 1);
    unsigned const lock = scope.mode == ScopeMode::propagate ? unsigned{locked} : 0u;
    state.mark[v] = static_cast<std::uint8_t>(state.mark[v] | changed | lock);
  });
  ex.for_each_in_group(num_movers, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    Vertex const v = movers[i];
    Weight const change = group.sum(cost_change(graph, objective, state, v, group.rank(), group.size()));
    if (group.rank() == 0 && change != 0) atomic_add(&state.scope[blocks.scope_of(state.block[v])].cost, change);
  });
  ex.for_each(num_movers, [=] PROCMAP_LAMBDA(Edge i) { state.previous[movers[i]] = state.block[movers[i]]; });
}

}  // namespace procmap
