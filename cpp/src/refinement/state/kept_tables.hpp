// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/atomic.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// The weight from a vertex to one block.
struct Connection {
  Weight weight = 0;
  Block block = no_block;  // no_block: free
  std::uint32_t room = 0;  // entries of the table that this one belongs to
};

/// The connectivity of vertices from round to round (paper, connectivity): for those that have a table, the weight to
/// every block around them, brought up to date whenever a neighbour moves. Whoever has none is summed from its arcs,
/// which gives the same, so it does not matter who has one. Open addressing; blocks that are seen no more keep their
/// entry with weight 0. A table that is full is dropped.
struct KeptTables {
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr Edge least_degree = 64;  // fewer arcs are summed as fast as a table is brought up to date

  std::uint32_t* first = nullptr;  // per vertex: the first entry of its table, or none; null: nobody has one
  Connection* entry = nullptr;
  Edge* used = nullptr;  // entries handed out
  Edge capacity = 0;

  /// Is somebody with so many arcs to have a table?
  PROCMAP_HD bool keeps(Edge degree) const { return first && degree >= least_degree; }

  /// Room for the tables of a graph: they take no more memory than the heads of its arcs.
  static constexpr Edge entries_of(Edge num_arcs) {
    constexpr Edge arcs_per_entry = 4, most = Edge{none} - 1;
    return num_arcs / arcs_per_entry < most ? num_arcs / arcs_per_entry : most;
  }

  PROCMAP_HD bool has(Vertex v) const { return first && racy_load(&first[v]) != none; }
  /// Entries of the table of v, which has one.
  PROCMAP_HD std::uint32_t room(Vertex v) const { return entry[first[v]].room; }

  /// Tables are made anew in every refinement.
  PROCMAP_HD void forget(Vertex v) const {
    if (first) first[v] = none;
  }

  /// Keeps what v sees. Called by all lanes; `seen` holds blocks only.
  template <class Group, class Table>
  PROCMAP_HD void keep(Vertex v, Edge degree, Group group, Table const& seen) const {
    if (!keeps(degree)) return;
    int const size = seen.size();
    auto const room = static_cast<std::uint32_t>(size + size / 2 + 1);
    Edge const taken = group.rank() == 0 ? fetch_add(used, Edge{room}) : 0;
    Edge const place = group.sum(taken);
    if (place + Edge{room} > capacity) return;
    auto* const mine = entry + place;
    for (auto i = static_cast<std::uint32_t>(group.rank()); i < room; i += static_cast<std::uint32_t>(group.size()))
      mine[i] = {0, no_block, room};
    group.sync();
    seen.for_each(group, [&](Vertex block, Weight weight) {
      if constexpr (Group::size() == 1)
        put(mine, room, block, weight);
      else
        add(mine, room, block, weight);
    });
    if (group.rank() == 0) first[v] = static_cast<std::uint32_t>(place);
  }

  /// Fills an empty table with what v sees. Called by all lanes.
  template <class Group, class Table>
  PROCMAP_HD void load(Vertex v, Group group, Table& table) const {
    auto const* const mine = entry + first[v];
    std::uint32_t const room = mine->room;
    for (auto i = static_cast<std::uint32_t>(group.rank()); i < room; i += static_cast<std::uint32_t>(group.size()))
      table.add(mine[i].block, mine[i].weight);
    group.sync();
  }

  /// A neighbour of u, joined to it by `weight`, moves.
  PROCMAP_HD void update(Vertex u, Weight weight, Block from, Block to) const {
    if (!first || weight == 0) return;
    std::uint32_t const place = racy_load(&first[u]);
    if (place == none) return;
    auto* const mine = entry + place;
    std::uint32_t const room = mine->room;
    bool const fits = add(mine, room, from, -weight) && add(mine, room, to, weight);
    if (!fits) racy_store(&first[u], none);
  }

 private:
  PROCMAP_HD static std::uint32_t home(Block block, std::uint32_t room) {
    return static_cast<std::uint32_t>((std::uint64_t{static_cast<std::uint32_t>(block) * 0x9e3779b1u} * room) >> 32);
  }
  /// A new entry, while nobody else looks.
  PROCMAP_HD static void put(Connection* table, std::uint32_t room, Block block, Weight weight) {
    auto i = home(block, room);
    while (table[i].block != no_block)
      if (++i == room) i = 0;
    table[i].block = block;
    table[i].weight = weight;
  }
  /// Returns whether there was room.
  PROCMAP_HD static bool add(Connection* table, std::uint32_t room, Block block, Weight weight) {
    auto i = home(block, room);
    for (std::uint32_t tried = 0; tried < room; ++tried) {
      Block seen = racy_load(&table[i].block);
      if (seen == no_block) seen = claim_or_see(&table[i].block, no_block, block);
      if (seen == no_block || seen == block) {
        atomic_add(&table[i].weight, weight);
        return true;
      }
      if (++i == room) i = 0;
    }
    return false;
  }
};

}  // namespace procmap
