// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/rebalance/move_list.hpp"
#include "refinement/rebalance/promising.hpp"

namespace procmap {

/// How many scopes do what in a round.
struct ModeCounts {
  Edge propagate = 0;
  Edge weak = 0;
  Edge strong = 0;
  Edge sorted = 0;

  PROCMAP_HD Edge rebalancing() const { return weak + strong + sorted; }
  PROCMAP_HD Edge running() const { return propagate + rebalancing(); }
};

/// Counts the modes mode_of(scope, group), each in a field of one sum.
template <ResidentExecutor Exec, class ModeOf>
PROCMAP_RESIDENT ModeCounts count_modes(Exec& ex, Part const& part, ModeOf mode_of) {
  constexpr int field = 15;  // bits
  constexpr Weight mask = (Weight{1} << field) - 1;
  ModeCounts modes;
  Block const end = part.first_scope + part.num_scopes;
  for (Block first = part.first_scope; first < end; first += mask) {  // as many as a field can count
    Block const left = end - first;
    Weight const sum = ex.sum_in_group(left < mask ? left : mask, [=] PROCMAP_LAMBDA(Edge s, auto group) -> Weight {
      switch (mode_of(first + static_cast<Block>(s), group)) {
        case ScopeMode::done:
          return 0;
        case ScopeMode::propagate:
          return 1;
        case ScopeMode::rebalance_weak:
          return Weight{1} << field;
        case ScopeMode::rebalance_strong:
          return Weight{1} << 2 * field;
        case ScopeMode::rebalance_sorted:
          return Weight{1} << 3 * field;
      }
      return 0;
    });
    modes.propagate += sum & mask;
    modes.weak += sum >> field & mask;
    modes.strong += sum >> 2 * field & mask;
    modes.sorted += sum >> 3 * field;
  }
  return modes;
}

/// The cheapest move of every listed vertex, without those that have nowhere to go. `all` and `kept` have room for
/// as many moves; the result is in `kept`.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT MoveList cheapest_exits(Exec& ex, CheapestExit<Objective> const& exit, VertexList candidates,
                                         RebalanceMove* all, RebalanceMove* kept) {
  auto const phase = ex.phase("find exits");
  auto const* const list = candidates.vertex;
  Edge const count = candidates.count;
  ex.for_each_with_table(
      count,
      [=, &exit] PROCMAP_LAMBDA(Edge i) {
        return see_needs(exit.graph, exit.state, exit.objective, exit.blocks.per_scope, list[i]);
      },
      exit.objective.num_keys(),
      [=, &exit] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        RebalanceMove const move = exit(list[i], group, table);
        if (group.rank() == 0) all[i] = move;
      });
  return {kept, ex.collect(
                    count, [=] PROCMAP_LAMBDA(Edge i) { return all[i].target != no_block; },
                    [=] PROCMAP_LAMBDA(Edge i) { return all[i]; }, kept)};
}

/// Sorts `exits`, and keeps in `room` those that cover the excess.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT MoveList sorted_excess(Exec& ex, Refinement const& refinement, MoveList exits,
                                        RebalanceScratch const& scratch, RebalanceMove* room) {
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const* const moves = exits.move;
  ex.sort(exits.move, exits.count, MoveOrder<SourceOf>{});
  auto const before = weight_before(ex, refinement, exits, SourceOf{}, scratch);
  return keep_moves(
      ex, exits,
      [=] PROCMAP_LAMBDA(Edge i) {
        Block const from = moves[i].source;
        return before(i, from) < state.block_weight[from] - blocks.capacity[from];
      },
      room);
}

/// Of every overloaded block, the cheapest moves that cover its excess, in `room`; in order if somebody `wants_order`.
/// Changes the order of `exits`.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT MoveList take_excess(Exec& ex, Refinement const& refinement, MoveList exits, bool wants_order,
                                      RebalanceScratch const& scratch, RebalanceMove* room) {
  auto const phase = ex.phase("take excess");
  if constexpr (picks_first<Exec>) {
    auto const blocks = refinement.blocks;
    auto const state = refinement.state;
    MoveList first{room, 0};
    pick_first<SourceOf, false>(
        refinement.graph, exits, [&](Block from) { return state.block_weight[from] - blocks.capacity[from] - 1; },
        [&](RebalanceMove const& move) { first.move[first.count++] = move; });
    if (wants_order) ex.sort(first.move, first.count, MoveOrder<SourceOf>{});
    return first;
  } else {
    return sorted_excess(ex, refinement, exits, scratch, room);
  }
}

/// Sorts `wanted`, and proposes those that fit.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT void fit_sorted(Exec& ex, Refinement const& refinement, MoveList wanted,
                                 RebalanceScratch const& scratch, VertexList& movers) {
  auto const graph = refinement.graph;
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const* const moves = wanted.move;
  ex.sort(wanted.move, wanted.count, MoveOrder<TargetOf>{});
  auto const before = weight_before(ex, refinement, wanted, TargetOf{}, scratch);
  auto const fits = [=] PROCMAP_LAMBDA(Edge i) {
    Block const to = moves[i].target;
    return state.block_weight[to] + before(i, to) + graph.vertex_weight(moves[i].vertex) <= blocks.capacity[to];
  };
  propose_kept(ex, state, wanted, fits, movers);
}

