// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/hash.hpp"
#include "exec/lone_lane.hpp"
#include "objective/grid_steps.hpp"
#include "objective/objective.hpp"
#include "objective/table_entries.hpp"

namespace procmap {

/// Groups of consecutive blocks that are close to each other: of every level of a hierarchy but the last.
struct ConsecutiveGroups {
  int num_levels = 0;
  Vertex count = 0;
  Block size[Topology::max_levels] = {};    // blocks per group
  Vertex first[Topology::max_levels] = {};  // group of block 0

  PROCMAP_HD BlockRange range(Vertex j) const {
    int level = num_levels - 1;
    while (first[level] > j) --level;
    Block const index = j - first[level];
    return {index * size[level], (index + 1) * size[level]};
  }
  PROCMAP_HD Vertex of(Block b, int level) const { return first[level] + b / size[level]; }
};

/// `sizes` of the levels, innermost first.
inline ConsecutiveGroups consecutive_groups(std::vector<Block> const& sizes, Block num_blocks) {
  ConsecutiveGroups groups;
  Block blocks = 1;
  for (std::size_t level = 0; level + 1 < sizes.size(); ++level) {
    blocks *= sizes[level];
    groups.size[groups.num_levels] = blocks;
    groups.first[groups.num_levels++] = groups.count;
    groups.count += num_blocks / blocks;
  }
  return groups;
}

/// A machine whose distances are no sums over groups of blocks: everything is read off the distances to the adjacent
/// blocks. One objective for grids and tables, since most machines are hierarchies and every objective takes minutes to
/// compile.
///
/// An affinity costs one distance per adjacent block, so a vertex with a adjacent blocks costs a * a. The few with
/// more than `max_candidates` look only at about so many of them, hashed, others in every round.
struct PairwiseDistance {
  static constexpr int max_candidates = 64;

  Block num_blocks = 0;
  Weight nearest = 0;  // no two different blocks are closer
  GridSteps grid;      // if it has coordinates
  TableEntries matrix;  // otherwise
  ConsecutiveGroups groups;

  PROCMAP_HD Weight distance(Block a, Block b) const {
    return grid.coordinate ? grid.distance(a, b) : matrix.distance(a, b);
  }
  PROCMAP_HD Vertex num_keys() const { return num_blocks; }
  PROCMAP_HD int keys_per_block() const { return 1; }
  PROCMAP_HD Vertex num_groups() const { return groups.count; }
  PROCMAP_HD BlockRange group(Vertex j) const { return groups.range(j); }
  PROCMAP_HD int groups_of_block() const { return groups.num_levels; }
  PROCMAP_HD Vertex group_of(Block b, int level) const { return groups.of(b, level); }

  template <class Group, class Table>
  PROCMAP_HD void aggregate(Group, Table&) const {}

  /// P(b) = -sum over adjacent a of weight(a) * D[a][b].
  template <class Table>
  PROCMAP_HD_CALL Weight affinity(Table const& table, Block b) const {
    Weight total = 0;
    table.for_each(LoneLane{}, [&](Vertex a, Weight weight) { total -= weight * distance(a, b); });
    return total;
  }

  template <class Table>
  PROCMAP_HD bool considers(Table const& table, std::uint64_t seed, Vertex v, Block b) const {
    auto const adjacent = static_cast<std::uint64_t>(table.size());
    if (adjacent <= max_candidates) return true;
    return hash(seed, static_cast<std::uint64_t>(b), static_cast<std::uint64_t>(v)) % adjacent < max_candidates;
  }

  template <class Table>
  PROCMAP_HD Weight sibling_loss(Table const& table, Block own) const {
    return nearest * table.get(own);
  }

  /// The way that the move adds to the traffic that it makes longer. With one distance this is Jet's own filter,
  /// and on a hierarchy that of HierarchyDistance.
  template <class Table>
  PROCMAP_HD_CALL Weight attachment(Table const& table, Block own, Block to) const {
    Weight total = 0;
    table.for_each(LoneLane{}, [&](Vertex a, Weight weight) {
      Weight const longer = distance(a, to) - distance(a, own);
      if (longer > 0) total += weight * longer;
    });
    return total;
  }
};

template <>
struct ObjectiveTraits<PairwiseDistance> : DefaultObjectiveTraits {
  static constexpr bool rare = true;
};
static_assert(ObjectivePolicy<PairwiseDistance>);

}  // namespace procmap
