// SPDX-License-Identifier: MIT
#pragma once

#include "exec/serial_group.hpp"
#include "refinement/jet/wish_lists.hpp"
#include "refinement/state/destinations.hpp"

namespace procmap {

/// Wishes that a lane keeps at hand until there is place for them: with more it looks at all blocks again.
template <class Group>
inline constexpr int wishes_at_hand = 1;
template <>
inline constexpr int wishes_at_hand<SerialGroup> = 32;

/// Who looks for a single move that gains, and what it may want.
template <class Objective>
struct GainSearch {
  CsrView graph;
  Objective const& objective;
  BlocksView blocks;
  RefinementView state;
  WishLists wishes;
  std::uint64_t seed;

  PROCMAP_HD bool has_room(Block b, Weight load) const { return state.block_weight[b] + load <= blocks.capacity[b]; }

  /// Does v wait, while nobody around it has moved since its wishes were noted?
  PROCMAP_HD bool only_waits(Vertex v) const { return !state.dirty[v] && wishes.has(v); }

  /// f(wish) for the moves of a vertex that would gain, shared by the lanes. Returns whether all blocks were looked at.
  template <class Group, class Table, class F>
  PROCMAP_HD bool for_each_wish(Mover mover, Table const& table, Group group, F f) const {
    auto const& anchors = state.anchors;
    Vertex const v = mover.vertex;
    Block const own = mover.own;
    Weight const stay = objective.affinity(table, own) + anchors.affinity(v, own);
    Weight left_out = 0;
    auto const consider = [&](Block b) {
      if (b == own) return;
      Weight const gain = objective.affinity(table, b) + anchors.affinity(v, b) - stay;
      if (gain > 0) f(Wish{gain, b});
    };
    table.for_each(group, [&](Vertex key, Weight) {
      if (key >= objective.num_blocks) return;
      if (objective.considers(table, seed, v, key))
        consider(key);
      else
        ++left_out;
    });
    if (Block const home = anchors.home_of(v); home != no_block && group.rank() == 0) consider(home);
    return group.sum(left_out) == 0;
  }

  /// Notes the wishes of a vertex in place of older ones, or nothing at all if there is no place or not all are known.
  /// Returns whether it has any.
  template <class Group, class Table>
  PROCMAP_HD bool note_wishes(Mover mover, Table const& table, Group group) const {
    constexpr int few = wishes_at_hand<Group>;
    Wish mine[few];
    int count = 0;
    bool const all = for_each_wish(mover, table, group, [&](Wish wish) {
      if (count < few) mine[count] = wish;
      ++count;
    });
    Weight const total = group.sum(Weight{count});
    if (all && total > 0 && wishes.open(mover.vertex, total, group)) {
      auto const note = [&](Wish wish) { wishes.note(mover.vertex, wish); };
      if (group.sum(Weight{count > few}) > 0)
        for_each_wish(mover, table, group, note);
      else
        for (int i = 0; i < count; ++i) note(mine[i]);
    } else if (group.rank() == 0) {
      wishes.forget(mover.vertex);
    }
    group.sync();
    return total > 0;
  }

  /// The best noted move into a block with room.
  template <class Group>
  PROCMAP_HD Destination best_wish(Vertex v, Group group) const {
    Weight const load = graph.vertex_weight(v);
    Destination best;
    wishes.for_each(v, group, [&](Wish wish) {
      if (!has_room(wish.block, load) || (best.block != no_block && wish.gain < best.gain)) return;
      auto const noise = hash(seed, static_cast<std::uint64_t>(v), static_cast<std::uint64_t>(wish.block));
      Destination const other{wish.gain, noise, wish.block};
      if (other.better_than(best)) best = other;
    });
    return group.best(best, BetterDestination{});
  }

  /// The best move into a block with room; wants: there is one that gains, with room or without.
  template <class Group, class Table>
  PROCMAP_HD Destination operator()(Vertex v, Group group, Table& table, bool& wants) const {
    Mover const mover{v, state.block[v], seed};
    Block const home = state.anchors.home_of(v);
    bool const borders = see_blocks(graph, state, v, group, table);
    bool const looks = (borders || (home != no_block && home != mover.own)) && !state.anchors.holds(v);
    if (looks) objective.aggregate(group, table);
    wants = looks && note_wishes(mover, table, group);
    if (!wants) return {};
    if (wishes.has(v)) return best_wish(v, group);
    Weight const load = graph.vertex_weight(v);
    return best_adjacent(objective, state.anchors, table, group, mover, [&](Block b) { return has_room(b, load); });
  }
};

/// Looks for moves that lower the cost on their own: proposal[v] is the best block with room that gains, no_block if
/// there is none, and gain[v] what it gains. Vertices that gain anywhere, with room or without, want to be asked again.
template <ResidentExecutor Exec, class Objective>
PROCMAP_RESIDENT void propose_gains(Exec& ex, Refinement const& refinement, Objective const& objective,
                                    WishLists const& wishes, std::uint64_t seed, VertexList list) {
  auto const phase = ex.phase("propose gains");
  auto const graph = refinement.graph;
  auto const blocks = refinement.blocks;
  auto const state = refinement.state;
  auto const* const active = list.vertex;
  GainSearch<Objective> const search{graph, objective, blocks, state, wishes, seed};
  ex.for_each_with_table(
      list.count,
      [=, &objective, &search] PROCMAP_LAMBDA(Edge i) -> TableNeeds {
        Vertex const v = active[i];
        return search.only_waits(v) ? TableNeeds(0) : see_needs(graph, state, objective, blocks.per_scope, v);
      },
      objective.num_keys(),
      [=, &search] PROCMAP_LAMBDA(Edge i, auto group, auto& table) {
        Vertex const v = active[i];
        bool wants = true;
        Destination const best = search.only_waits(v) ? search.best_wish(v, group) : search(v, group, table, wants);
        group.sync();  // all lanes have read what the first one writes
        if (group.rank() != 0) return;
        state.proposal[v] = best.gain > 0 ? best.block : no_block;
        state.gain[v] = best.gain;
        state.dirty[v] = 0;
        state.mark[v] = wants ? Mark::wants : 0;
      });
}

}  // namespace procmap
