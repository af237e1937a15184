// SPDX-License-Identifier: MIT
#pragma once

#include "refinement/flow/packed_network.hpp"

namespace procmap {

// push_relabel.hpp and extreme_cuts.hpp for networks that lie in fast memory. A round has two passes with a sync after
// each: lanes that have a pack of an active vertex send down its arcs, by the heights of before the round, then lanes
// that have a vertex take in what arrived, give the sink its part, and lift. Let a, b be the heights of v and u before
// a round.
//
//   Only the higher end of an arc sends along it, so one lane writes to an arc and its opposite.
//
//   Heights stay lower bounds of the distance to the sink: v is lifted to one more than the lowest end of its arcs
//   that are open after the round. Those are among the arcs that were open and not filled by v, and those of which
//   the other end is higher, which may have sent. Both bound the lift.
//
// Lanes that share a vertex take of its excess what their arcs hold, and give back what there was not. Who is first
// gets something, so an active vertex sends something or is lifted.

/// Searches in steps from the vertices of level 1: from v along arc k of pack p to u, if open(p, k, u). Returns the
/// last level. A sync stands before it, and none after.
template <class Group, class Open>
PROCMAP_HD int spread(PackedNetwork const& network, Group group, PackedSteps& steps, Open open) {
  auto* const level = group.fast(network.height);
  PROCMAP_LOOP
  for (Vertex last = 1;; ++last) {
    steps.next();
    bool found = false;
    auto const is_last = [&](Vertex p) {
      return racy_load(&level[network.id(group, group.fast(network.tail)[p])]) == last;
    };
    for_own_packs_if(network, group, is_last, [&](Vertex p) {
      auto const head = group.fast(network.head)[p];
      bool is_new[arcs_per_pack];
      PROCMAP_UNROLL
      for (int k = 0; k < arcs_per_pack; ++k) is_new[k] = racy_load(&level[head.of[k]]) == network.no_way();
      if (!any_of(is_new)) return;
      PROCMAP_UNROLL
      for (int k = 0; k < arcs_per_pack; ++k) is_new[k] = is_new[k] & open(p, k, Vertex{head.of[k]});
      PROCMAP_UNROLL
      for (int k = 0; k < arcs_per_pack; ++k)
        if (is_new[k]) network.tell(group, &level[head.of[k]], static_cast<std::uint16_t>(last + 1));
      found = found || any_of(is_new);
    });
    if (found) steps.tell(group);
    group.sync();
    if (!steps.told(group)) return static_cast<int>(last);
  }
}

/// note_ways() of halves.hpp. If nothing is missing, heights are as mark_source_side leaves them.
template <class Group>
PROCMAP_HD void note_ways(PackedNetwork const& network, Group group, bool any_missing) {
  for_own_vertices(network, group, [&](Vertex j) {
    auto* const height = &group.fast(network.height)[network.id(group, j)];
    auto& flags = group.fast(network.flags)[j];
    bool const has_way = *height < network.no_way(), in_a = flags == PackedFlags::in_a;
    flags = !has_way ? PackedFlags::none : in_a ? PackedFlags::near_source : PackedFlags::near_sink;
    if (!any_missing)
      *height = flags == PackedFlags::near_source ? 0 : network.no_way();
    else if (flags == PackedFlags::near_source)
      network.tell(group, height, network.no_way());
  });
}

/// Exact heights, of those without a way in their half once halves are solved. Returns the steps that it took.
template <class Group>
PROCMAP_HD int relabel(PackedNetwork const& network, Group group, PackedSteps& steps) {
  for_own_vertices(network, group, [&](Vertex j) {
    if (group.fast(network.flags)[j] > PackedFlags::in_a) return;
    bool const last = group.fast(network.to_sink)[j] > 0;
    network.tell(group, &group.fast(network.height)[network.id(group, j)], last ? std::uint16_t{1} : network.no_way());
  });
  group.sync();
  return spread(network, group, steps, [&](Vertex p, int k, Vertex u) {
    return network.residual_of(group, u, group.fast(network.opposite)[p].of[k]) > 0;
  });
}

/// Notes who has a way to the sink, and marks what the excess reaches: steps take the place of heights.
template <class Group>
PROCMAP_HD void mark_source_side(PackedNetwork const& network, Group group, PackedSteps& steps) {
  for_own_vertices(network, group, [&](Vertex j) {
    auto* const height = &group.fast(network.height)[network.id(group, j)];
    auto& flags = group.fast(network.flags)[j];
    if (*height < network.no_way()) flags |= PackedFlags::near_sink;
    bool const first = group.fast(network.excess)[j] > 0;
    network.tell(group, height, (flags & PackedFlags::near_source) != 0 ? 0 : first ? 1 : network.no_way());
  });
  group.sync();
  spread(network, group, steps, [&](Vertex p, int k, Vertex) { return group.fast(network.residual)[p].of[k] > 0; });
}

/// join_halves of `from`, which has been packed.
template <class Group>
PROCMAP_HD void join_halves(PackedNetwork const& network, FlowNetwork const& from, Group group) {
  auto const in_a = [&](Vertex j) { return group.fast(network.flags)[j] == PackedFlags::in_a; };
  for_own_packs(network, group, [&](Vertex p) {
    Vertex const j = group.fast(network.tail)[p];
    Vertex const v = network.id(group, j);
    if (!in_a(j)) return;
    auto const head = group.fast(network.head)[p];
    auto const opposite = group.fast(network.opposite)[p];
    Edge const first = group.item(from.row_begin, v) + Edge{arcs_per_pack} * (p - group.fast(network.first_pack)[j]);
    Weight capacity[arcs_per_pack];
    PROCMAP_UNROLL
    for (int k = 0; k < arcs_per_pack; ++k) capacity[k] = head.of[k] == v ? 0 : from.capacity[first + k];
    PROCMAP_LOOP
    for (int k = 0; k < arcs_per_pack; ++k) {
      Vertex const u = head.of[k];
      if (u == v) continue;  // no arc
      auto& forth = group.fast(network.residual)[p].of[k];
      auto& back = network.residual_of(group, u, opposite.of[k]);
      if (capacity[k] < 0) {  // closed: it leads to block b
        Edge const e = first + k;
        from.capacity[e] = from.capacity[group.item(from.row_begin, u) + from.arc[e].opposite] = -capacity[k];
        back = static_cast<std::int32_t>(-2 * capacity[k]);
      } else if (v < u) {
        swap_values(forth, back);
      }
    }
  });
  for_own_vertices(network, group, [&](Vertex j) {
    if (in_a(j)) swap_values(group.fast(network.excess)[j], group.fast(network.to_sink)[j]);
  });
  group.sync();
}

/// Amounts to which others may be adding.
template <class Group>
PROCMAP_HD PackedAmounts look_at([[maybe_unused]] Group group, PackedAmounts const& amounts) {
#if defined(PROCMAP_GPU_CODE)
  return amounts;
#else
  PackedAmounts now;
  for (int k = 0; k < arcs_per_pack; ++k) now.of[k] = team_load(group, &amounts.of[k]);
  return now;
#endif
}

/// Sends what the vertex of pack p, an active one, has down the arcs of the pack.
template <class Group>
PROCMAP_HD void push_pack(PackedNetwork const& network, Group group, Vertex p) {
  Vertex const j = group.fast(network.tail)[p];
  Vertex const own = group.fast(network.height)[network.id(group, j)];
  auto const head = group.fast(network.head)[p];
  auto residual = look_at(group, group.fast(network.residual)[p]);
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  std::int32_t wanted[arcs_per_pack], all = 0;
  Vertex height[arcs_per_pack];
  PROCMAP_UNROLL
  for (int k = 0; k < arcs_per_pack; ++k) height[k] = group.fast(network.height)[head.of[k]];
  PROCMAP_UNROLL
  for (int k = 0; k < arcs_per_pack; ++k) {
    bool const down = height[k] < own;
    wanted[k] = down ? residual.of[k] : 0;
    all += wanted[k];
    if (!down && (residual.of[k] > 0 || height[k] > own) && height[k] < lowest) lowest = height[k];
  }
  if (all > 0) {
    std::int32_t const had = team_add(group, &group.fast(network.excess)[j], -all);
    std::int32_t left = had <= 0 ? 0 : had < all ? had : all;
    if (left < all) {
      team_add(group, &group.fast(network.excess)[j], all - left);
      lowest = 0;  // an arc that goes down is left
    }
    auto const opposite = group.fast(network.opposite)[p];
    PROCMAP_UNROLL
    for (int k = 0; k < arcs_per_pack; ++k) {
      std::int32_t const sent = wanted[k] < left ? wanted[k] : left;
      if (sent == 0) continue;
      left -= sent;
      residual.of[k] -= sent;
      Vertex const u = head.of[k];
      team_store(group, &group.fast(network.residual)[p].of[k], residual.of[k]);
      team_add(group, &network.residual_of(group, u, opposite.of[k]), sent);
      team_add(group, &PackedNetwork::of_vertex(group, network.arrived, u), sent);
    }
  }
  atomic_min(&group.fast(network.lowest)[j], lowest);
}

/// Takes in what arrived at vertex j of the block, and gives the sink its part. Returns what is left.
template <class Group>
PROCMAP_HD std::int32_t take_in(PackedNetwork const& network, Group group, Vertex j) {
  std::int32_t excess = group.fast(network.excess)[j] + group.fast(network.arrived)[j];
  group.fast(network.arrived)[j] = 0;
  if (std::int32_t const open = group.fast(network.to_sink)[j]; excess > 0 && open > 0) {
    std::int32_t const taken = excess < open ? excess : open;
    group.fast(network.to_sink)[j] = open - taken;
    excess -= taken;
    team_add(group, group.of_block(group.fast(network.drained), 0), taken);
  }
  group.fast(network.excess)[j] = excess;
  return excess;
}

/// The height of vertex j of the block after a round; all blocks are told if it was lifted.
template <class Group>
PROCMAP_HD Vertex lift(PackedNetwork const& network, Group group, Vertex j) {
  auto* const height = &group.fast(network.height)[network.id(group, j)];
  Vertex const now = *height;
  if (!group.fast(network.active)[j] || group.fast(network.excess)[j] == 0) return now;
  Vertex const lowest = group.fast(network.lowest)[j], no_way = network.no_way();
  Vertex const lifted = lowest < no_way ? lowest + 1 : no_way;
  if (lifted <= now) return now;
  network.tell(group, height, static_cast<std::uint16_t>(lifted));
  return lifted;
}

/// Notes who is active; f(j) is the excess and the height of vertex j of the block. Returns whether anybody is.
template <class Group, class F>
PROCMAP_HD bool note_active(PackedNetwork const& network, Group group, PackedSteps& steps, F f) {
  steps.next();
  bool any = false;
  for_own_vertices(network, group, [&](Vertex j) {
    auto const [excess, height] = f(j);
    bool const active = excess > 0 && height < network.no_way();
    group.fast(network.active)[j] = active;
    group.fast(network.lowest)[j] = std::numeric_limits<std::int32_t>::max();
    any = any || active;
  });
  if (any) steps.tell(group);
  group.sync();
  return steps.told(group);
}

struct ExcessAt {
  std::int32_t excess;
  Vertex height;
};

/// A round: all active vertices send, then some are lifted. Returns whether any vertex is active after it.
template <class Group>
PROCMAP_HD bool push_and_lift(PackedNetwork const& network, Group group, PackedSteps& steps) {
  auto const is_active = [&](Vertex p) { return group.fast(network.active)[group.fast(network.tail)[p]] != 0; };
  for_own_packs_if(network, group, is_active, [&](Vertex p) { push_pack(network, group, p); });
  group.sync();
  return note_active(network, group, steps, [&](Vertex j) {
    Vertex const height = lift(network, group, j);
    return ExcessAt{take_in(network, group, j), height};
  });
}

/// A maximum preflow and what its excess reaches, as maximum_preflow and mark_source_side find them, of what has been
/// packed of `from`. Halves are joined once nothing can be done in them, if anything is missing.
template <class Group>
PROCMAP_HD Weight solve_packed(PackedNetwork const& network, FlowNetwork const& from, Group group, Weight capacity,
                               bool parted) {
  constexpr int least_rounds = 16;
  PackedSteps steps{network.news, 0};
  steps.start(group);
  for_own_vertices(network, group, [&](Vertex j) { take_in(network, group, j); });
  auto const missing = [&] { return capacity - fresh_load(group.of_block(group.fast(network.drained), 0)); };
  PROCMAP_LOOP
  for (;;) {
    int const levels = relabel(network, group, steps);
    int const most_rounds = levels > least_rounds ? levels : least_rounds;
    bool active = note_active(network, group, steps, [&](Vertex j) {
      return ExcessAt{group.fast(network.excess)[j], group.fast(network.height)[network.id(group, j)]};
    });
    Weight const left = missing();
    if (!active || left == 0) {
      if (!parted) break;
      parted = false;
      if (left > 0) join_halves(network, from, group);
      note_ways(network, group, left > 0);
      if (left == 0) return 0;
      continue;
    }
    PROCMAP_LOOP
    for (int round = 0; active && missing() > 0 && round < most_rounds; ++round)
      active = push_and_lift(network, group, steps);
  }
  mark_source_side(network, group, steps);
  return missing();
}

}  // namespace procmap
