// SPDX-License-Identifier: MIT
#include "refinement/places/subtree_swaps.hpp"

#include <algorithm>
#include <numeric>

namespace procmap {
namespace {

// A level of the machine seen from its subtrees: `count` items sit on `count` places, one each.
// For each level above, the traffic of an item with all items in group g of that level is kept; with it the cost of an
// item on any place takes one lookup per level.
class PlaceSwaps {
 public:
  PlaceSwaps(std::vector<Weight> traffic, Topology const& topology, Block pes_per_place)
      : count_(topology.num_pes() / pes_per_place), traffic_(std::move(traffic)) {
    place_.resize(static_cast<std::size_t>(count_));
    std::iota(place_.begin(), place_.end(), 0);
    item_ = place_;
    Block group = 1;  // PEs
    Weight below = 0;
    for (int i = 0; i < topology.num_levels(); ++i) {
      auto const index = static_cast<std::size_t>(i);
      Weight const distance = topology.distances()[index];
      if (group >= pes_per_place)
        add_level(group / pes_per_place, group == pes_per_place ? distance : distance - below);
      below = distance;
      group *= topology.sizes()[index];
    }
  }

  /// Swaps items between places of different groups of level `level` (1: the first above the places)
  /// until no swap helps; returns whether any did.
  bool swap_until_stuck(std::size_t level) {
    bool any = false;
    for (bool again = true; again;) {
      again = false;
      for (Block p = 0; p < count_; ++p) again |= swap_with_later(p, level);
      any |= again;
    }
    return any;
  }

  std::size_t num_levels() const { return levels_.size(); }
  std::vector<Block> const& places() const { return place_; }

 private:
  // What each item exchanges with each group of so many places; the cost of its unit is `step` where the two places
  // lie in different groups.
  struct Level {
    Block places_per_group;
    Weight step;
    std::size_t num_groups;
    std::vector<Block> group_of;  // every place
    std::vector<Weight> weight;   // item * num_groups + group

    Weight* of(Block item) { return weight.data() + static_cast<std::size_t>(item) * num_groups; }
    Weight const* of(Block item) const { return weight.data() + static_cast<std::size_t>(item) * num_groups; }
  };

  void add_level(Block places_per_group, Weight step) {
    auto const groups = static_cast<std::size_t>(count_ / places_per_group);
    auto& level = levels_.emplace_back(Level{places_per_group, step, groups, {}, {}});
    level.group_of.resize(static_cast<std::size_t>(count_));
    for (Block p = 0; p < count_; ++p) level.group_of[static_cast<std::size_t>(p)] = p / places_per_group;
    level.weight.reserve(static_cast<std::size_t>(count_) * groups);
    for (auto from = traffic_.begin(); from != traffic_.end(); from += places_per_group)
      level.weight.push_back(std::accumulate(from, from + places_per_group, Weight{0}));
  }

  // Swaps the item on place `p` with those of later groups where that helps, one after the other.
  bool swap_with_later(Block p, std::size_t level) {
    Block const siblings = levels_[level].places_per_group;
    bool any = false;
    for (Block q = (p / siblings + 1) * siblings; q < count_; ++q)
      if (swap_gain(p, q) > 0) {
        swap(p, q);
        any = true;
      }
    return any;
  }

  Weight const* traffic_of(Block item) const {
    return traffic_.data() + static_cast<std::size_t>(item) * static_cast<std::size_t>(count_);
  }

  Weight swap_gain(Block p, Block q) const {
    Block const x = item_[static_cast<std::size_t>(p)];
    Block const y = item_[static_cast<std::size_t>(q)];
    Weight const between = traffic_of(x)[y];
    Weight gain = 0;
    for (auto const& level : levels_) {
      Block const g = level.group_of[static_cast<std::size_t>(p)];
      Block const h = level.group_of[static_cast<std::size_t>(q)];
      if (g == h) break;  // and so on all levels above
      Weight const* const of_x = level.of(x);
      Weight const* const of_y = level.of(y);
      // The weights count the other item as if it stayed; the traffic between the two does not change.
      gain += level.step * (of_x[h] - of_x[g] + of_y[g] - of_y[h] - 2 * between);
    }
    return gain;
  }

  void swap(Block p, Block q) {
    Block const x = item_[static_cast<std::size_t>(p)];
    Block const y = item_[static_cast<std::size_t>(q)];
    Weight const* const of_x = traffic_of(x);
    Weight const* const of_y = traffic_of(y);
    for (auto& level : levels_) {
      Block const g = level.group_of[static_cast<std::size_t>(p)];
      Block const h = level.group_of[static_cast<std::size_t>(q)];
      if (g == h) break;
      for (Block z = 0; z < count_; ++z) {
        Weight const difference = of_x[z] - of_y[z];
        level.of(z)[g] -= difference;
        level.of(z)[h] += difference;
      }
    }
    std::swap(item_[static_cast<std::size_t>(p)], item_[static_cast<std::size_t>(q)]);
    place_[static_cast<std::size_t>(x)] = q;
    place_[static_cast<std::size_t>(y)] = p;
  }

  Block count_;
  std::vector<Weight> traffic_;  // symmetric: item * count + item
  std::vector<Block> place_;     // of every item
  std::vector<Block> item_;      // on every place
  std::vector<Level> levels_;    // lowest first
};

// Traffic between subtrees of `factor` former subtrees each, as they now lie.
std::vector<Weight> merge_subtrees(std::vector<Weight> const& traffic, std::vector<Block> const& place, Block factor) {
  auto const count = place.size();
  auto const merged_count = count / static_cast<std::size_t>(factor);
  std::vector<std::size_t> merged_of(count);
  for (std::size_t x = 0; x < count; ++x) merged_of[x] = static_cast<std::size_t>(place[x] / factor);
  std::vector<Weight> merged(merged_count * merged_count, 0);
  for (std::size_t x = 0; x < count; ++x) {
    auto* const row = merged.data() + merged_of[x] * merged_count;
    for (std::size_t y = 0; y < count; ++y) row[merged_of[y]] += traffic[x * count + y];
  }
  for (std::size_t x = 0; x < merged_count; ++x) merged[x * merged_count + x] = 0;
  return merged;
}

}  // namespace

std::vector<Block> swap_subtrees(std::vector<Weight> traffic, Topology const& topology, Block pes_per_subtree) {
  auto const count = static_cast<std::size_t>(topology.num_pes() / pes_per_subtree);
  std::vector<Block> place(count);
  std::iota(place.begin(), place.end(), 0);
  for (bool improved = true; improved;) {
    improved = false;
    // Large subtrees first: their swaps are worth most.
    Block pes = topology.num_pes();
    for (int i = topology.num_levels() - 1; i >= 0; --i) {
      pes /= topology.sizes()[static_cast<std::size_t>(i)];
      if (pes < pes_per_subtree) break;
      Block const factor = pes / pes_per_subtree;
      PlaceSwaps swaps(merge_subtrees(traffic, place, factor), topology, pes);
      if (swaps.num_levels() < 2 || !swaps.swap_until_stuck(1)) continue;
      improved = true;
      for (auto& p : place) p = swaps.places()[static_cast<std::size_t>(p / factor)] * factor + p % factor;
    }
  }
  return place;
}

}  // namespace procmap
