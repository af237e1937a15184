// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/state/destinations.hpp"

namespace procmap {

/// Rule: is what is cached about v out of date? After a step of annealing fewer moves pass the filter, no others.
PROCMAP_HD inline bool is_outdated(RefinementView const& state, ScopeState const& scope, Vertex v) {
  return state.dirty[v] || (scope.cooled && (state.mark[v] & Mark::eager));
}

/// Opens a round for the active vertices: notes new best mappings, restores the best of scopes that are
/// done, renews cached destinations, and sets proposal[] for the candidates (first filter; vertices that
/// moved in the last propagation sit out). `seed` breaks ties of this round.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT void propose_moves(Exec& ex, Refinement const& refinement, Objective const& objective,
                                    std::uint64_t seed, VertexList list) {
  auto const phase = ex.phase("propose moves");
  auto const graph = refinement.graph;
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const* const active = list.vertex;
  RenewDestination<Objective> const renew{graph, objective, blocks, state, refinement.rules, seed};
  ex.for_each_with_table(
      list.count,
      [=, &objective] PROCMAP_LAMBDA(Edge i) -> TableNeeds {
        Vertex const v = active[i];
        ScopeState const& scope = state.scope[blocks.scope_of(state.block[v])];
        return is_outdated(state, scope, v) ? see_needs(graph, state, objective, blocks.per_scope, v) : TableNeeds(0);
      },
      objective.num_keys(),
      [=, &renew] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        Vertex const v = active[i];
        ScopeState const& scope = state.scope[blocks.scope_of(state.block[v])];
        unsigned mark = state.mark[v];
        bool const outdated = is_outdated(state, scope, v);
        group.sync();  // all lanes have read what the first one writes below
        if (scope.improved && (mark & Mark::changed)) {
          if (group.rank() == 0) state.best[v] = state.block[v];
          mark &= ~Mark::changed;
        }
        bool proposes = false;
        if (scope.mode == ScopeMode::done) {
          // Scopes are independent, so nobody else looks at this vertex any more.
          if ((mark & Mark::changed) && group.rank() == 0) state.block[v] = state.best[v];
          mark = 0;
          if (group.rank() == 0) state.dirty[v] = 0;
        } else if (scope.mode == ScopeMode::propagate) {
          if (outdated) mark = renew(v, group, table) ? mark | Mark::eager : mark & ~Mark::eager;
          proposes = (mark & Mark::eager) && !(mark & Mark::locked);
          mark &= ~Mark::locked;
        }
        if (group.rank() == 0) {
          state.mark[v] = static_cast<std::uint8_t>(mark);
          state.proposal[v] = proposes ? state.destination[v] : no_block;
        }
      });
}

}  // namespace procmap
