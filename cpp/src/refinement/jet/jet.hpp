// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "exec/kernel_traits.hpp"
#include "graph/csr_view.hpp"
#include "objective/cost.hpp"
#include "objective/objective.hpp"
#include "refinement/jet/afterburner.hpp"
#include "refinement/jet/apply_moves.hpp"
#include "refinement/jet/propose_moves.hpp"
#include "refinement/rebalance/rebalance.hpp"

namespace procmap {

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
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT ModeCounts start_refinement(Exec& ex, Refinement const& refinement, Objective const& objective) {
  auto const phase = ex.phase("start refinement");
  auto const graph = refinement.graph;
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const& config = refinement.rules.config;
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
  return count_modes(ex, blocks.num_scopes(), [=, &config] PROCMAP_LAMBDA(Block s, auto group) {
    Weight const overload = scope_overload(blocks, state, s, group);
    if (group.rank() != 0) return ScopeMode::done;  // only the first lane is asked
    ScopeState& scope = state.scope[s];
    scope.overload = scope.best_overload = overload;
    scope.best_cost = scope.cost;
    scope.mode = next_mode(scope, config);
    return scope.mode;
  });
}

/// Lists the vertices with something to do.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT VertexList active_vertices(Exec& ex, Vertex n, RefinementView const& state, Vertex* active) {
  auto const phase = ex.phase("select active");
  Edge const count = ex.collect(
      n, [=] PROCMAP_LAMBDA(Edge v) { return (state.dirty[v] | state.mark[v]) != 0; },
      [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, active);
  return {active, count};
}

/// Closes the round of every scope; returns what the scopes do in the next one.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT ModeCounts close_rounds(Exec& ex, Refinement const& refinement) {
  auto const phase = ex.phase("close rounds");
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const& config = refinement.rules.config;
  return count_modes(ex, blocks.num_scopes(), [=, &config] PROCMAP_LAMBDA(Block s, auto group) {
    Weight const overload = scope_overload(blocks, state, s, group);
    if (group.rank() != 0) return ScopeMode::done;  // only the first lane is asked
    ScopeState& scope = state.scope[s];
    if (scope.mode == ScopeMode::done)
      scope.improved = false;
    else
      close_round(scope, overload, config);
    return scope.mode;
  });
}

/// Ends a refinement: every vertex goes where the best mapping of its scope has it.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT void restore_best(Exec& ex, Refinement const& refinement) {
  auto const phase = ex.phase("restore best");
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  ex.for_each(refinement.graph.num_vertices, [=] PROCMAP_LAMBDA(Edge v) {
    if (!(state.mark[v] & Mark::changed)) return;
    // The last round may have made the present mapping the best; nobody has noted that yet.
    bool const is_best = state.scope[blocks.scope_of(state.block[v])].improved;
    if (!is_best) state.block[v] = state.best[v];
  });
}

/// The refinement of one level, all of it: the loop too runs where the passes run.
template <class Objective>
struct RefinementLoop {
  Refinement refinement;
  Objective objective;
  Vertex* active;
  Vertex* movers;
  std::uint8_t* accepted;
  LevelSummary* summary;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    ModeCounts modes = start_refinement(ex, refinement, objective);
    int round = 0;
    for (; modes.running() > 0; ++round) {
      auto const seed = hash(refinement.rules.seed, static_cast<std::uint64_t>(round));
      auto const candidates = active_vertices(ex, refinement.graph.num_vertices, refinement.state, active);
      propose_moves(ex, refinement, objective, seed, candidates);
      afterburner(ex, refinement, objective, candidates, accepted);
      auto moving = accepted_moves(ex, candidates);
      if (modes.rebalancing() > 0) rebalance(ex, refinement, objective, seed, modes, active, moving);
      apply_moves(ex, refinement, objective, moving);
      modes = close_rounds(ex, refinement);
    }
    ex.for_each_ahead(1, [=, summary = summary] PROCMAP_LAMBDA(Edge) { summary->rounds += round; });
    restore_best(ex, refinement);
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT VertexList accepted_moves(Exec& ex, VertexList candidates) const {
    auto const phase = ex.phase("select movers");
    Edge const count = ex.collect(
        candidates.count, [accepted = accepted] PROCMAP_LAMBDA(Edge i) { return accepted[i] != 0; },
        [candidates] PROCMAP_LAMBDA(Edge i) { return candidates.vertex[i]; }, movers);
    return {movers, count};
  }
};

template <class Objective>
struct KernelTraits<RefinementLoop<Objective>> : DefaultKernelTraits {
  static constexpr bool by_degree = !ObjectiveTraits<Objective>::rare;
};

/// Jet's refinement (paper, refinement) of all scopes at once: label propagation while a scope is
/// balanced, rebalancing while it is not, each scope on its own clock, until none makes progress.
/// `block` ends as the best mapping met: least overload, then least cost. It is never worse than
/// it was. Adds its rounds to the summary of `scratch`, and waits for nothing.
template <HostExecutor Exec, class Objective>
void refine(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch, Block* block,
            RefinementRules const& rules) {
  auto const& [graph, objective, blocks, anchors] = problem;
  RefinementLoop<Objective> const loop{{graph, blocks, scratch.view(block, anchors), rules},
                                       objective,
                                       scratch.active.data(),
                                       scratch.movers.data(),
                                       scratch.accepted.data(),
                                       scratch.summary.data()};
  auto const bytes = rebalance_bytes<Exec>(graph, blocks, objective);
  ex.resident({graph.num_vertices, bytes, objective.num_keys(), graph.num_arcs}, loop);
}

}  // namespace procmap
