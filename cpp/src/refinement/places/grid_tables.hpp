// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
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
  using Key = std::uint32_t;  // where a place is in the first table, and in the upper half where in the second
  struct Row {
    Weight const* first;
    Weight const* second;
    Weight operator[](Key q) const { return first[in_first(q)] + second[in_second(q)]; }
  };
  Key key(Block p) const { return key_[index(p)]; }
  Row from(Key p) const { return {first_.row(in_first(p)), second_.row(in_second(p))}; }

  /// Of places that are PEs of `grid`; nothing where a table would be too large to be near at hand.
  static std::optional<GridTables> of(Grid const& grid, std::vector<Block> const& pe_of_place);

 private:
  struct Table {
    std::size_t size = 1;
    std::vector<Weight> entries;  // [x * size + y]
    Weight const* row(std::size_t x) const { return entries.data() + x * size; }
  };

  static Table table_of(Grid const& grid, std::size_t begin, std::size_t end);

  static constexpr int half = 16;  // bits
  static std::size_t in_first(Key place) { return place & ((Key{1} << half) - 1); }
  static std::size_t in_second(Key place) { return place >> half; }

  Table first_, second_;
  std::vector<Key> key_;  // of every place
};

}  // namespace procmap
