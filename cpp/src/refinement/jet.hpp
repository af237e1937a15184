// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "objective/cost.hpp"
#include "refinement/afterburner.hpp"
#include "refinement/apply_moves.hpp"
#include "refinement/rebalance_phase.hpp"

namespace procmap {

/// What one refinement is asked to do.
struct RefinementTask {
  double filter = 0;  // Jet's c: how large a loss may be proposed; 0: none
  int rounds = 12;    // without progress before a scope ends
  std::uint64_t seed = 0;
  AnchorsView anchors = {};
};

inline LoopRules loop_rules(RefinementConfig const& config, int rounds) {
  return {rounds,          config.max_rounds,  config.weak_rounds,
          config.progress, config.rebalancing, config.last_resort_rounds};
}

inline RebalanceRules rebalance_rules(RefinementConfig const& config) {
  return {config.heavy_vertex, config.rebalance_reserve, config.sigma_share, config.sigma_slack, config.heavy_rounds};
}

/// Largest excess of a block of `scope` over its capacity, 0 if none.
template <class Group>
PROCMAP_HD Weight scope_overload(BlocksView const& blocks, RefinementView const& state, Block scope, Group group) {
  Weight worst = 0;
  Block const first = blocks.first_of(scope);
  for (Block b = first + group.rank(); b < first + blocks.per_scope; b += group.size())
    if (Weight const excess = state.block_weight[b] - blocks.capacity[b]; excess > worst) worst = excess;
  return group.best(worst, [](Weight a, Weight b) { return a > b; });
}

/// Computes everything about state.block from scratch: block weights, costs, scope states. Returns what the scopes
/// do in the first round.
template <Executor Exec, class Objective>
PROCMAP_RESIDENT ModeCounts start_refinement(Exec& ex, CsrView const& graph, Objective const& objective,
                                             BlocksView const& blocks, RefinementView const& state,
                                             LoopRules const& rules) {
  auto const phase = ex.phase("start refinement");
  ex.for_each_ahead(blocks.num_blocks, [=] PROCMAP_LAMBDA(Edge b) { state.block_weight[b] = 0; });
  ex.for_each_ahead(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) { state.scope[s] = ScopeState{}; });
  auto const degree = [=] PROCMAP_LAMBDA(Edge v) { return graph.degree(static_cast<Vertex>(v)); };
  ex.for_each_in_group(graph.num_vertices, degree, [=, &objective] PROCMAP_LAMBDA(Edge i, auto group) {
    auto const v = static_cast<Vertex>(i);
    Weight const cost = group.sum(vertex_cost(graph, objective, state.block, v, group.rank(), group.size()));
    if (group.rank() == 0) state.gain[v] = cost;
  });
  ex.for_each(graph.num_vertices, [=] PROCMAP_LAMBDA(Edge i) {
    auto const v = static_cast<Vertex>(i);
    Block const b = state.block[v];
    contended_add(&state.block_weight[b], graph.vertex_weight(v));
    contended_add(&state.scope[blocks.scope_of(b)].cost, state.gain[v] + state.anchors.cost(v, b));
    state.best[v] = b;
    state.previous[v] = b;
    state.destination[v] = no_block;
    state.proposal[v] = no_block;
    state.gain[v] = 0;
    state.dirty[v] = 1;
    state.mark[v] = 0;
  });
  return count_modes(ex, blocks.num_scopes(), [=] PROCMAP_LAMBDA(Block s, auto group) {
    Weight const overload = scope_overload(blocks, state, s, group);
    if (group.rank() != 0) return ScopeMode::done;  // only the first lane is asked
    ScopeState& scope = state.scope[s];
    scope.overload = scope.best_overload = overload;
    scope.best_cost = scope.cost;
    scope.mode = next_mode(scope, rules);
    return scope.mode;
  });
}

