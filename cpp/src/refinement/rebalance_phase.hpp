// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
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

/// Lists the vertices that may leave an overloaded block of a scope that rebalances.
template <Executor Exec>
Edge list_candidates(Exec& ex, CsrView graph, BlocksView blocks, RefinementView state, RebalanceRules rules,
                     Vertex* list) {
  return ex.select(
      graph.num_vertices,
      [=] PROCMAP_LAMBDA(Edge v) {
        Block const from = state.block[v];
        if (state.block_weight[from] <= blocks.capacity[from]) return false;
        ScopeState const& scope = state.scope[blocks.scope_of(from)];
        if (scope.mode <= ScopeMode::propagate) return false;
        return may_leave(state, blocks, rules, scope, from, graph.vertex_weight(static_cast<Vertex>(v)));
      },
      [=] PROCMAP_LAMBDA(Edge v) { return static_cast<Vertex>(v); }, list);
}

/// Brings the cached gains of the listed vertices up to date.
template <Executor Exec, class Objective>
void renew_gains(Exec& ex, BlocksView blocks, RenewDestination<Objective> renew, Vertex const* list, Edge count) {
  auto const state = renew.state;
  ex.for_each_with_table(
      count,
      [=] PROCMAP_LAMBDA(Edge i) -> Edge {
        return state.dirty[list[i]] ? connectivity_bound(renew.graph, renew.objective, blocks.per_scope, list[i]) : 0;
      },
      renew.objective.num_keys(),
      [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        Vertex const v = list[i];
        if (!state.dirty[v]) return;
        bool const keep = renew(v, group, table);
        if (group.rank() == 0)
          state.mark[v] = static_cast<std::uint8_t>(keep ? state.mark[v] | eager : state.mark[v] & ~unsigned{eager});
      });
}

/// Of the listed vertices keeps, for every block, those whose cached gain says that they may be among the
/// cheapest `reserve` times the excess: a histogram of the losses is much cheaper than to look at all of a
/// block. A scope that moved nothing in the last round looks at all. Returns the new length.
template <Executor Exec>
Edge keep_promising(Exec& ex, CsrView graph, BlocksView blocks, RefinementView state, RebalanceRules rules,
                    Vertex* list, Edge count, Vertex* kept) {
  constexpr Edge num_buckets = loss_histogram_buckets;
  Edge const entries = Edge{blocks.num_blocks} * num_buckets;
  auto histogram_buffer = ex.template buffer<Weight>(static_cast<std::size_t>(entries));
  auto cutoff_buffer = ex.template buffer<std::int32_t>(static_cast<std::size_t>(blocks.num_blocks));
  auto* const histogram = histogram_buffer.data();
  auto* const cutoff = cutoff_buffer.data();
  auto const bucket_of = [=] PROCMAP_LAMBDA(Vertex v) {
    return histogram_bucket(loss_bucket(-state.gain[v], graph.vertex_weight(v)));
  };
  auto const overloaded = [=] PROCMAP_LAMBDA(Edge b) { return state.block_weight[b] > blocks.capacity[b]; };
  ex.for_each(blocks.num_blocks, [=] PROCMAP_LAMBDA(Edge b) {  // the rows of other blocks are never read
    if (!overloaded(b)) return;
    for (Edge bucket = 0; bucket < num_buckets; ++bucket) histogram[b * num_buckets + bucket] = 0;
  });
  ex.for_each(count, [=] PROCMAP_LAMBDA(Edge i) {
    Vertex const v = list[i];
    atomic_add(&histogram[state.block[v] * num_buckets + bucket_of(v)], graph.vertex_weight(v));
  });
  ex.for_each(blocks.num_blocks, [=] PROCMAP_LAMBDA(Edge b) {
    if (!overloaded(b)) return;
    auto const excess = static_cast<double>(state.block_weight[b] - blocks.capacity[b]);
    double const wanted = rules.reserve * excess;
    std::int32_t last = 0;
    auto sum = static_cast<double>(histogram[b * num_buckets]);
    while (last + 1 < num_buckets && sum < wanted) sum += static_cast<double>(histogram[b * num_buckets + ++last]);
    cutoff[b] = state.scope[blocks.scope_of(static_cast<Block>(b))].moved ? last : num_buckets;
  });
  return ex.select(
      count, [=] PROCMAP_LAMBDA(Edge i) { return bucket_of(list[i]) <= cutoff[state.block[list[i]]]; },
      [=] PROCMAP_LAMBDA(Edge i) { return list[i]; }, kept);
}

