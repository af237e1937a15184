// SPDX-License-Identifier: MIT
#include "topology/guide.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "topology/bisect_table.hpp"
#include "topology/natural_groups.hpp"

namespace procmap {

MachineGuide as_numbered(Block num_pes) {
  MachineGuide guide{std::vector<Block>(static_cast<std::size_t>(num_pes)), {num_pes}, {num_pes}};
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

  Weight length_of(Slots pes) const {
    auto const dimension = longest(pes);
    return grid_.costs[dimension] * (extent(pes, dimension) - 1);
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

  /// Each is larger than those cut out of it.
  Weight length_of(Slots pes) const { return static_cast<Weight>(pes.size()); }

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

/// One cut of all sets of a level.
struct Cut {
  Block parts = 1;
  Weight length = 0;  // of what is cut
};

/// Cuts all sets of a level alike, outermost level first, until a set is one PE.
template <class Cutter>
std::vector<Cut> cut_down(Cutter const& cutter, std::vector<Block>& pes) {
  std::vector<Cut> cuts;
  for (auto group = pes.size(); group > 1; group /= static_cast<std::size_t>(cuts.back().parts)) {
    auto const first_set = Slots(pes).first(group);
    cuts.push_back({cutter.parts_of(first_set), cutter.length_of(first_set)});
    for (std::size_t first = 0; first < pes.size(); first += group)
      cutter.cut(Slots(pes).subspan(first, group), cuts.back().parts);
  }
  return cuts;
}

/// Parts of the levels, outermost first. Cuts along dimensions of equal length become one level, which splits a graph
/// along all of them at once: one after the other, each subgraph would be split along another of them.
std::vector<Block> join_equal_lengths(std::vector<Cut> const& cuts) {
  constexpr Block most_parts = 16;
  std::vector<Block> levels;
  for (std::size_t i = 0; i < cuts.size(); ++i)
    if (i > 0 && cuts[i].length == cuts[i - 1].length && levels.back() * cuts[i].parts <= most_parts)
      levels.back() *= cuts[i].parts;
    else
      levels.push_back(cuts[i].parts);
  return levels;
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
  auto const cuts = cut_down(cutter, guide.pe_of_slot);
  std::vector<Block> parts;
  for (auto const& cut : cuts) parts.push_back(cut.parts);
  guide.sizes = join_levels(parts, max_parts);
  guide.sizes_at_once = join_levels(join_equal_lengths(cuts), max_parts);
  return guide;
}

}  // namespace

Topology hierarchy_of_slots(std::vector<Block> sizes) {
  std::vector<Weight> distances(sizes.size());
  std::iota(distances.begin(), distances.end(), 1);
  return Topology::hierarchy(std::move(sizes), std::move(distances));
}

bool has_known_groups(Topology const& topology) {
  auto const* const table = topology.as_table();
  return table && !table->groups.empty();
}

MachineGuide make_guide(Topology const& topology, Block max_parts) {
  Block const k = topology.num_pes();
  if (auto const* const grid = topology.as_grid()) return guide_by(GridCutter(*grid), k, max_parts);
  auto const* const table = topology.as_table();
  if (table && !has_known_groups(topology)) return guide_by(TableCutter(*table), k, max_parts);
  auto guide = as_numbered(k);
  guide.sizes = guide.sizes_at_once = table ? table->groups : topology.sizes();
  return guide;
}

}  // namespace procmap
