// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/index.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Members of blocks in order of their sizes, in a tree that knows for every range of them how much would fit into the
/// block of one of them in its place. So the lightest one that would do is found in a few steps.
class MembersBySize {
 public:
  /// Sizes of all that may be a member. None is one at first.
  explicit MembersBySize(std::vector<Weight> const& sizes)
      : sizes_(sizes.size()), position_(sizes.size()), leaves_(std::bit_ceil(std::max<std::size_t>(sizes.size(), 1))) {
    std::vector<Vertex> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](Vertex v) { return sizes[index(v)]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      sizes_[i] = sizes[index(order[i])];
      position_[index(order[i])] = i;
    }
    most_.assign(2 * leaves_, nobody);
  }

  /// v is a member of `block` now, where as much as it weighs and `room` would fit in its place.
  void put(Vertex v, Block block, Weight room) {
    auto const i = position_[index(v)];
    set(i, {sizes_[i] + room, block});
  }
  void take_out(Vertex v) { set(position_[index(v)], nobody); }

  struct Lightest {
    Weight size = 0;
    Block block = no_block;  // none would do
  };

  /// The lightest member in whose place `wanted` would fit, if it weighs less. Of several that weigh as much, one of
  /// the block with most room, of such blocks the last.
  Lightest in_place_of(Weight wanted) const {
    if (most_[1].first < wanted) return {};
    std::size_t node = 1;
    while (node < leaves_) node = most_[2 * node].first >= wanted ? 2 * node : 2 * node + 1;
    Weight const size = sizes_[node - leaves_];
    if (size >= wanted) return {};
    auto const first = std::ranges::lower_bound(sizes_, size) - sizes_.begin();
    auto const end = std::ranges::upper_bound(sizes_, size) - sizes_.begin();
    return {size, most_of(static_cast<std::size_t>(first), static_cast<std::size_t>(end)).second};
  }

 private:
  using Reach = std::pair<Weight, Block>;  // what would fit, and where
  static constexpr Reach nobody{std::numeric_limits<Weight>::min(), no_block};

  void set(std::size_t i, Reach reach) {
    auto node = leaves_ + i;
    most_[node] = reach;
    for (node /= 2; node > 0; node /= 2) most_[node] = std::max(most_[2 * node], most_[2 * node + 1]);
  }

  Reach most_of(std::size_t begin, std::size_t end) const {
    Reach most = nobody;
    for (begin += leaves_, end += leaves_; begin < end; begin /= 2, end /= 2) {
      if (begin % 2 == 1) most = std::max(most, most_[begin++]);
      if (end % 2 == 1) most = std::max(most, most_[--end]);
    }
    return most;
  }

  std::vector<Weight> sizes_;          // in order
  std::vector<std::size_t> position_;  // of every vertex in that order
  std::size_t leaves_;
  std::vector<Reach> most_;  // the root is 1, the children of i are 2 i and 2 i + 1
};

}  // namespace procmap
