// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "refinement/state/cost_change.hpp"

namespace procmap {

/// Moves the listed vertices to their proposals, all at once: updates block weights, the cost of every scope,
/// and what is cached about the neighbourhood.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT void apply_moves(Exec& ex, Refinement const& refinement, Objective const& objective, VertexList list) {
  auto const phase = ex.phase("apply moves");
  auto const graph = refinement.graph;
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const* const movers = list.vertex;
  ex.for_each(list.count, [=] PROCMAP_LAMBDA(Edge i) {
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
    unsigned const lock = scope.mode == ScopeMode::propagate ? Mark::locked : 0u;
    state.mark[v] = static_cast<std::uint8_t>(state.mark[v] | Mark::changed | lock);
  });
  // A table is brought up to date by one access after the other, so such arcs are shared by more lanes.
  constexpr Edge work_with_tables = 16;
  Edge const work_per_arc = state.tables.first ? work_with_tables : 1;
  auto const work = [=] PROCMAP_LAMBDA(Edge i) { return work_per_arc * graph.degree(movers[i]); };
  ex.for_each_in_group(list.count, work, [=, &objective] PROCMAP_LAMBDA(Edge i, auto group) {
    Vertex const v = movers[i];
    Block const from = state.previous[v];
    Block const to = state.block[v];
    auto const tell = [&](Edge e, Vertex u) {
      racy_store(&state.dirty[u], 1);
      state.tables.update(u, graph.arc_weight(e), from, to);
    };
    Weight change = group.sum(cost_change(graph, objective, {state.block, state.previous}, v, group, tell));
    change += state.anchors.cost(v, state.block[v]) - state.anchors.cost(v, state.previous[v]);
    if (group.rank() == 0 && change != 0) contended_add(&state.scope[blocks.scope_of(state.block[v])].cost, change);
  });
  ex.for_each_ahead(list.count, [=] PROCMAP_LAMBDA(Edge i) { state.previous[movers[i]] = state.block[movers[i]]; });
}

}  // namespace procmap
