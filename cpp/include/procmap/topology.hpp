// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// The machine: PEs and the distance between any two of them.
///
/// A hierarchy a1:a2:...:al is written innermost first: a1 PEs form a processor, a2 processors a
/// node, and so on; PEs are numbered innermost first too, so PE p sits in processor p / a1. Two
/// PEs that first meet at level i are at distance d_i; a PE is at distance 0 from itself.
class Topology {
 public:
  static constexpr int max_levels = 8;
  static constexpr Block max_pes = 1 << 22;

  /// Throws TopologyError unless 1..8 sizes >= 1, as many distances, non-negative and not
  /// decreasing outwards, and a product of at most `max_pes`.
  static Topology hierarchy(std::vector<Block> sizes, std::vector<Weight> distances);
  /// From strings such as "4:8:6" and "1:10:100".
  static Topology hierarchy(std::string_view sizes, std::string_view distances);
  /// k PEs, all at distance 1: mapping onto it is graph partitioning.
  static Topology flat(Block num_pes);

  Block num_pes() const { return num_pes_; }
  int num_levels() const { return static_cast<int>(sizes_.size()); }
  std::vector<Block> const& sizes() const { return sizes_; }          ///< a1, a2, ..., innermost first
  std::vector<Weight> const& distances() const { return distances_; }  ///< d1, d2, ...
  Weight max_distance() const { return distances_.back(); }
  bool is_flat() const { return sizes_.size() == 1 && distances_[0] == 1; }

  Weight distance(Block a, Block b) const;
  /// The level (1 = innermost) at which a and b first meet; 0 if they are the same PE.
  int meeting_level(Block a, Block b) const;
  /// In words: "192 PEs: 4 per level-1 group (distance 1), 8 ...".
  std::string describe() const;

 private:
  Topology(std::vector<Block> sizes, std::vector<Weight> distances);

  std::vector<Block> sizes_;
  std::vector<Weight> distances_;
  Block num_pes_ = 1;
};

}  // namespace procmap
