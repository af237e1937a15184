// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "refinement/connectivity.hpp"
#include "refinement/scratch.hpp"

namespace procmap {

/// Rule: how the cost of v's arcs changed when `previous` became `block`, every edge counted twice. An
/// edge whose other end moved too is met from both ends.
template <class Objective, class Group>
PROCMAP_HD Weight cost_change(CsrView graph, Objective const& objective, RefinementView const& state, Vertex v,
                              Group group) {
  Block const from = state.previous[v];
  Block const to = state.block[v];
  Weight change = 0;
  struct End {
    Block now, before;
  };
  auto const load = [&](Edge e) {
    Vertex const u = graph.heads[e];
    return End{state.block[u], state.previous[u]};
  };
  for_each_arc_by_batch(graph, v, group, load, [&](Edge e, End u) {
    Weight const difference =
        graph.arc_weight(e) * (objective.distance(to, u.now) - objective.distance(from, u.before));
    change += u.now == u.before ? 2 * difference : difference;
    racy_store(&state.dirty[graph.heads[e]], 1);
  });
  return change;
}

/// Moves movers[i] to proposal[movers[i]], all at once: updates block weights, the cost of every scope,
/// and what is cached about the neighbourhood.
template <Executor Exec, class Objective>
PROCMAP_RESIDENT void apply_moves(Exec& ex, CsrView const& graph, Objective const& objective, BlocksView const& blocks,
                                  RefinementView const& state, Vertex const* movers, Edge num_movers) {
  auto const phase = ex.phase("apply moves");
  ex.for_each(num_movers, [=] PROCMAP_LAMBDA(Edge i) {
    Vertex const v = movers[i];
    Block const from = state.block[v];
    Block const to = state.proposal[v];
    state.previous[v] = from;
    state.block[v] = to;
    state.dirty[v] = 1;
    Weight const load = graph.vertex_weight(v);
    contended_add(&state.block_weight[from], -load);
    contended_add(&state.block_weight[to], load);
    ScopeState& scope = state.scope[blocks.scope_of(to)];
    contended_add(&scope.moves, 1);
    unsigned const lock = scope.mode == ScopeMode::propagate ? unsigned{locked} : 0u;
    state.mark[v] = static_cast<std::uint8_t>(state.mark[v] | changed | lock);
  });
  auto const degree = [=] PROCMAP_LAMBDA(Edge i) { return graph.degree(movers[i]); };
  ex.for_each_in_group(num_movers, degree, [=, &objective] PROCMAP_LAMBDA(Edge i, auto group) {
    Vertex const v = movers[i];
    Weight change = group.sum(cost_change(graph, objective, state, v, group));
    change += state.anchors.cost(v, state.block[v]) - state.anchors.cost(v, state.previous[v]);
    if (group.rank() == 0 && change != 0) contended_add(&state.scope[blocks.scope_of(state.block[v])].cost, change);
  });
  ex.for_each_ahead(num_movers, [=] PROCMAP_LAMBDA(Edge i) { state.previous[movers[i]] = state.block[movers[i]]; });
}

}  // namespace procmap
