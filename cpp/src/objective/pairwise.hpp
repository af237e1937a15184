// SPDX-License-Identifier: MIT
#pragma once

#include "core/hash.hpp"
#include "core/hd.hpp"
#include "objective/edge_cut.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// A group of one lane: walks a table alone, also while other lanes do the same.
struct LoneLane {
  PROCMAP_HD static constexpr int rank() { return 0; }
  PROCMAP_HD static constexpr int size() { return 1; }
  PROCMAP_HD void sync() const {}
};

/// What objectives have in common whose distances are no sums over groups of blocks: everything is read off the
/// distances to the adjacent blocks. `Distance` has num_blocks, distance(a, b), and nearest, a distance that no two
/// different blocks fall below.
///
/// An affinity costs one distance per adjacent block, so a vertex with a adjacent blocks costs a * a. The few with
/// more than `max_candidates` look only at about so many of them, hashed, others in every round.
template <class Distance>
struct Pairwise : Distance {
  static constexpr int max_candidates = 64;

  PROCMAP_HD Vertex num_keys() const { return this->num_blocks; }
  PROCMAP_HD int keys_per_block() const { return 1; }
  PROCMAP_HD Vertex num_groups() const { return 0; }
  PROCMAP_HD BlockRange group(Vertex) const { return {0, 0}; }
  PROCMAP_HD int groups_of_block() const { return 0; }
  PROCMAP_HD Vertex group_of(Block, int) const { return 0; }

  template <class Group, class Table>
  PROCMAP_HD void aggregate(Group, Table&) const {}

  /// P(b) = -sum over adjacent a of weight(a) * D[a][b].
  template <class Table>
  PROCMAP_HD Weight affinity(Table const& table, Block b) const {
    Weight total = 0;
    table.for_each(LoneLane{}, [&](Vertex a, Weight weight) { total -= weight * this->distance(a, b); });
    return total;
  }

  template <class Table>
  PROCMAP_HD bool considers(Table const& table, std::uint64_t noise) const {
    auto const adjacent = static_cast<std::uint64_t>(table.size());
    return adjacent <= max_candidates || noise % adjacent < max_candidates;
  }

  template <class Table>
  PROCMAP_HD Weight sibling_loss(Table const& table, Block own) const {
    return this->nearest * table.get(own);
  }

  /// The way that the move adds to the traffic that it makes longer. With one distance this is Jet's own filter,
  /// and on a hierarchy that of HierarchyDistance.
  template <class Table>
  PROCMAP_HD Weight attachment(Table const& table, Block own, Block to) const {
    Weight total = 0;
    table.for_each(LoneLane{}, [&](Vertex a, Weight weight) {
      Weight const longer = this->distance(a, to) - this->distance(a, own);
      if (longer > 0) total += weight * longer;
    });
    return total;
  }
};

}  // namespace procmap
