// SPDX-License-Identifier: MIT
#include "refinement/places/grid_tables.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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

/// The ends of `count` groups of dimensions from `begin` on: the largest group is as small as can be.
std::vector<Dimensions> best_split(Grid const& grid, Dimensions begin, std::size_t count) {
  auto const all = grid.sizes.size();
  if (count == 1) return {all};
  std::vector<Dimensions> best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (Dimensions end = begin; end <= all; ++end) {
    auto ends = best_split(grid, end, count - 1);
    ends.insert(ends.begin(), end);
    std::size_t largest_group = 0;
    for (std::size_t i = 0; i < count; ++i)
      largest_group = std::max(largest_group, places_of(grid, i == 0 ? begin : ends[i - 1], ends[i]));
    if (largest_group >= least) continue;
    least = largest_group;
    best = std::move(ends);
  }
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

template <std::size_t num_tables>
typename GridTables<num_tables>::Table GridTables<num_tables>::table_of(Grid const& grid, std::size_t begin,
                                                                        std::size_t end) {
  auto const part = part_of(grid, begin, end);
  auto const size = static_cast<Block>(places_of(grid, begin, end));
  Table table{index(size), {}};
  for (Block x = 0; x < size; ++x)
    for (Block y = 0; y < size; ++y) table.entries.push_back(distance(part, x, y));
  return table;
}

template <std::size_t num_tables>
std::optional<GridTables<num_tables>> GridTables<num_tables>::of(Grid const& grid,
                                                                 std::vector<Block> const& pe_of_place) {
  auto const ends = best_split(grid, 0, num_tables);
  GridTables tables;
  tables.key_.assign(pe_of_place.size(), 0);
  for (std::size_t i = 0; i < num_tables; ++i) {
    auto const begin = i == 0 ? 0 : ends[i - 1];
    if (places_of(grid, begin, ends[i]) > largest) return std::nullopt;
    tables.tables_[i] = table_of(grid, begin, ends[i]);
    for (std::size_t p = 0; p < pe_of_place.size(); ++p)
      tables.key_[p] |= static_cast<Key>(number_in(grid, pe_of_place[p], begin, ends[i])) << (field * i);
  }
  return tables;
}

template class GridTables<2>;
template class GridTables<3>;

}  // namespace procmap
