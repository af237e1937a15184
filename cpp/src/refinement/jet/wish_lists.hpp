// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/atomic.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// A move of a vertex that would gain.
struct Wish {
  Weight gain = 0;
  Block block = no_block;
};

/// Where the wishes of a vertex are.
struct WishList {
  std::uint32_t first = 0;
  std::uint32_t room = 0;
  std::uint32_t count = 0;  // 0: nobody noted any
};

/// All moves that would gain, of vertices that wait for room or for a neighbour: as long as nobody around them moves,
/// they need not look at their arcs again. Who has no list does, which gives the same, so it does not matter who has
/// one. What is no longer true is written over, never given back.
struct WishLists {
  WishList* list = nullptr;  // per vertex
  Wish* wish = nullptr;
  Edge* used = nullptr;  // wishes handed out
  Edge capacity = 0;

  /// Room for the lists of a graph: they take no more memory than the heads of its arcs.
  static constexpr Edge wishes_of(Edge num_arcs) {
    constexpr Edge arcs_per_wish = 4, most = Edge{0xffffffffu};
    return num_arcs / arcs_per_wish < most ? num_arcs / arcs_per_wish : most;
  }

  PROCMAP_HD bool has(Vertex v) const { return list[v].count > 0; }
  PROCMAP_HD void forget(Vertex v) const { list[v].count = 0; }

  /// Makes place for `count` wishes of v, to be noted between syncs by any lane. Returns whether there is any. Called
  /// by all lanes.
  template <class Group>
  PROCMAP_HD bool open(Vertex v, Weight count, Group group) const {
    bool const fits = list[v].room >= count;
    Edge const room = fits ? 0 : count + count / 2;  // it may become longer
    Edge const place = group.sum(group.rank() == 0 && !fits ? fetch_add(used, room) : 0);
    bool const found = fits || place + room <= capacity;
    if (group.rank() == 0) {
      if (found && !fits)
        list[v] = {static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(room), 0};
      else
        list[v].count = 0;
    }
    group.sync();
    return found;
  }
  PROCMAP_HD void note(Vertex v, Wish wish_of_v) const {
    wish[list[v].first + fetch_add(&list[v].count, 1)] = wish_of_v;
  }

  /// f(wish) for all that v has, shared by the lanes.
  template <class Group, class F>
  PROCMAP_HD void for_each(Vertex v, Group group, F f) const {
    auto const* const mine = wish + list[v].first;
    auto const count = static_cast<Edge>(list[v].count);
    for (Edge i = group.rank(); i < count; i += group.size()) f(mine[i]);
  }
};

}  // namespace procmap
