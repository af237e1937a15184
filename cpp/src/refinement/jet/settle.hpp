// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/jet/jet.hpp"
#include "refinement/jet/propose_gains.hpp"

namespace procmap {

/// accepted[i]: no neighbour of the i-th active vertex has a better proposal, so its gain is what it will be.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT void choose_independent(Exec& ex, Refinement const& refinement, VertexList list,
                                         std::uint8_t* accepted) {
  auto const phase = ex.phase("choose independent");
  auto const graph = refinement.graph;
  auto const state = refinement.state;
  auto const* const active = list.vertex;
  ex.for_each_in_group(list.count, DegreeOfListed{graph, active}, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    Vertex const v = active[i];
    bool first = state.proposal[v] != no_block;
    if (first) {
      Weight better = 0;
      for (Edge e = graph.begin(v) + group.rank(); better == 0 && e < graph.end(v); e += group.size()) {
        Vertex const u = graph.heads[e];
        if (u != v && state.proposal[u] != no_block && moves_before(state.gain[u], u, state.gain[v], v)) ++better;
      }
      first = group.sum(better) == 0;
    }
    if (group.rank() == 0) accepted[i] = first;
  });
}

/// Rounds of independent moves, each of which lowers the cost and fits, until no single move does both.
template <class Objective>
struct SettleLoop {
  Refinement refinement;
  Objective objective;
  Vertex* active;
  Vertex* movers;
  std::uint8_t* accepted;
  WishLists wishes;
  bool started = false;

  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT void operator()(Exec& ex) const {
    if (!started) start_refinement(ex, refinement, objective);
    Edge moved = 1;
    for (int round = 0; moved > 0 && round < refinement.rules.config.max_rounds; ++round) {
      auto const seed = hash(refinement.rules.seed, static_cast<std::uint64_t>(round));
      auto const candidates = undecided(ex);
      propose_gains(ex, refinement, objective, wishes, seed, candidates);
      choose_independent(ex, refinement, candidates, accepted);
      auto const moving = fitting(ex, candidates, seed);
      apply_moves(ex, refinement, objective, moving);
      moved = moving.count;
    }
  }

  /// The vertices whose surroundings changed, and those that waited for room or for a neighbour.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT VertexList undecided(Exec& ex) const {
    auto const phase = ex.phase("select undecided");
    auto const state = refinement.state;
    Edge const count = ex.collect(
        refinement.graph.num_vertices,
        [=] PROCMAP_LAMBDA(Edge v) { return state.dirty[v] || (state.mark[v] & Mark::wants); },
        [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, active);
    return {active, count};
  }

  /// Of the accepted moves into every block, the best that fit.
  template <ResidentExecutor Exec>
  PROCMAP_RESIDENT VertexList fitting(Exec& ex, VertexList candidates, std::uint64_t seed) const {
    typename Exec::ScratchScope const scope(ex);
    auto const state = refinement.state;
    auto const* const vertex = candidates.vertex;
    auto const wanted = ex.template buffer<RebalanceMove>(static_cast<std::size_t>(candidates.count));
    Edge const count = ex.collect(
        candidates.count, [accepted = accepted] PROCMAP_LAMBDA(Edge i) { return accepted[i] != 0; },
        [=] PROCMAP_LAMBDA(Edge i) {
          Vertex const v = vertex[i];
          auto const noise = static_cast<std::uint32_t>(hash(seed, static_cast<std::uint64_t>(v)) >> 32);
          return RebalanceMove{-state.gain[v], noise, v, state.block[v], state.proposal[v]};
        },
        wanted.data());
    VertexList moving{movers, 0};
    auto const moves = static_cast<std::size_t>(count);
    auto const prefix = ex.template buffer<Edge>(moves + 1);
    auto const group_start = ex.template buffer<Weight>(static_cast<std::size_t>(refinement.blocks.num_blocks));
    RebalanceScratch const scratch{prefix.data(), group_start.data(), nullptr};
    fit_targets(ex, refinement, {wanted.data(), count}, scratch, moving);
    return moving;
  }
};

/// Leaves no move undone: moves single vertices, each to an adjacent block with room where the cost falls, until there
/// is no such move. The cost never rises, and no block that fits comes to exceed its capacity. `block` is where it
/// happens. With room for fewer wishes it takes longer to come to the same.
template <HostExecutor Exec, class Objective>
void settle(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch, Block* block,
            RefinementRules const& rules, Edge most_wishes) {
  if (problem.graph.num_loads > 0) return refine_weights(ex, problem, scratch, block, rules);
  auto const& [graph, objective, blocks, anchors, copies] = problem;
  auto const all = whole_part(graph, blocks);
  auto const lists = ex.template buffer<WishList>(static_cast<std::size_t>(graph.num_vertices));
  ex.fill(lists.data(), graph.num_vertices, WishList{});
  auto const wishes = ex.template buffer<Wish>(static_cast<std::size_t>(most_wishes));
  auto const used_wishes = ex.template buffer<Edge>(1);
  ex.fill(used_wishes.data(), 1, Edge{0});
  SettleLoop<Objective> loop{{graph, blocks, scratch.view(block, anchors, scratch.tables_of(ex, graph)), rules, all},
                             objective,
                             scratch.active.data(),
                             scratch.movers.data(),
                             scratch.accepted.data(),
                             {lists.data(), wishes.data(), used_wishes.data(), most_wishes}};
  auto const needs = needs_of_part<Exec>(all, graph, blocks, objective);
  loop.started = start_apart(ex, loop.refinement, objective, needs);
  ex.resident(needs, loop);
}

template <HostExecutor Exec, class Objective>
void settle(Exec& ex, RefinementProblem<Objective> const& problem, RefinementScratch<Exec>& scratch, Block* block,
            RefinementRules const& rules) {
  settle(ex, problem, scratch, block, rules, WishLists::wishes_of(problem.graph.num_arcs));
}

}  // namespace procmap