/// Lists the vertices with something to do.
template <Executor Exec>
PROCMAP_RESIDENT Edge active_vertices(Exec& ex, Vertex n, RefinementView const& state, Vertex* active) {
  auto const phase = ex.phase("select active");
  return ex.collect(
      n, [=] PROCMAP_LAMBDA(Edge v) { return (state.dirty[v] | state.mark[v]) != 0; },
      [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, active);
}

/// Closes the round of every scope; returns what the scopes do in the next one.
template <Executor Exec>
PROCMAP_RESIDENT ModeCounts close_rounds(Exec& ex, BlocksView const& blocks, RefinementView const& state,
                                         LoopRules const& rules) {
  auto const phase = ex.phase("close rounds");
  return count_modes(ex, blocks.num_scopes(), [=] PROCMAP_LAMBDA(Block s, auto group) {
    Weight const overload = scope_overload(blocks, state, s, group);
    if (group.rank() != 0) return ScopeMode::done;  // only the first lane is asked
    ScopeState& scope = state.scope[s];
    if (scope.mode == ScopeMode::done)
      scope.improved = false;
    else
      close_round(scope, overload, rules);
    return scope.mode;
  });
}

/// The refinement of one level, all of it: the loop too runs where the passes run.
template <class Objective>
struct RefinementLoop {
  static constexpr bool by_degree = !requires { Objective::rare; };

  CsrView graph;
  Objective objective;
  BlocksView blocks;
  RefinementView state;
  Vertex* active;
  Vertex* movers;
  std::uint8_t* accepted;
  LoopRules rules;
  RebalanceRules rebalance_rules;
  RefinementTask task;
  LevelSummary* summary;

  template <Executor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    ModeCounts modes = start_refinement(ex, graph, objective, blocks, state, rules);
    int round = 0;
    for (; modes.running() > 0; ++round) {
      auto const seed = hash(task.seed, static_cast<std::uint64_t>(round));
      Edge const num_active = propose(ex, seed);
      afterburner(ex, graph, objective, state, active, num_active, accepted);
      Edge num_movers = accepted_moves(ex, num_active);
      if (modes.rebalancing() > 0)
        num_movers = rebalance(ex, blocks, RenewDestination<Objective>{graph, objective, state, task.filter, seed},
                               rebalance_rules, modes, active, movers, num_movers);
      apply_moves(ex, graph, objective, blocks, state, movers, num_movers);
      modes = close_rounds(ex, blocks, state, rules);
    }
    ex.for_each_ahead(1, [=, summary = summary] PROCMAP_LAMBDA(Edge) { summary->rounds += round; });
    propose(ex, 0);  // restores the best
  }

  template <Executor Exec>
  PROCMAP_RESIDENT Edge propose(Exec& ex, std::uint64_t seed) const {
    Edge const num_active = active_vertices(ex, graph.num_vertices, state, active);
    propose_moves(ex, graph, objective, blocks, state, task.filter, seed, active, num_active);
    return num_active;
  }

  template <Executor Exec>
  PROCMAP_RESIDENT Edge accepted_moves(Exec& ex, Edge num_active) const {
    auto const phase = ex.phase("select movers");
    return ex.collect(
        num_active, [accepted = accepted] PROCMAP_LAMBDA(Edge i) { return accepted[i] != 0; },
        [active = active] PROCMAP_LAMBDA(Edge i) { return active[i]; }, movers);
  }
};

/// Jet's refinement (paper, refinement) of all scopes at once: label propagation while a scope is
/// balanced, rebalancing while it is not, each scope on its own clock, until none makes progress.
/// state.block ends as the best mapping met: least overload, then least cost. It is never worse than
/// it was. Adds its rounds to the summary of `scratch`, and waits for nothing.
template <Executor Exec, class Objective>
void refine(Exec& ex, CsrView graph, Objective objective, BlocksView blocks, RefinementScratch<Exec>& scratch,
            Block* block, RefinementConfig const& config, RefinementTask const& task) {
  auto const state = scratch.view(block, task.anchors);
  RefinementLoop<Objective> const loop{graph,
                                       objective,
                                       blocks,
                                       state,
                                       scratch.active.data(),
                                       scratch.movers.data(),
                                       scratch.accepted.data(),
                                       loop_rules(config, task.rounds),
                                       rebalance_rules(config),
                                       task,
                                       scratch.summary.data()};
  auto const bytes = rebalance_bytes<Exec>(graph, blocks, objective);
  ex.resident({graph.num_vertices, bytes, objective.num_keys(), graph.num_arcs}, loop);
}

}  // namespace procmap