/// Of the moves into every block proposes the cheapest that fit (the second side of the sorted rebalance). Changes the
/// order of `wanted`.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT void fit_targets(Exec& ex, Refinement const& refinement, MoveList wanted,
                                  RebalanceScratch const& scratch, VertexList& movers) {
  auto const phase = ex.phase("fit targets");
  if constexpr (picks_first<Exec>) {
    auto const blocks = refinement.blocks;
    auto const state = refinement.state;
    pick_first<TargetOf, true>(
        refinement.graph, wanted, [&](Block to) { return blocks.capacity[to] - state.block_weight[to]; },
        [&](RebalanceMove const& move) {
          state.proposal[move.vertex] = move.target;
          movers.vertex[movers.count++] = move.vertex;
        });
  } else {
    fit_sorted(ex, refinement, wanted, scratch, movers);
  }
}

/// Deals the moves of every scope out to its blocks below sigma, in order, as far as there is room
/// (paper, strong rebalancing): nobody becomes overloaded, whatever the move costs.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT void deal_out(Exec& ex, Refinement const& refinement, MoveList wanted, RebalanceScratch const& scratch,
                               VertexList& movers) {
  auto const phase = ex.phase("deal out");
  auto const graph = refinement.graph;
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const& config = refinement.rules.config;
  auto* const moves = wanted.move;
  auto const before = weight_before(ex, refinement, wanted, ScopeOf{blocks}, scratch);
  Block const first_block = refinement.first_block();
  auto room_buffer = ex.template buffer<Edge>(static_cast<std::size_t>(refinement.num_blocks()) + 1);
  auto* const room_of_block = room_buffer.data();
  Weight const most =
      (Weight{1} << 62) / (blocks.num_blocks > 0 ? blocks.num_blocks : 1);  // their sum does not overflow
  ex.scan(
      refinement.num_blocks(),
      [=, &config] PROCMAP_LAMBDA(Edge i) -> Edge {
        Edge const b = first_block + i;
        Weight const room = sigma(config, blocks.capacity[b]) - state.block_weight[b];
        return room > most ? most : room > 0 ? room : 0;
      },
      room_of_block);
  auto const room_before = [=] PROCMAP_LAMBDA(Block b) { return room_of_block[b - first_block]; };
  ex.for_each(wanted.count, [=] PROCMAP_LAMBDA(Edge i) {
    Weight const load = graph.vertex_weight(moves[i].vertex);
    Block const scope = blocks.scope_of(moves[i].source);
    Block low = blocks.first_of(scope);
    Block high = low + blocks.per_scope;
    Weight const place = room_before(low) + before(i, scope);
    if (place + load > room_before(high)) {
      moves[i].target = no_block;
      return;
    }
    while (low + 1 < high) {  // the last block whose room begins at or before `place`
      Block const middle = low + (high - low) / 2;
      if (room_before(middle) <= place)
        low = middle;
      else
        high = middle;
    }
    Weight const filled = place + load - room_before(low);  // the last vertex may reach beyond sigma
    moves[i].target = state.block_weight[low] + filled <= blocks.capacity[low] ? low : no_block;
  });
  auto const is_elsewhere = [=] PROCMAP_LAMBDA(Edge i) {
    return moves[i].target != no_block && moves[i].target != moves[i].source;
  };
  propose_kept(ex, state, wanted, is_elsewhere, movers);
}

/// The block with the most room in every group of the objective and in every scope.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT RoomiestView find_roomiest(Exec& ex, Refinement const& refinement, Objective const& objective,
                                            Block* of_group, Block* of_scope) {
  auto const phase = ex.phase("find roomiest");
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  Vertex const num_groups = objective.num_groups();
  Block const first_scope = refinement.part.first_scope;
  auto const range_of = [=, &objective] PROCMAP_LAMBDA(Edge i) {
    if (i < num_groups) return objective.group(static_cast<Vertex>(i));
    Block const first = blocks.first_of(first_scope + static_cast<Block>(i - num_groups));
    return BlockRange{first, first + blocks.per_scope};
  };
  auto const size_of = [=] PROCMAP_LAMBDA(Edge i) -> Edge { return range_of(i).last - range_of(i).first; };
  ex.for_each_in_group(Edge{num_groups} + refinement.part.num_scopes, size_of, [=] PROCMAP_LAMBDA(Edge i, auto group) {
    Block const best = roomiest_of(state, blocks, range_of(i), group);
    if (group.rank() == 0) (i < num_groups ? of_group[i] : of_scope[i - num_groups]) = best;
  });
  return {of_group, of_scope, first_scope};
}

/// Is the scope of move i in `mode`?
struct InMode {
  BlocksView blocks;
  RefinementView state;
  RebalanceMove const* move;
  ScopeMode mode;

