// SPDX-License-Identifier: MIT
#include "refinement/places/grid_tables.hpp"

#include <algorithm>

#include "topology/distance.hpp"
#include "topology/row_major.hpp"

namespace procmap {
namespace {

constexpr std::size_t largest = 512;  // places along a table: 2 MB

using Dimensions = std::size_t;

std::size_t places_of(Grid const& grid, Dimensions begin, Dimensions end) {
  std::size_t product = 1;
  for (Dimensions i = begin; i < end; ++i) product *= index(grid.sizes[i]);
  return product;
}

/// How many of the first dimensions belong together: the larger group is as small as can be.
Dimensions best_split(Grid const& grid) {
  auto const all = grid.sizes.size();
  auto const larger = [&](Dimensions split) {
    return std::max(places_of(grid, 0, split), places_of(grid, split, all));
  };
  Dimensions best = 0;
  for (Dimensions split = 1; split <= all; ++split)
    if (larger(split) < larger(best)) best = split;
  return best;
}

/// The number of a PE among the places of some dimensions.
Block number_in(Grid const& grid, Block pe, Dimensions begin, Dimensions end) {
  auto const* const coordinate = grid.coordinates.data() + index(pe) * grid.sizes.size();
  Block number = 0;
  for (Dimensions i = begin; i < end; ++i) number = number * grid.sizes[i] + coordinate[i];
  return number;
}

/// A grid of some dimensions of another one, places in order.
Grid part_of(Grid const& grid, Dimensions begin, Dimensions end) {
  Grid part;
  for (Dimensions i = begin; i < end; ++i) {
    part.sizes.push_back(grid.sizes[i]);
    part.wraps.push_back(grid.wraps[i]);
    part.costs.push_back(grid.costs[i]);
  }
  part.coordinates = row_major(part.sizes, static_cast<Block>(places_of(grid, begin, end)));
  return part;
}

}  // namespace

GridTables::Table GridTables::table_of(Grid const& grid, std::size_t begin, std::size_t end) {
  auto const part = part_of(grid, begin, end);
  auto const size = static_cast<Block>(places_of(grid, begin, end));
  Table table{index(size), {}};
  for (Block x = 0; x < size; ++x)
    for (Block y = 0; y < size; ++y) table.entries.push_back(distance(part, x, y));
  return table;
}

std::optional<GridTables> GridTables::of(Grid const& grid, std::vector<Block> const& pe_of_place) {
  auto const split = best_split(grid), all = grid.sizes.size();
  if (std::max(places_of(grid, 0, split), places_of(grid, split, all)) > largest) return std::nullopt;
  GridTables tables;
  tables.first_ = table_of(grid, 0, split);
  tables.second_ = table_of(grid, split, all);
  for (Block const pe : pe_of_place) {
    auto const first = static_cast<Key>(number_in(grid, pe, 0, split));
    auto const second = static_cast<Key>(number_in(grid, pe, split, all));
    tables.key_.push_back(first | second << half);
  }
  return tables;
}

}  // namespace procmap
