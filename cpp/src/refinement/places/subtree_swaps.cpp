// SPDX-License-Identifier: MIT
#include "refinement/places/subtree_swaps.hpp"

#include <algorithm>
#include <numeric>

namespace procmap {
namespace {

// A level of the machine seen from its subtrees: `count` items sit on `count` places, one each.
// weight_to[j][item * groups_j + g] is the traffic of an item with all items in group g of the j-th
// level above; with it the cost of an item on any place takes one lookup per level.
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
      if (group >= pes_per_place) {
        places_per_group_.push_back(group / pes_per_place);
        step_.push_back(group == pes_per_place ? distance : distance - below);
      }
      below = distance;
      group *= topology.sizes()[index];
    }
    for (Block const size : places_per_group_) {
      weight_to_.emplace_back(static_cast<std::size_t>(count_) * static_cast<std::size_t>(count_ / size), 0);
      auto& table = weight_to_.back();
      for (Block x = 0; x < count_; ++x)
        for (Block y = 0; y < count_; ++y) table[cell(x, y / size, size)] += weight(x, y);
    }
  }

  /// Swaps items between places of different groups of level `level` (1: the first above the places)
  /// until no swap helps; returns whether any did.
  bool swap_until_stuck(std::size_t level) {
    Block const siblings = places_per_group_[level];
    bool any = false;
    for (bool again = true; again;) {
      again = false;
      for (Block p = 0; p < count_; ++p)
        for (Block q = (p / siblings + 1) * siblings; q < count_; ++q)
          if (swap_gain(p, q) > 0) {
            swap(p, q);
            again = any = true;
          }
    }
    return any;
  }

  std::size_t num_levels() const { return places_per_group_.size(); }
  std::vector<Block> const& places() const { return place_; }

 private:
  Weight weight(Block x, Block y) const {
    return traffic_[static_cast<std::size_t>(x) * static_cast<std::size_t>(count_) + static_cast<std::size_t>(y)];
  }
  std::size_t cell(Block item, Block group, Block size) const {
    return static_cast<std::size_t>(item) * static_cast<std::size_t>(count_ / size) + static_cast<std::size_t>(group);
  }
  Weight affinity(Block item, Block place) const {
    Weight total = 0;
    for (std::size_t j = 0; j < places_per_group_.size(); ++j)
      total += step_[j] * weight_to_[j][cell(item, place / places_per_group_[j], places_per_group_[j])];
    return total;
  }
  Weight distance(Block p, Block q) const {
    Weight total = 0;
    for (std::size_t j = 0; j < places_per_group_.size(); ++j)
      if (p / places_per_group_[j] != q / places_per_group_[j]) total += step_[j];
    return total;
  }
  Weight swap_gain(Block p, Block q) const {
    Block const x = item_[static_cast<std::size_t>(p)];
    Block const y = item_[static_cast<std::size_t>(q)];
    // Each affinity counts the other item as if it stayed; the traffic between the two does not change.
    return affinity(x, q) - affinity(x, p) + affinity(y, p) - affinity(y, q) - 2 * weight(x, y) * distance(p, q);
  }
  void swap(Block p, Block q) {
    Block const x = item_[static_cast<std::size_t>(p)];
    Block const y = item_[static_cast<std::size_t>(q)];
    for (std::size_t j = 0; j < places_per_group_.size(); ++j) {
      Block const size = places_per_group_[j];
      if (p / size == q / size) continue;
      for (Block z = 0; z < count_; ++z) {
        Weight const difference = weight(z, x) - weight(z, y);
        if (difference == 0) continue;
        weight_to_[j][cell(z, p / size, size)] -= difference;
        weight_to_[j][cell(z, q / size, size)] += difference;
      }
    }
    std::swap(item_[static_cast<std::size_t>(p)], item_[static_cast<std::size_t>(q)]);
    place_[static_cast<std::size_t>(x)] = q;
    place_[static_cast<std::size_t>(y)] = p;
  }

  Block count_;
  std::vector<Weight> traffic_;
  std::vector<Block> place_;  // of every item
  std::vector<Block> item_;   // on every place
  std::vector<Block> places_per_group_;
  std::vector<Weight> step_;
  std::vector<std::vector<Weight>> weight_to_;
};

// Traffic between subtrees of `factor` former subtrees each, as they now lie.
std::vector<Weight> merge_subtrees(std::vector<Weight> const& traffic, std::vector<Block> const& place, Block factor) {
  auto const count = place.size();
  auto const merged_count = count / static_cast<std::size_t>(factor);
  std::vector<Weight> merged(merged_count * merged_count, 0);
  for (std::size_t x = 0; x < count; ++x)
    for (std::size_t y = 0; y < count; ++y) {
      auto const from = static_cast<std::size_t>(place[x] / factor);
      auto const to = static_cast<std::size_t>(place[y] / factor);
      if (from != to) merged[from * merged_count + to] += traffic[x * count + y];
    }
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
