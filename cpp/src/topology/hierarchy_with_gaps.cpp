// SPDX-License-Identifier: MIT
#include "topology/hierarchy_with_gaps.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/index.hpp"

namespace procmap {
namespace {

/// A table as groups of groups: PEs up to distance[i] apart are those with the same group[i].
class NestedGroups {
 public:
  explicit NestedGroups(DistanceTable const& table)
      : table_(table), nodes_(index(table.num_nodes)), holds_several_(nodes_, 0) {
    std::vector<char> taken(nodes_, 0);
    for (Block const node : table.node_of_pe)
      if (std::exchange(taken[index(node)], 1)) holds_several_[index(node)] = 1;
  }

  /// Returns whether distances say nothing but which group two PEs meet in.
  bool find() {
    if (!find_distances()) return false;
    return std::ranges::all_of(distances_, [&](Weight reach) { return add_level(reach); });
  }

  std::vector<Weight> const& distances() const { return distances_; }
  std::size_t num_levels() const { return distances_.size(); }
  Block group(std::size_t level, Block pe) const { return groups_[level][index(pe)]; }

 private:
  std::int32_t between(std::size_t a, std::size_t b) const { return table_.distances[a * nodes_ + b]; }

  bool find_distances() {
    for (std::size_t a = 0; a < nodes_; ++a)
      for (std::size_t b = 0; b < a + index(holds_several_[a]); ++b) {
        if (std::ranges::find(distances_, between(a, b)) != distances_.end()) continue;
        if (distances_.size() == index(Topology::max_levels)) return false;
        distances_.push_back(between(a, b));
      }
    std::ranges::sort(distances_);
    return !distances_.empty();
  }

  /// The group of a node is its first one. PEs of a node that are farther apart are groups of their own.
  bool add_level(Weight reach) {
    std::vector<Block> first(nodes_);
    for (std::size_t a = 0; a < nodes_; ++a) {
      std::size_t b = 0;
      while (b < a && between(a, b) > reach) ++b;
      first[a] = static_cast<Block>(b);
    }
    auto const falls_apart = [&](std::size_t a) { return holds_several_[a] && between(a, a) > reach; };
    for (std::size_t a = 0; a < nodes_; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        bool const near = between(a, b) <= reach;
        if (near != (first[a] == first[b]) || (near && (falls_apart(a) || falls_apart(b)))) return false;
      }
    auto& group = groups_.emplace_back();
    for (std::size_t pe = 0; pe < table_.node_of_pe.size(); ++pe) {
      auto const node = index(table_.node_of_pe[pe]);
      group.push_back(falls_apart(node) ? table_.num_nodes + static_cast<Block>(pe) : first[node]);
    }
    return true;
  }

  DistanceTable const& table_;
  std::size_t nodes_;
  std::vector<char> holds_several_;
  std::vector<Weight> distances_;
  std::vector<std::vector<Block>> groups_;
};

/// Which child of every group a PE is in: [i * levels + level], of the PE that is i-th if groups stay together.
struct Positions {
  std::vector<Block> pe;
  std::vector<Block> child;
  std::vector<Block> sizes;   // children of the largest group of a level
  std::vector<Block> groups;  // of every level
};

Positions positions_in(NestedGroups const& groups, Block num_pes) {
  auto const levels = groups.num_levels();
  Positions found{std::vector<Block>(index(num_pes)), {}, std::vector<Block>(levels, 1), std::vector<Block>(levels, 1)};
  std::iota(found.pe.begin(), found.pe.end(), 0);
  std::ranges::stable_sort(found.pe, [&](Block a, Block b) {
    for (auto level = levels; level-- > 0;)
      if (groups.group(level, a) != groups.group(level, b)) return groups.group(level, a) < groups.group(level, b);
    return false;
  });
  std::vector<Block> child(levels, 0);
  for (std::size_t i = 0; i < found.pe.size(); ++i) {
    if (i > 0) {
      std::size_t level = 0;  // at which this PE meets the one before
      for (; groups.group(level, found.pe[i]) != groups.group(level, found.pe[i - 1]); ++level) {
        child[level] = 0;
        ++found.groups[level];
      }
      found.sizes[level] = std::max(found.sizes[level], ++child[level] + 1);
    }
    found.child.insert(found.child.end(), child.begin(), child.end());
  }
  return found;
}

/// Not if one group is far larger than the others of its level, of which a split would have too many at once.
bool are_few_gaps(Positions const& positions) {
  constexpr std::int64_t largest = 4, slots_each = 16;  // of the average group; per PE
  auto const num_pes = static_cast<Block>(positions.pe.size());
  std::int64_t slots = 1;
  Block children = num_pes;
  for (std::size_t level = 0; level < positions.sizes.size(); ++level) {
    Block const groups = positions.groups[level];
    if (std::int64_t{positions.sizes[level]} * groups > largest * children) return false;
    if ((slots *= positions.sizes[level]) > slots_each * num_pes) return false;
    children = groups;
  }
  return slots <= Topology::max_pes;
}

}  // namespace

std::optional<HierarchyWithGaps> as_hierarchy_with_gaps(DistanceTable const& table) {
  NestedGroups groups(table);
  if (!groups.find()) return std::nullopt;
  auto const positions = positions_in(groups, static_cast<Block>(table.node_of_pe.size()));
  if (!are_few_gaps(positions)) return std::nullopt;
  auto const& sizes = positions.sizes;
  HierarchyWithGaps machine{Topology::hierarchy(sizes, groups.distances()), {}};
  machine.pe_of_slot.assign(index(machine.hierarchy.num_pes()), no_block);
  for (std::size_t i = 0; i < positions.pe.size(); ++i) {
    std::int64_t slot = 0;
    for (auto level = sizes.size(); level-- > 0;)
      slot = slot * sizes[level] + positions.child[i * sizes.size() + level];
    machine.pe_of_slot[index(slot)] = positions.pe[i];
  }
  return machine;
}

}  // namespace procmap
