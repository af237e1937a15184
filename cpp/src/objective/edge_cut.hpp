// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "objective/objective.hpp"

namespace procmap {

/// The number of cut edges: every two blocks are at distance 1.
struct EdgeCut {
  Block num_blocks = 0;

  PROCMAP_HD Weight distance(Block a, Block b) const { return a == b ? 0 : 1; }
  PROCMAP_HD Vertex num_keys() const { return num_blocks; }
  PROCMAP_HD int keys_per_block() const { return 1; }
  PROCMAP_HD Vertex num_groups() const { return 0; }
  PROCMAP_HD BlockRange group(Vertex) const { return {0, 0}; }
  PROCMAP_HD int groups_of_block() const { return 0; }
  PROCMAP_HD Vertex group_of(Block, int) const { return 0; }

  template <class Group, class Table>
  PROCMAP_HD void aggregate(Group, Table&) const {}
  template <class Table>
  PROCMAP_HD bool considers(Table const&, std::uint64_t, Vertex, Block) const {
    return true;
  }
  template <class Table>
  PROCMAP_HD Weight affinity(Table const& table, Block b) const {
    return table.get(b);
  }
  template <class Table>
  PROCMAP_HD Weight sibling_loss(Table const& table, Block own) const {
    return table.get(own);
  }
  /// Jet's filter (paper, refinement): the weight to the own block.
  template <class Table>
  PROCMAP_HD Weight attachment(Table const& table, Block own, Block) const {
    return table.get(own);
  }
};

static_assert(ObjectivePolicy<EdgeCut>);

template <>
struct ObjectiveTraits<EdgeCut> : DefaultObjectiveTraits {
  static constexpr bool all_equal = true;
};

}  // namespace procmap
