// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>

#include "core/hd.hpp"
#include "procmap/types.hpp"

// An objective says what an edge costs whose ends lie in blocks a and b, and what a vertex gains from its surroundings.
// Refinement and evaluation know nothing else about it:
//
//   num_blocks
//   distance(a, b)           cost of one unit of traffic
//   num_keys()               size of the key universe of a connectivity table; keys below the
//                            number of blocks are the blocks themselves
//   keys_per_block()         keys that one adjacent block may add
//   num_groups(), group(j)   sets of blocks beside the scope that are close to each other, and their
//                            ranges; groups_of_block() of them, group_of(b, i), hold block b
//   aggregate(group, table)  completes a table that holds the weight to every adjacent block
//   considers(table, seed, v, b)  whether vertex v should look at adjacent block b: false to save work
//   affinity(table, b)       P(b): the gain of moving from a to b is P(b) - P(a)
//   sibling_loss(table, a)   what a vertex of block a loses by moving to a nearest block that it does not see
//   attachment(table, a, b)  what holds a vertex of block a back from b, for Jet's filter

namespace procmap {

/// Blocks first ... last - 1.
struct BlockRange {
  Block first;
  Block last;
};

struct DefaultObjectiveTraits {
  static constexpr bool rare = false;  // one version of every kernel must do
  static constexpr bool all_equal = false;  // the distances of different blocks: nobody minds which third block it sees
};

/// What makes an objective easier than others, or not worth the trouble. Specialise for those that differ.
template <class Objective>
struct ObjectiveTraits : DefaultObjectiveTraits {};

namespace probe {
/// The lanes and the table with which the concept of an objective asks.
struct Lane {
  PROCMAP_HD static constexpr int rank() { return 0; }
  PROCMAP_HD static constexpr int size() { return 1; }
  PROCMAP_HD void sync() const {}
};
struct Table {
  PROCMAP_HD void add(Vertex, Weight) {}
  PROCMAP_HD Weight get(Vertex) const { return 0; }
  PROCMAP_HD int size() const { return 0; }
  template <class Group, class F>
  PROCMAP_HD void for_each(Group, F) const {}
};
}  // namespace probe

template <class O>
concept ObjectivePolicy =
    std::copy_constructible<O> && requires(O const o, probe::Lane group, probe::Table table, probe::Table const full,
                                           std::uint64_t seed, Vertex v, Block b) {
      { +o.num_blocks } -> std::same_as<Block>;
      { o.distance(b, b) } -> std::same_as<Weight>;
      { o.num_keys() } -> std::same_as<Vertex>;
      { o.keys_per_block() } -> std::same_as<int>;
      { o.num_groups() } -> std::same_as<Vertex>;
      { o.group(v) } -> std::same_as<BlockRange>;
      { o.groups_of_block() } -> std::same_as<int>;
      { o.group_of(b, 0) } -> std::same_as<Vertex>;
      o.aggregate(group, table);
      { o.considers(full, seed, v, b) } -> std::same_as<bool>;
      { o.affinity(full, b) } -> std::same_as<Weight>;
      { o.sibling_loss(full, b) } -> std::same_as<Weight>;
      { o.attachment(full, b, b) } -> std::same_as<Weight>;
    };

}  // namespace procmap
