// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <vector>

#include "distributed/rank_rows.hpp"

namespace procmap {

/// Sums weights by global ids: CpuTable with wider keys. Adding 0 leaves no trace.
class WeightTable {
 public:
  /// Empties the table and makes room for `bound` different keys.
  void reset(Edge bound) {
    for (auto const slot : used_) sums_[slot] = 0;
    used_.clear();
    auto const slots = std::bit_ceil(static_cast<std::size_t>(bound < 8 ? 16 : 2 * bound));
    if (slots <= sums_.size()) return;
    keys_.assign(slots, no_global_vertex);
    sums_.assign(slots, 0);
  }

  void add(GlobalVertex key, Weight weight) {
    if (weight == 0) return;
    auto const slot = find(key);
    if (sums_[slot] == 0) {
      used_.push_back(slot);
      keys_[slot] = key;
    }
    sums_[slot] += weight;
  }

  Weight get(GlobalVertex key) const { return sums_[find(key)]; }

  /// f(key, sum) for every key, in an order that carries no meaning.
  template <class F>
  void for_each(F f) const {
    for (auto const slot : used_) f(keys_[slot], sums_[slot]);
  }

 private:
  std::size_t find(GlobalVertex key) const {
    auto const mask = sums_.size() - 1;
    auto slot = static_cast<std::size_t>(mix(static_cast<std::uint64_t>(key))) & mask;
    while (sums_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<GlobalVertex> keys_;  // meaningful where the sum is not 0
  std::vector<Weight> sums_;
  std::vector<std::size_t> used_;
};

}  // namespace procmap
