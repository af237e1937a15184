// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "objective/cost.hpp"
#include "refinement/afterburner.hpp"
#include "refinement/apply_moves.hpp"
#include "refinement/rebalance_phase.hpp"

namespace procmap {

/// What a refinement did.
struct RefinementResult {
  int rounds = 0;
};

/// What one refinement is asked to do.
struct RefinementTask {
  double filter = 0;  // Jet's c: how large a loss may be proposed; 0: none
  int rounds = 12;    // without progress before a scope ends
  std::uint64_t seed = 0;
};

inline LoopRules loop_rules(RefinementConfig const& config, int rounds) {
  return {rounds,          config.max_rounds,  config.weak_rounds,
          config.progress, config.rebalancing, config.last_resort_rounds};
}

inline RebalanceRules rebalance_rules(RefinementConfig const& config) {
  return {config.heavy_vertex, config.rebalance_reserve, config.sigma_share, config.sigma_slack, config.heavy_rounds};
}

/// Largest excess of a block of `scope` over its capacity, 0 if none.
PROCMAP_HD inline Weight scope_overload(BlocksView const& blocks, RefinementView const& state, Block scope) {
  Weight worst = 0;
  for (Block b = blocks.first_of(scope); b < blocks.first_of(scope) + blocks.per_scope; ++b)
    if (Weight const excess = state.block_weight[b] - blocks.capacity[b]; excess > worst) worst = excess;
  return worst;
}

/// Computes everything about state.block from scratch: block weights, costs, scope states.
template <Executor Exec, class Objective>
void start_refinement(Exec& ex, CsrView graph, Objective objective, BlocksView blocks, RefinementView state,
                      LoopRules rules) {
  Phase phase(ex.run(), "start refinement");
  ex.fill(state.block_weight, blocks.num_blocks, Weight{0});
  ex.for_each(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) { state.scope[s] = ScopeState{}; });
  ex.for_each(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge i) {
    auto const v = static_cast<Vertex>(i);
    Block const b = state.block[v];
    state.best[v] = b;
    state.previous[v] = b;
    state.destination[v] = no_block;
    state.proposal[v] = no_block;
    state.gain[v] = 0;
    state.dirty[v] = 1;
    state.mark[v] = 0;
    atomic_add(&state.block_weight[b], graph.vertex_weight(v));
    if (Weight const cost = vertex_cost(graph, objective, state.block, v); cost != 0)
      atomic_add(&state.scope[blocks.scope_of(b)].cost, cost);
  });
  ex.for_each(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge i) {
    auto const s = static_cast<Block>(i);
    ScopeState& scope = state.scope[s];
    scope.overload = scope.best_overload = scope_overload(blocks, state, s);
    scope.best_cost = scope.cost;
    scope.mode = next_mode(scope, rules);
  });
}

/// Lists the vertices with something to do.
template <Executor Exec>
Edge active_vertices(Exec& ex, Vertex n, RefinementView state, Vertex* active) {
  Phase phase(ex.run(), "select active");
  return ex.select(
      n, [=] PROCMAP_LAMBDA(Edge v) { return (state.dirty[v] | state.mark[v]) != 0; },
      [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, active);
}

template <Executor Exec, class Predicate>
Edge count_scopes(Exec& ex, BlocksView blocks, RefinementView state, Predicate predicate) {
  return ex.sum(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) -> Weight { return predicate(state.scope[s].mode); });
}

/// Closes the round of every scope; returns how many go on.
template <Executor Exec>
Edge close_rounds(Exec& ex, BlocksView blocks, RefinementView state, LoopRules rules) {
  ex.for_each(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge i) {
    auto const s = static_cast<Block>(i);
    ScopeState& scope = state.scope[s];
    if (scope.mode == ScopeMode::done)
      scope.improved = false;
    else
      close_round(scope, scope_overload(blocks, state, s), rules);
  });
  return count_scopes(ex, blocks, state, [] PROCMAP_LAMBDA(ScopeMode mode) { return mode != ScopeMode::done; });
}

/// Jet's refinement (paper, refinement) of all scopes at once: label propagation while a scope is
/// balanced, rebalancing while it is not, each scope on its own clock, until none makes progress.
/// state.block ends as the best mapping met: least overload, then least cost. It is never worse than
/// it was.
template <Executor Exec, class Objective>
RefinementResult refine(Exec& ex, CsrView graph, Objective objective, BlocksView blocks,
                        RefinementScratch<Exec>& scratch, Block* block, RefinementConfig const& config,
                        RefinementTask const& task) {
  RefinementResult result;
  auto const state = scratch.view(block);
  auto const rules = loop_rules(config, task.rounds);
  auto* const active = scratch.active.data();
  auto* const movers = scratch.movers.data();
  auto* const accepted = scratch.accepted.data();
  start_refinement(ex, graph, objective, blocks, state, rules);
  Edge running = count_scopes(ex, blocks, state, [] PROCMAP_LAMBDA(ScopeMode mode) { return mode != ScopeMode::done; });

  while (running > 0) {
    auto const round_seed = hash(task.seed, static_cast<std::uint64_t>(result.rounds));
    Edge const num_active = active_vertices(ex, graph.num_vertices, state, active);
    propose_moves(ex, graph, objective, blocks, state, task.filter, round_seed, active, num_active);
    afterburner(ex, graph, objective, state, active, num_active, accepted);
    Edge num_movers = ex.select(
        num_active, [=] PROCMAP_LAMBDA(Edge i) { return accepted[i] != 0; },
        [=] PROCMAP_LAMBDA(Edge i) { return active[i]; }, movers);
    if (count_scopes(ex, blocks, state, [] PROCMAP_LAMBDA(ScopeMode mode) { return mode > ScopeMode::propagate; }) > 0)
      num_movers = rebalance(ex, blocks, RenewDestination<Objective>{graph, objective, state, task.filter, round_seed},
                             rebalance_rules(config), active, movers, num_movers);
    apply_moves(ex, graph, objective, blocks, state, movers, num_movers);
    running = close_rounds(ex, blocks, state, rules);
    ++result.rounds;
  }

  Edge const num_active = active_vertices(ex, graph.num_vertices, state, active);
  propose_moves(ex, graph, objective, blocks, state, task.filter, 0, active, num_active);  // restores the best
  return result;
}

}  // namespace procmap
