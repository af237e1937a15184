// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/index.hpp"
#include "procmap/topology.hpp"

namespace procmap {

/// Distances of a torus or mesh as sums of entries: its dimensions are in `num_tables` groups, with a table of all
/// distances within each. Looking two entries up takes a third of the time of computing a distance in three dimensions
/// (measured).
template <std::size_t num_tables>
class GridTables {
  static constexpr int field = num_tables == 2 ? 16 : 21;  // bits

 public:
  /// Where a place is in each of the tables, a field of bits for each.
  using Key = std::conditional_t<num_tables == 2, std::uint32_t, std::uint64_t>;

  struct Row {
    std::array<Weight const*, num_tables> row;
    Weight operator[](Key q) const {
      Weight sum = 0;
      for (std::size_t i = 0; i < num_tables; ++i) sum += row[i][in_table(q, i)];
      return sum;
    }
  };
  Key key(Block p) const { return key_[index(p)]; }
  Row from(Key p) const {
    Row from_here;
    for (std::size_t i = 0; i < num_tables; ++i) from_here.row[i] = tables_[i].row(in_table(p, i));
    return from_here;
  }

  /// Of places that are PEs of `grid`; nothing where a table would be too large to be near at hand.
  static std::optional<GridTables> of(Grid const& grid, std::vector<Block> const& pe_of_place);

 private:
  struct Table {
    std::size_t size = 1;
    std::vector<Weight> entries;  // [x * size + y]
    Weight const* row(std::size_t x) const { return entries.data() + x * size; }
  };

  static std::size_t in_table(Key place, std::size_t i) { return place >> (field * i) & ((Key{1} << field) - 1); }
  static Table table_of(Grid const& grid, std::size_t begin, std::size_t end);

  std::array<Table, num_tables> tables_;
  std::vector<Key> key_;  // of every place
};

}  // namespace procmap
