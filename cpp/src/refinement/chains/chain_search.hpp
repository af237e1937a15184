// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "refinement/chains/move_arcs.hpp"

namespace procmap {

/// Arcs one behind the other: one vertex takes each of them, so that every block on the way gets as many as it gives.
using Chain = std::vector<std::size_t>;

/// Cheapest chains of moves (Bellman and Ford), and closed ones that lower J, along which blocks keep their weight
/// (Sanders, Schulz: Think locally, act globally: highly balanced graph partitioning, 2013, section 4).
class ChainSearch {
 public:
  explicit ChainSearch(Block num_blocks);

  /// Closed chains that lower J, from whatever blocks and without a block in common; none if none was found.
  std::vector<Chain> closed_chains(MoveArcs const& arcs);

  /// Finds the cheapest chains from any of these blocks. Arcs that lower J count as free, so that chains have an end.
  void search_from(MoveArcs const& arcs, std::vector<Block> const& sources);

  bool reaches(Block block) const;
  Weight cost_to(Block block) const;
  /// The cheapest chain that ends there; empty for a source.
  Chain chain_to(MoveArcs const& arcs, Block block) const;

  /// Arcs that were looked at so far.
  std::int64_t work() const { return work_; }

 private:
  void start(Weight cost);
  bool relax(MoveArcs const& arcs, Weight least);
  std::vector<Chain> cycles_of_parents(MoveArcs const& arcs);
  Chain cycle_through(MoveArcs const& arcs, Block block) const;

  std::vector<Weight> cost_;      // of the cheapest known chain that ends at a block
  std::vector<std::size_t> via_;  // its last arc
  std::vector<Block> seen_from_;
  std::int64_t work_ = 0;
};

}  // namespace procmap
