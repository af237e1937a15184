// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/rebalance.hpp"

namespace procmap {

/// A list of moves in the order in which they are wanted.
template <class Exec>
struct MoveList {
  Buffer<Exec, RebalanceMove> buffer;
  Edge count = 0;
  RebalanceMove* data() const { return buffer.data(); }
};

template <Executor Exec, class Keep>
MoveList<Exec> keep_moves(Exec& ex, RebalanceMove const* moves, Edge count, Keep keep) {
  MoveList<Exec> kept{ex.template buffer<RebalanceMove>(static_cast<std::size_t>(count)), 0};
  kept.count = ex.select(count, keep, [=] PROCMAP_LAMBDA(Edge i) { return moves[i]; }, kept.data());
  return kept;
}

/// Weight of the moves before move i that share its group; moves of a group are adjacent.
template <class Exec>
struct WeightBefore {
  Buffer<Exec, Edge> prefix;         // over all moves
  Buffer<Exec, Weight> group_start;  // prefix at the first move of a group

  struct View {
    Edge const* prefix;
    Weight const* group_start;
    PROCMAP_HD Weight operator()(Edge i, Block group) const { return prefix[i] - group_start[group]; }
  };
  View view() const { return {prefix.data(), group_start.data()}; }
};

template <Executor Exec, class GroupOf>
WeightBefore<Exec> weight_before(Exec& ex, RebalanceMove const* moves, Edge count, Block num_groups, GroupOf group_of) {
  WeightBefore<Exec> result{ex.template buffer<Edge>(static_cast<std::size_t>(count) + 1),
                            ex.template buffer<Weight>(static_cast<std::size_t>(num_groups))};
  auto* const prefix = result.prefix.data();
  auto* const group_start = result.group_start.data();
  ex.scan(count, [=] PROCMAP_LAMBDA(Edge i) { return moves[i].weight; }, prefix);
  ex.for_each(count, [=] PROCMAP_LAMBDA(Edge i) {
    if (i == 0 || group_of(moves[i]) != group_of(moves[i - 1])) group_start[group_of(moves[i])] = prefix[i];
  });
  return result;
}

/// The cheapest move of every vertex that may leave an overloaded block of a scope that rebalances.
template <Executor Exec, class Objective>
MoveList<Exec> collect_exits(Exec& ex, CheapestExit<Objective> exit, Vertex* list) {
  auto const graph = exit.graph;
  auto const blocks = exit.blocks;
  auto const state = exit.state;
  auto const rules = exit.rules;
  Edge const count = ex.select(
      graph.num_vertices,
      [=] PROCMAP_LAMBDA(Edge v) {
        Block const from = state.block[v];
        ScopeState const& scope = state.scope[blocks.scope_of(from)];
        if (scope.mode <= ScopeMode::propagate) return false;
        return may_leave(state, blocks, rules, scope, from, graph.vertex_weight(static_cast<Vertex>(v)));
      },
      [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, list);
  auto buffer = ex.template buffer<RebalanceMove>(static_cast<std::size_t>(count));
  auto* const moves = buffer.data();
  ex.for_each_with_table(
      count,
      [=] PROCMAP_LAMBDA(Edge i) { return connectivity_bound(graph, exit.objective, blocks.per_scope, list[i]); },
      exit.objective.num_keys(),
      [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        RebalanceMove const move = exit(list[i], group, table);
        if (group.rank() == 0) moves[i] = move;
      });
  return keep_moves(ex, moves, count, [=] PROCMAP_LAMBDA(Edge i) { return moves[i].target != no_block; });
}

/// Of every overloaded block, the cheapest moves that cover its excess.
template <Executor Exec>
MoveList<Exec> take_excess(Exec& ex, BlocksView blocks, RefinementView state, MoveList<Exec> exits) {
  auto* const moves = exits.data();
  ex.sort(moves, exits.count, [] PROCMAP_LAMBDA(RebalanceMove const& a, RebalanceMove const& b) {
    if (a.source != b.source) return a.source < b.source;
    if (a.loss_key != b.loss_key) return a.loss_key < b.loss_key;
    return a.noise != b.noise ? a.noise < b.noise : a.vertex < b.vertex;
  });
  auto const before = weight_before(ex, moves, exits.count, blocks.num_blocks,
                                    [] PROCMAP_LAMBDA(RebalanceMove const& move) { return move.source; });
  auto const before_view = before.view();
  return keep_moves(ex, moves, exits.count, [=] PROCMAP_LAMBDA(Edge i) {
    Block const from = moves[i].source;
    return before_view(i, from) < state.block_weight[from] - blocks.capacity[from];
  });
}

/// Of the moves into every block, the cheapest that fit (the second side of the sorted rebalance).
template <Executor Exec>
MoveList<Exec> fit_targets(Exec& ex, BlocksView blocks, RefinementView state, MoveList<Exec> wanted) {
  auto* const moves = wanted.data();
  ex.sort(moves, wanted.count, [] PROCMAP_LAMBDA(RebalanceMove const& a, RebalanceMove const& b) {
    if (a.target != b.target) return a.target < b.target;
    if (a.loss_key != b.loss_key) return a.loss_key < b.loss_key;
    return a.noise != b.noise ? a.noise < b.noise : a.vertex < b.vertex;
  });
  auto const before = weight_before(ex, moves, wanted.count, blocks.num_blocks,
                                    [] PROCMAP_LAMBDA(RebalanceMove const& move) { return move.target; });
  auto const before_view = before.view();
  return keep_moves(ex, moves, wanted.count, [=] PROCMAP_LAMBDA(Edge i) {
    Block const to = moves[i].target;
    return state.block_weight[to] + before_view(i, to) + moves[i].weight <= blocks.capacity[to];
  });
}

/// Deals the moves of every scope out to its blocks below sigma, in order, as far as there is room
/// (paper, strong rebalancing): nobody becomes overloaded, whatever the move costs.
template <Executor Exec>
MoveList<Exec> deal_out(Exec& ex, BlocksView blocks, RefinementView state, RebalanceRules rules,
                        MoveList<Exec> wanted) {
  auto* const moves = wanted.data();
  auto const before = weight_before(ex, moves, wanted.count, blocks.num_scopes(), [=] PROCMAP_LAMBDA(
      RebalanceMove const& move) { return blocks.scope_of(move.source); });
  auto const before_view = before.view();
  auto room_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(blocks.num_blocks) + 1);
  auto* const room_before = room_buffer.data();
  ex.scan(
      blocks.num_blocks,
      [=] PROCMAP_LAMBDA(Edge b) -> Edge {
        Weight const room = rules.sigma(blocks.capacity[b]) - state.block_weight[b];
        return room > 0 ? room : 0;
      },
      room_before);
  ex.for_each(wanted.count, [=] PROCMAP_LAMBDA(Edge i) {
    Block const scope = blocks.scope_of(moves[i].source);
    Block low = blocks.first_of(scope);
    Block high = low + blocks.per_scope;
    Weight const place = room_before[low] + before_view(i, scope);
    if (place + moves[i].weight > room_before[high]) {
      moves[i].target = no_block;
      return;
    }
    while (low + 1 < high) {  // the last block whose room begins at or before `place`
      Block const middle = low + (high - low) / 2;
      if (room_before[middle] <= place)
        low = middle;
      else
        high = middle;
    }
    moves[i].target = low;
  });
  return keep_moves(ex, moves, wanted.count, [=] PROCMAP_LAMBDA(Edge i) {
    return moves[i].target != no_block && moves[i].target != moves[i].source;
  });
}

/// Proposes moves out of the overloaded blocks of all scopes that rebalance, each in its own mode, and
/// appends the vertices to `movers`. Returns the new number of movers.
template <Executor Exec, class Objective>
Edge rebalance(Exec& ex, CsrView graph, Objective objective, BlocksView blocks, RefinementView state,
               RebalanceRules rules, std::uint64_t seed, Vertex* list, Vertex* movers, Edge num_movers) {
  Phase phase(ex.run(), "rebalance");
  auto of_group = ex.template buffer<Block>(static_cast<std::size_t>(objective.num_groups()));
  auto of_scope = ex.template buffer<Block>(static_cast<std::size_t>(blocks.num_scopes()));
  auto* const group_roomiest = of_group.data();
  auto* const scope_roomiest = of_scope.data();
  ex.for_each(objective.num_groups(), [=] PROCMAP_LAMBDA(Edge j) {
    group_roomiest[j] = roomiest_of(state, blocks, objective.group(static_cast<Vertex>(j)));
  });
  ex.for_each(blocks.num_scopes(), [=] PROCMAP_LAMBDA(Edge s) {
    Block const first = blocks.first_of(static_cast<Block>(s));
    scope_roomiest[s] = roomiest_of(state, blocks, {first, first + blocks.per_scope});
  });

  CheapestExit<Objective> const exit{graph, objective, blocks, state, rules, {group_roomiest, scope_roomiest}, seed};
  auto wanted = take_excess(ex, blocks, state, collect_exits(ex, exit, list));
  auto* const all = wanted.data();
  auto const of_mode = [&](ScopeMode mode) {
    return keep_moves(ex, all, wanted.count, [=] PROCMAP_LAMBDA(Edge i) {
      return state.scope[blocks.scope_of(all[i].source)].mode == mode;
    });
  };
  auto const propose = [&](MoveList<Exec> const& moves) {
    auto const* const data = moves.data();
    ex.for_each(moves.count, [=] PROCMAP_LAMBDA(Edge i) {
      state.proposal[data[i].vertex] = data[i].target;
      movers[num_movers + i] = data[i].vertex;
    });
    num_movers += moves.count;
  };
  propose(of_mode(ScopeMode::rebalance_weak));
  propose(fit_targets(ex, blocks, state, of_mode(ScopeMode::rebalance_sorted)));
  propose(deal_out(ex, blocks, state, rules, of_mode(ScopeMode::rebalance_strong)));
  return num_movers;
}

}  // namespace procmap
