// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
#include "core/eight_bytes.hpp"
#include "exec/kernel_traits.hpp"
#include "graph/csr_view.hpp"
#include "objective/objective.hpp"
#include "refinement/jet/afterburner.hpp"
#include "refinement/jet/apply_moves.hpp"
#include "refinement/jet/first_look.hpp"
#include "refinement/jet/parts.hpp"
#include "refinement/jet/propose_moves.hpp"
#include "refinement/rebalance/rebalance.hpp"
#include "refinement/weights/refine_weights.hpp"

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
  auto const part = refinement.part;
  Block const first_block = refinement.first_block();
  ex.for_each_ahead(refinement.num_blocks(), [=] PROCMAP_LAMBDA(Edge i) { state.block_weight[first_block + i] = 0; });
  ex.for_each_ahead(part.num_scopes, [=] PROCMAP_LAMBDA(Edge i) { state.scope[part.first_scope + i] = ScopeState{}; });
  first_look(ex, refinement, objective);
  ex.for_each(part.num_vertices, [=] PROCMAP_LAMBDA(Edge i) {
    Vertex const v = part.vertex(i);
    Block const b = state.block[v];
    contended_add(&state.block_weight[b], graph.vertex_weight(v));
    bool const looks = state.dirty[v];
    Weight const cost = looks ? state.gain[v] : 0;
    contended_add(&state.scope[blocks.scope_of(b)].cost, cost + state.anchors.cost(v, b));
    if (looks) state.gain[v] = 0;
    state.best[v] = b;
    state.previous[v] = b;
    state.destination[v] = no_block;
    state.proposal[v] = no_block;
    state.mark[v] = 0;
  });
  return count_modes(ex, refinement.part, [=, &config] PROCMAP_LAMBDA(Block s, auto group) {
    Weight const overload = scope_overload(blocks, state, s, group);
    if (group.rank() != 0) return ScopeMode::done;  // only the first lane is asked
    ScopeState& scope = state.scope[s];
    scope.overload = scope.best_overload = overload;
    scope.best_cost = scope.cost;
    scope.mode = next_mode(scope, config);
    return scope.mode;
  });
}

/// A start of its own kernel. What a loop keeps in registers lets a processor run one block at a time, and a sweep over
/// all vertices of a large graph waits for memory: many blocks wait together.
template <class Objective>
struct RefinementStart {
  static constexpr Edge apart = Edge{1} << 18;  // vertices from which on that is worth a launch

  Refinement refinement;
  Objective objective;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    start_refinement(ex, refinement, objective);
  }
};

template <class Objective>
struct KernelTraits<RefinementStart<Objective>> : DefaultKernelTraits {
  static constexpr bool fills_machine = true;
};

/// What the scopes of a refinement that has been started do in the first round.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT ModeCounts modes_of_started(Exec& ex, Refinement const& refinement) {
  auto const state = refinement.state;
  return count_modes(ex, refinement.part, [=] PROCMAP_LAMBDA(Block s, auto) { return state.scope[s].mode; });
}

/// Starts the refinement of a large part. Returns whether it did.
template <HostExecutor Exec, class Objective>
bool start_apart(Exec& ex, Refinement const& refinement, Objective const& objective, ResidentNeeds const& needs) {
  if (needs.items < RefinementStart<Objective>::apart) return false;
  ex.resident(needs, RefinementStart<Objective>{refinement, objective});
  return true;
}

/// Lists the vertices with something to do.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT VertexList active_vertices(Exec& ex, Refinement const& refinement, Vertex* active) {
  auto const phase = ex.phase("select active");
  auto const state = refinement.state;
  auto const part = refinement.part;
  auto const is_active = [=] PROCMAP_LAMBDA(Edge i) {
    Vertex const v = part.vertex(i);
    return (state.dirty[v] | state.mark[v]) != 0;
  };
  Edge const count =
      ex.collect(part.num_vertices, is_active, [=] PROCMAP_LAMBDA(Edge i) { return part.vertex(i); }, active);
  return {active, count};
}

/// The same for all vertices of a large graph, of which few are active after the first rounds: looks at eight of them
/// at a time, and lists in `eights` those eight in which there is one.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT VertexList active_among_many(Exec& ex, Refinement const& refinement, Vertex* active, Vertex* eights) {
  auto const phase = ex.phase("select active");
  auto const state = refinement.state;
  Edge const whole = refinement.part.num_vertices / 8;
  Edge const some = ex.collect(
      whole, [=] PROCMAP_LAMBDA(Edge i) { return (eight_bytes(state.dirty, i) | eight_bytes(state.mark, i)) != 0; },
      [=] PROCMAP_LAMBDA(Edge i) { return static_cast<Vertex>(i); }, eights);
  auto const vertex = [=] PROCMAP_LAMBDA(Edge i) {
    return static_cast<Vertex>(i < 8 * some ? 8 * Edge{eights[i / 8]} + i % 8 : 8 * whole + i - 8 * some);
  };
  Edge const count = ex.collect(
      8 * some + refinement.part.num_vertices % 8,
      [=] PROCMAP_LAMBDA(Edge i) { return (state.dirty[vertex(i)] | state.mark[vertex(i)]) != 0; }, vertex, active);
  return {active, count};
}

