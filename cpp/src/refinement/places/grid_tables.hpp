// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/index.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances of a torus or mesh as sums of two entries: its dimensions are in two groups, with a table of all distances
/// within each. Looking two entries up takes a third of the time of computing a distance in three dimensions
/// (measured).
class GridTables {
 public:
  struct Row {
    Weight const* first;
    Weight const* second;
    Block const* of_place;
    Weight operator[](std::size_t q) const { return first[of_place[2 * q]] + second[of_place[2 * q + 1]]; }
  };
  Row from(Block p) const {
    auto const at = 2 * index(p);
    return {first_.row(of_place_[at]), second_.row(of_place_[at + 1]), of_place_.data()};
  }

  /// Of places that are PEs of `grid`; nothing where a table would be too large to be near at hand.
  static std::optional<GridTables> of(Grid const& grid, std::vector<Block> const& pe_of_place);

 private:
  struct Table {
    std::size_t size = 1;
    std::vector<Weight> entries;  // [x * size + y]
    Weight const* row(Block x) const { return entries.data() + index(x) * size; }
  };

  static Table table_of(Grid const& grid, std::size_t begin, std::size_t end);

  Table first_, second_;
  std::vector<Block> of_place_;  // [2 * p] where in the first table place p is, [2 * p + 1] in the second
};

}  // namespace procmap