/// The cheapest move of every listed vertex, without those that have nowhere to go.
template <Executor Exec, class Objective>
MoveList<Exec> cheapest_exits(Exec& ex, CheapestExit<Objective> exit, Vertex const* list, Edge count) {
  auto buffer = ex.template buffer<RebalanceMove>(static_cast<std::size_t>(count));
  auto* const moves = buffer.data();
  ex.for_each_with_table(
      count,
      [=] PROCMAP_LAMBDA(Edge i) {
        return connectivity_bound(exit.graph, exit.objective, exit.blocks.per_scope, list[i]);
      },
      exit.objective.num_keys(),
      [=] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        RebalanceMove const move = exit(list[i], group, table);
        if (group.rank() == 0) moves[i] = move;
      });
  return keep_moves(ex, moves, count, [=] PROCMAP_LAMBDA(Edge i) { return moves[i].target != no_block; });
}

/// Sorts by group, then by loss; ties by hash, then by id.
template <Executor Exec, class GroupOf>
void sort_moves(Exec& ex, RebalanceMove* moves, Edge count, GroupOf group_of) {
  ex.sort(moves, count, [=] PROCMAP_LAMBDA(RebalanceMove const& a, RebalanceMove const& b) {
    if (group_of(a) != group_of(b)) return group_of(a) < group_of(b);
    if (a.loss_key != b.loss_key) return a.loss_key < b.loss_key;
    return a.noise != b.noise ? a.noise < b.noise : a.vertex < b.vertex;
  });
}

/// Of every overloaded block, the cheapest moves that cover its excess.
template <Executor Exec>
MoveList<Exec> take_excess(Exec& ex, BlocksView blocks, RefinementView state, MoveList<Exec> exits) {
  auto* const moves = exits.data();
  auto const source_of = [] PROCMAP_LAMBDA(RebalanceMove const& move) { return move.source; };
  sort_moves(ex, moves, exits.count, source_of);
  auto const before = weight_before(ex, moves, exits.count, blocks.num_blocks, source_of);
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
  auto const target_of = [] PROCMAP_LAMBDA(RebalanceMove const& move) { return move.target; };
  sort_moves(ex, moves, wanted.count, target_of);
  auto const before = weight_before(ex, moves, wanted.count, blocks.num_blocks, target_of);
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
  auto const before =
      weight_before(ex, moves, wanted.count, blocks.num_scopes(),
                    [=] PROCMAP_LAMBDA(RebalanceMove const& move) { return blocks.scope_of(move.source); });
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
    Weight const filled = place + moves[i].weight - room_before[low];  // the last vertex may reach beyond sigma
    moves[i].target = state.block_weight[low] + filled <= blocks.capacity[low] ? low : no_block;
  });
  return keep_moves(ex, moves, wanted.count, [=] PROCMAP_LAMBDA(Edge i) {
    return moves[i].target != no_block && moves[i].target != moves[i].source;
  });
}

/// Proposes moves out of the overloaded blocks of all scopes that rebalance, each in its own mode, and
/// appends the vertices to `movers`. Returns the new number of movers.
template <Executor Exec, class Objective>
Edge rebalance(Exec& ex, BlocksView blocks, RenewDestination<Objective> renew, RebalanceRules rules, Vertex* list,
               Vertex* movers, Edge num_movers) {
  Phase phase(ex.run(), "rebalance");
  auto const graph = renew.graph;
  auto const objective = renew.objective;
  auto const state = renew.state;
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

  Edge count = list_candidates(ex, graph, blocks, state, rules, list);
  auto promising = ex.template buffer<Vertex>(static_cast<std::size_t>(count));
  renew_gains(ex, blocks, renew, list, count);
  count = keep_promising(ex, graph, blocks, state, rules, list, count, promising.data());
  CheapestExit<Objective> const exit{graph,     objective, blocks, state, rules, {group_roomiest, scope_roomiest},
                                     renew.seed};
  auto wanted = take_excess(ex, blocks, state, cheapest_exits(ex, exit, promising.data(), count));
  auto* const all = wanted.data();
  auto const of_mode = [&](ScopeMode mode) {
    return keep_moves(ex, all, wanted.count,
                      [=] PROCMAP_LAMBDA(Edge i) { return state.scope[blocks.scope_of(all[i].source)].mode == mode; });
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