/// Closes the round of every scope; returns what the scopes do in the next one.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT ModeCounts close_rounds(Exec& ex, Refinement const& refinement) {
  auto const phase = ex.phase("close rounds");
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const& config = refinement.rules.config;
  return count_modes(ex, refinement.part, [=, &config] PROCMAP_LAMBDA(Block s, auto group) {
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
  auto const part = refinement.part;
  ex.for_each(part.num_vertices, [=] PROCMAP_LAMBDA(Edge i) {
    Vertex const v = part.vertex(i);
    if (!(state.mark[v] & Mark::changed)) return;
    // The last round may have made the present mapping the best; nobody has noted that yet.
    bool const is_best = state.scope[blocks.scope_of(state.block[v])].improved;
    if (!is_best) state.block[v] = state.best[v];
  });
}

/// The refinement of one part of a level, all of it: the loop too runs where the passes run.
template <class Objective>
struct RefinementLoop {
  Refinement refinement;
  Objective objective;
  Vertex* active;
  Vertex* movers;
  std::uint8_t* accepted;
  Weight* rounds;  // is told how many it took, unless null
  bool started = false;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    ModeCounts modes = started ? modes_of_started(ex, refinement) : start_refinement(ex, refinement, objective);
    int round = 0;
    for (; modes.running() > 0; ++round) {
      auto const seed = hash(refinement.rules.seed, static_cast<std::uint64_t>(round));
      auto const candidates = is_large(refinement.part) ? active_among_many(ex, refinement, active, movers)
                                                        : active_vertices(ex, refinement, active);
      propose_moves(ex, refinement, objective, seed, candidates);
      auto moving = modes.propagate > 0 ? accepted_moves(ex, candidates) : VertexList{movers, 0};
      if (modes.rebalancing() > 0) rebalance(ex, refinement, objective, seed, modes, active, moving);
      apply_moves(ex, refinement, objective, moving);
      modes = close_rounds(ex, refinement);
    }
    if (rounds) ex.for_each_ahead(1, [=, rounds = rounds] PROCMAP_LAMBDA(Edge) { *rounds += round; });
    restore_best(ex, refinement);
  }

  /// Worth a second pass to list the active vertices.
  PROCMAP_HD static bool is_large(Part const& part) {
    constexpr Edge large = Edge{1} << 20;
    return part.num_vertices >= large && part.list == nullptr && part.first == 0;
  }

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT VertexList accepted_moves(Exec& ex, VertexList candidates) const {
    afterburner(ex, refinement, objective, candidates, accepted);
    auto const phase = ex.phase("select movers");
    Edge const count = ex.collect(
        candidates.count, [accepted = accepted] PROCMAP_LAMBDA(Edge i) { return accepted[i] != 0; },
        [candidates] PROCMAP_LAMBDA(Edge i) { return candidates.vertex[i]; }, movers);
    return {movers, count};
  }
};

template <class Objective>
struct KernelTraits<RefinementLoop<Objective>> : DefaultKernelTraits {
  // Where all distances are equal, most of the work is done by crews.
  static constexpr bool by_degree = !ObjectiveTraits<Objective>::rare && !ObjectiveTraits<Objective>::all_equal;
};

/// The loops of many parts.
template <class Objective>
struct RefinementLoops {
  RefinementLoop<Objective> whole;
  Part const* part;

  PROCMAP_HD RefinementLoop<Objective> of(Edge i) const {
    auto loop = whole;
    auto const& mine = loop.refinement.part = part[i];
    loop.active += mine.first;
    loop.movers += mine.first;
    loop.accepted += mine.first;
    return loop;
  }
};

template <HostExecutor Exec, class Objective>
RefinementLoop<Objective> whole_loop(Refinement const& refinement, Objective const& objective,
                                     RefinementScratch<Exec> const& scratch, Weight* rounds) {
  return {refinement, objective, scratch.active.data(), scratch.movers.data(), scratch.accepted.data(), rounds};
}