  PROCMAP_HD bool operator()(Edge i) const { return state.scope[blocks.scope_of(move[i].source)].mode == mode; }
};

/// Carries out what every scope wants in its own mode.
template <ResidentExecutor Exec>
PROCMAP_RESIDENT void propose_exits(Exec& ex, Refinement const& refinement, ModeCounts const& modes, MoveList wanted,
                                    RebalanceScratch const& scratch, VertexList& movers) {
  auto* const room = scratch.spare;
  auto const state = refinement.state;
  auto const in_mode = [&](ScopeMode mode) { return InMode{refinement.blocks, state, wanted.move, mode}; };
  if (modes.weak > 0) propose_kept(ex, state, wanted, in_mode(ScopeMode::rebalance_weak), movers);
  if (modes.sorted > 0) {
    bool const only_sorted = modes.weak + modes.strong == 0;
    auto const mine = only_sorted ? wanted : keep_moves(ex, wanted, in_mode(ScopeMode::rebalance_sorted), room);
    fit_targets(ex, refinement, mine, scratch, movers);
  }
  if (modes.strong > 0) {
    auto const mine = keep_moves(ex, wanted, in_mode(ScopeMode::rebalance_strong), room);
    deal_out(ex, refinement, mine, scratch, movers);
  }
}

/// Proposes moves out of the overloaded blocks of all scopes that rebalance, each in its own mode, and
/// appends the vertices to `movers`. `list` has room for all vertices; `seed` breaks ties of this round.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT void rebalance(Exec& ex, Refinement const& refinement, Objective const& objective, std::uint64_t seed,
                                ModeCounts const& modes, Vertex* list, VertexList& movers) {
  typename Exec::ScratchScope const scope(ex);
  auto const& [graph, blocks, state, rules, part] = refinement;
  auto const of_group = ex.template buffer<Block>(static_cast<std::size_t>(objective.num_groups()));
  auto const of_scope = ex.template buffer<Block>(static_cast<std::size_t>(part.num_scopes));
  auto const num_blocks = static_cast<std::size_t>(refinement.num_blocks());
  auto const buckets = ex.template buffer<Weight>(num_blocks * std::size_t{LossHistogram::num_buckets});
  LossHistogram const histogram{buckets.data(), graph, state, refinement.first_block()};
  clear_histogram(ex, refinement, histogram);
  auto const roomiest = find_roomiest(ex, refinement, objective, of_group.data(), of_scope.data());

  auto const candidates = list_candidates(ex, refinement, list);
  renew_gains(ex, blocks, RenewDestination<Objective>{graph, objective, blocks, state, rules, seed}, histogram,
              candidates);
  auto const room = ex.template buffer<Vertex>(static_cast<std::size_t>(candidates.count));
  auto const promising = keep_promising(ex, refinement, histogram, candidates, room.data());

  auto const moves = static_cast<std::size_t>(promising.count);
  auto const first_room = ex.template buffer<RebalanceMove>(moves), spare = ex.template buffer<RebalanceMove>(moves);
  auto const prefix = ex.template buffer<Edge>(moves + 1);
  auto const group_start = ex.template buffer<Weight>(num_blocks);
  RebalanceScratch const scratch{prefix.data(), group_start.data(), spare.data()};
  CheapestExit<Objective> const exit{graph, objective, blocks, state, rules.config, roomiest, seed};
  auto const exits = cheapest_exits(ex, exit, promising, first_room.data(), scratch.spare);
  Edge const items = exits.count > refinement.num_blocks() ? exits.count : refinement.num_blocks();
  movers.count = ex.by_few(items, [&](auto& own) -> Edge {
    auto const wanted = take_excess(own, refinement, exits, modes.strong > 0, scratch, first_room.data());
    auto more = movers;
    propose_exits(own, refinement, modes, wanted, scratch, more);
    return more.count;
  });
}

/// Room for all buffers that one rebalancing makes, whatever it finds.
template <class Exec, class Objective>
std::size_t rebalance_bytes(Part const& part, BlocksView const& blocks, Objective const& objective) {
  auto const n = static_cast<std::size_t>(part.num_vertices);
  auto const scopes = static_cast<std::size_t>(part.num_scopes);
  auto const k = scopes * static_cast<std::size_t>(blocks.per_scope);
  auto const groups = static_cast<std::size_t>(objective.num_groups()) + scopes;
  return Exec::template scratch_bytes<Vertex>(n) + 3 * Exec::template scratch_bytes<RebalanceMove>(n) +
         Exec::template scratch_bytes<Edge>(n + 1) + Exec::pass_bytes(std::max(n, groups)) +
         2 * Exec::template scratch_bytes<Block>(groups) +
         Exec::template scratch_bytes<Weight>(k * loss_histogram_buckets) + Exec::template scratch_bytes<Weight>(k) +
         Exec::template scratch_bytes<std::int32_t>(k) + Exec::template scratch_bytes<Edge>(k + 1);
}

}  // namespace procmap
