// SPDX-License-Identifier: MIT
#include "topology/guide.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "topology/bisect_table.hpp"
#include "topology/natural_groups.hpp"

namespace procmap {

MachineGuide as_numbered(Block num_pes) {
  MachineGuide guide{std::vector<Block>(static_cast<std::size_t>(num_pes)), {num_pes}};
  std::iota(guide.pe_of_slot.begin(), guide.pe_of_slot.end(), 0);
  return guide;
}

namespace {

using Slots = std::span<Block>;

Block smallest_prime_factor(Block number) {
  for (Block factor = 2; factor * factor <= number; ++factor)
    if (number % factor == 0) return factor;
  return number;
}

/// Cuts sets of PEs of a grid along their longest dimension.
class GridCutter {
 public:
  explicit GridCutter(Grid const& grid) : grid_(grid), dimensions_(grid.sizes.size()) {}

  /// Into how many parts to cut sets like this one: a box falls into boxes.
  Block parts_of(Slots pes) const {
    auto const size = static_cast<Block>(pes.size());
    Block const parts = smallest_prime_factor(extent(pes, longest(pes)));
    return parts > 1 && size % parts == 0 ? parts : smallest_prime_factor(size);
  }

  void cut(Slots pes, Block parts) const {
    auto const dimension = longest(pes);
    bool const line = extent(pes, dimension) == static_cast<Block>(pes.size());
    if (parts > 2 && parts == static_cast<Block>(pes.size()) && !line)
      halve(pes);
    else
      sort_along(pes, dimension);
  }

 private:
  Block coordinate(Block pe, std::size_t i) const {
    return grid_.coordinates[static_cast<std::size_t>(pe) * dimensions_ + i];
  }

  /// PEs from the first to the last in dimension i.
  Block extent(Slots pes, std::size_t i) const {
    auto const [first, last] = std::ranges::minmax(pes, {}, [&](Block pe) { return coordinate(pe, i); });
    return coordinate(last, i) - coordinate(first, i) + 1;
  }

  std::size_t longest(Slots pes) const {
    std::size_t best = 0;
    Weight best_length = -1;
    for (std::size_t i = 0; i < dimensions_; ++i)
      if (Weight const length = grid_.costs[i] * (extent(pes, i) - 1); length > best_length) {
        best_length = length;
        best = i;
      }
    return best;
  }

  void sort_along(Slots pes, std::size_t dimension) const {
    std::ranges::sort(pes, [&](Block a, Block b) {
      if (auto const x = coordinate(a, dimension), y = coordinate(b, dimension); x != y) return x < y;
      return a < b;
    });
  }

  void halve(Slots pes) const {
    if (pes.size() < 3) return;
    sort_along(pes, longest(pes));
    auto const half = (pes.size() + 1) / 2;
    halve(pes.first(half));
    halve(pes.subspan(half));
  }

  Grid const& grid_;
  std::size_t dimensions_;
};

/// Cuts sets of PEs of a table into sets that are close.
class TableCutter {
 public:
  explicit TableCutter(DistanceTable const& table) : table_(table), group_sizes_(natural_group_sizes(table)) {}

  /// Groups that stand out come out whole.
  Block parts_of(Slots pes) const {
    auto const size = static_cast<Block>(pes.size());
    Block inner = 1;
    for (Block const group : group_sizes_)
      if (group < size && size % group == 0) inner = std::max(inner, group);
    return smallest_prime_factor(size / inner);
  }

  void cut(Slots pes, Block parts) const {
    if (parts < 2) return;
    auto const part = pes.size() / static_cast<std::size_t>(parts);
    auto const left = static_cast<std::size_t>(parts + 1) / 2;
    bisect_table(table_, pes, left * part);
    cut(pes.first(left * part), static_cast<Block>(left));
    cut(pes.subspan(left * part), parts - static_cast<Block>(left));
  }

 private:
  DistanceTable const& table_;
  std::vector<Block> group_sizes_;
};

/// Cuts all sets of a level alike, outermost level first, until a set is one PE. Appends the sizes of the levels,
/// outermost first.
template <class Cutter>
void cut_down(Cutter const& cutter, std::vector<Block>& pes, std::size_t group, std::vector<Block>& sizes) {
  while (group > 1) {
    Block const parts = cutter.parts_of(Slots(pes).first(group));
    for (std::size_t first = 0; first < pes.size(); first += group) cutter.cut(Slots(pes).subspan(first, group), parts);
    sizes.push_back(parts);
    group /= static_cast<std::size_t>(parts);
  }
}

/// Joins consecutive levels while the product stays within `max_parts`; more if there would be too many levels.
std::vector<Block> join_levels(std::vector<Block> const& outer_first, Block max_parts) {
  std::vector<Block> joined;
  for (Block const parts : outer_first)
    if (!joined.empty() && std::int64_t{joined.back()} * parts <= max_parts)
      joined.back() *= parts;
    else
      joined.push_back(parts);
  if (joined.size() > static_cast<std::size_t>(Topology::max_levels)) return join_levels(outer_first, 2 * max_parts);
  if (joined.empty()) joined.push_back(1);
  std::ranges::reverse(joined);
  return joined;
}

template <class Cutter>
MachineGuide guide_by(Cutter const& cutter, Block num_pes, Block max_parts) {
  auto guide = as_numbered(num_pes);
  std::vector<Block> parts;
  cut_down(cutter, guide.pe_of_slot, guide.pe_of_slot.size(), parts);
  guide.sizes = join_levels(parts, max_parts);
  return guide;
}

}  // namespace

Topology MachineGuide::hierarchy() const {
  std::vector<Weight> distances(sizes.size());
  std::iota(distances.begin(), distances.end(), 1);
  return Topology::hierarchy(sizes, std::move(distances));
}

MachineGuide make_guide(Topology const& topology, Block max_parts) {
  Block const k = topology.num_pes();
  if (auto const* const grid = topology.as_grid()) return guide_by(GridCutter(*grid), k, max_parts);
  auto const* const table = topology.as_table();
  if (table && table->groups.empty()) return guide_by(TableCutter(*table), k, max_parts);
  auto guide = as_numbered(k);
  guide.sizes = table ? table->groups : topology.sizes();
  return guide;
}

}  // namespace procmap