template <HostExecutor Exec, class Objective>
ResidentNeeds needs_of_part(Part const& part, CsrView graph, BlocksView const& blocks, Objective const& objective) {
  bool const is_whole = part.num_vertices == graph.num_vertices;
  Edge const arcs = is_whole ? graph.num_arcs : graph.num_arcs / graph.num_vertices * part.num_vertices;
  return {part.num_vertices, rebalance_bytes<Exec>(part, blocks, objective), objective.num_keys(), arcs};
}

/// Refines one part, alone or while others refine other parts.
template <HostExecutor Exec, class Objective>
void refine_part(Exec& ex, Refinement const& refinement, Objective const& objective,
                 RefinementScratch<Exec> const& scratch, Weight* rounds) {
  auto const& part = refinement.part;
  RefinementLoops<Objective> const loops{whole_loop(refinement, objective, scratch, rounds), &part};
  auto const needs = needs_of_part<Exec>(part, refinement.graph, refinement.blocks, objective);
  auto loop = loops.of(0);
  loop.started = start_apart(ex, refinement, objective, needs);
  ex.resident(needs, loop);
}

/// Refines every scope by a crew of its own.
template <CrewExecutor Exec, class Objective>
void refine_scopes(Exec& ex, Refinement const& refinement, Objective const& objective,
                   RefinementScratch<Exec> const& scratch, Weight* rounds) {
  auto const& blocks = refinement.blocks;
  Block const scopes = blocks.num_scopes();
  auto const parts = scopes_as_parts(ex, refinement.graph.num_vertices, blocks, refinement.state.block);
  auto part_buffer = ex.template buffer<Part>(parts.size());
  ex.upload(parts.part.data(), scopes, part_buffer.data());
  std::vector<ResidentNeeds> needs;
  for (auto const& part : parts.part) needs.push_back(needs_of_part<Exec>(part, refinement.graph, blocks, objective));
  auto loop = whole_loop(refinement, objective, scratch, nullptr);
  loop.started =
      start_apart(ex, refinement, objective, needs_of_part<Exec>(refinement.part, refinement.graph, blocks, objective));
  ex.resident_parts(needs, RefinementLoops<Objective>{loop, part_buffer.data()});
  auto const* const scope = refinement.state.scope;
  ex.for_each(1, [=] PROCMAP_LAMBDA(Edge) {
    std::int32_t most = 0;
    for (Block s = 0; s < scopes; ++s) most = scope[s].rounds > most ? scope[s].rounds : most;
    *rounds += most;
  });
}

/// Jet's refinement (paper, refinement) of all scopes at once: label propagation while a scope is
/// balanced, rebalancing while it is not, each scope on its own clock, until none makes progress.
/// `block` ends as the best mapping met: least overload, then least cost. It is never worse than
/// it was. Vertices with several weights are refined by refine_weights() instead. Adds its rounds to the summary of
/// `scratch`, and waits for nothing where one team refines everything.
template <HostExecutor Exec, class Objective>
void refine(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch, Block* block,
            RefinementRules const& rules) {
  if (problem.graph.num_loads > 0) return refine_weights(ex, problem, scratch, block, rules);
  auto const& [graph, objective, blocks, anchors, copies] = problem;
  // Buckets move so many vertices at once that fresh sums of hubs are sooner done than updates of their tables.
  bool const keeps = rules.config.rebalancing == Rebalancing::sorted;
  auto const tables = keeps ? scratch.tables_of(ex, graph) : KeptTables{};
  Refinement const refinement{graph, blocks, scratch.view(block, anchors, tables), rules, whole_part(graph, blocks)};
  auto* const rounds = &scratch.summary.data()->rounds;
  if constexpr (Exec::has_small_teams) {
    if (auto const parts = parts_of(ex, problem, block); parts.size() > 1) {
      ex.for_each_part(static_cast<Edge>(parts.size()), graph.num_arcs, [&](Edge i, Exec& own) {
        auto part = refinement;
        part.part = parts[i];
        refine_part(own, part, problem.objective, scratch, nullptr);
      });
      auto const* const scope = refinement.state.scope;
      *rounds += ex.max(blocks.num_scopes(), [=](Edge s) { return scope[s].rounds; });
      return;
    }
  } else if constexpr (ObjectiveTraits<Objective>::all_equal) {
    constexpr Block fewest = 3, most = 1 << 12;  // scopes; fewer leave most of the machine idle
    Block const scopes = blocks.num_scopes();
    if (scopes >= fewest && scopes <= most && Exec::crews_hold(problem.objective.num_keys()))
      return refine_scopes(ex, refinement, problem.objective, scratch, rounds);
  }
  refine_part(ex, refinement, objective, scratch, rounds);
}

}  // namespace procmap
