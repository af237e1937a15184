// SPDX-License-Identifier: MIT
#pragma once

#include "exec/first_of_groups.hpp"
#include "refinement/rebalance/rules.hpp"
#include "refinement/state/refinement.hpp"

namespace procmap {

// What moves are grouped by, and the first group of a part.
struct SourceOf {
  PROCMAP_HD static Block first_of(Refinement const& refinement) { return refinement.first_block(); }
  PROCMAP_HD Block operator()(RebalanceMove const& move) const { return move.source; }
};
struct TargetOf {
  PROCMAP_HD static Block first_of(Refinement const& refinement) { return refinement.first_block(); }
  PROCMAP_HD Block operator()(RebalanceMove const& move) const { return move.target; }
};
struct ScopeOf {
  BlocksView blocks;
  PROCMAP_HD static Block first_of(Refinement const& refinement) { return refinement.part.first_scope; }
  PROCMAP_HD Block operator()(RebalanceMove const& move) const { return blocks.scope_of(move.source); }
};

/// A list of moves in the order in which they are wanted.
struct MoveList {
  RebalanceMove* move = nullptr;
  Edge count = 0;
};

/// Puts the moves i of `list` with keep(i) into `room`, in the same order.
template <ResidentExecutor Exec, class Keep>
PROCMAP_RESIDENT MoveList keep_moves(Exec& ex, MoveList list, Keep keep, RebalanceMove* room) {
  auto const* const moves = list.move;
  return {room, ex.select(list.count, keep, [=] PROCMAP_LAMBDA(Edge i) { return moves[i]; }, room)};
}

/// Weight of the moves before move i that share its group; moves of a group are adjacent.
struct WeightBefore {
  Edge const* prefix;         // over all moves
  Weight const* group_start;  // prefix at the first move of a group
  Block first_group;

  PROCMAP_HD Weight operator()(Edge i, Block group) const { return prefix[i] - group_start[group - first_group]; }
};

/// Scratch memory of rebalancing.
struct RebalanceScratch {
  Edge* prefix;          // per move, and one more
  Weight* group_start;   // per block
  RebalanceMove* spare;  // per move: room for a second list
};

template <ResidentExecutor Exec, class GroupOf>
PROCMAP_RESIDENT WeightBefore weight_before(Exec& ex, Refinement const& refinement, MoveList list, GroupOf group_of,
                                            RebalanceScratch const& scratch) {
  auto const& graph = refinement.graph;
  Block const first = group_of.first_of(refinement);
  auto const* const moves = list.move;
  auto* const prefix = scratch.prefix;
  auto* const group_start = scratch.group_start;
  ex.scan(
      list.count, [=, &graph] PROCMAP_LAMBDA(Edge i) { return graph.vertex_weight(moves[i].vertex); }, prefix,
      [=] PROCMAP_LAMBDA(Edge i, Edge before) {
        if (i == 0 || group_of(moves[i]) != group_of(moves[i - 1])) group_start[group_of(moves[i]) - first] = before;
      });
  return {prefix, group_start, first};
}

/// Orders moves by group, then by loss; ties by hash, then by id.
template <class GroupOf>
struct MoveOrder {
  GroupOf group_of;

  PROCMAP_HD bool operator()(RebalanceMove const& a, RebalanceMove const& b) const {
    if (group_of(a) != group_of(b)) return group_of(a) < group_of(b);
    if (a.loss_key != b.loss_key) return a.loss_key < b.loss_key;
    return a.noise != b.noise ? a.noise < b.noise : a.vertex < b.vertex;
  }
};

/// What FirstOfGroups asks of moves.
template <class GroupOf, bool counts_own_, class Limit>
struct FirstMoves {
  static constexpr bool counts_own = counts_own_;

  CsrView graph;
  Limit limit;

  bool less(RebalanceMove const& a, RebalanceMove const& b) const { return MoveOrder<GroupOf>{}(a, b); }
  Block group(RebalanceMove const& move) const { return GroupOf{}(move); }
  Weight weight(RebalanceMove const& move) const { return graph.vertex_weight(move.vertex); }
};

/// pick(move) for the moves of every group that are the first in order until their weight reaches limit(group).
template <class GroupOf, bool counts_own, class Limit, class Pick>
void pick_first(CsrView graph, MoveList list, Limit limit, Pick pick) {
  using Rules = FirstMoves<GroupOf, counts_own, Limit>;
  FirstOfGroups<RebalanceMove, Rules>(Rules{graph, limit})(list.move, list.move + list.count, pick);
}

/// Proposes the moves i with keep(i) and appends their vertices to `movers`.
template <ResidentExecutor Exec, class Keep>
PROCMAP_RESIDENT void propose_kept(Exec& ex, RefinementView const& state, MoveList list, Keep keep,
                                   VertexList& movers) {
  auto const* const moves = list.move;
  auto const propose = [=] PROCMAP_LAMBDA(Edge i) {
    state.proposal[moves[i].vertex] = moves[i].target;
    return moves[i].vertex;
  };
  movers.count += ex.collect(list.count, keep, propose, movers.vertex + movers.count);
}

}  // namespace procmap
