// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Sums weights by key: what one vertex sees around it. One table per thread, reused for every
/// vertex; a reset costs the number of keys it held, not its capacity.
///
/// Small key universes are indexed directly, larger ones hashed with linear probing. Weights are
/// positive: adding 0 leaves no trace.
class CpuTable {
 public:
  static constexpr Vertex direct_limit = 1 << 14;  // 128 KiB of sums: still in the second-level cache

  /// Empties the table and makes room for `bound` different keys in [0, universe).
  void reset(Edge bound, Vertex universe) {
    clear();
    direct_ = universe <= direct_limit;
    if (direct_) {
      if (sums_.size() < static_cast<std::size_t>(universe)) sums_.resize(static_cast<std::size_t>(universe), 0);
      return;
    }
    auto const slots = std::bit_ceil(static_cast<std::uint64_t>(bound < 8 ? 16 : 2 * bound));
    shift_ = 64 - std::countr_zero(slots);
    mask_ = slots - 1;
    if (keys_.size() < slots) {
      keys_.assign(slots, -1);
      if (sums_.size() < slots) sums_.resize(slots, 0);
    }
  }

  void add(Vertex key, Weight weight) {
    if (weight == 0) return;
    auto const i = find(key);
    if (sums_[i] == 0) {
      used_.push_back({key, static_cast<std::uint32_t>(i)});
      if (!direct_) keys_[i] = key;
    }
    sums_[i] += weight;
  }

  /// The sum of `key`, 0 if it was never added.
  Weight get(Vertex key) const { return sums_[find(key)]; }

  int size() const { return static_cast<int>(used_.size()); }

  /// f(key, sum) for every key; keys that f adds are not visited. The order carries no meaning.
  template <class Group, class F>
  void for_each(Group group, F f) const {
    auto const count = used_.size();
    for (auto i = static_cast<std::size_t>(group.rank()); i < count; i += static_cast<std::size_t>(group.size())) {
      auto const entry = used_[i];
      f(entry.key, sums_[entry.slot]);
    }
  }

  /// Writes all keys and sums to keys[0..size) and sums[0..size); returns size.
  template <class Group>
  Edge export_to(Group, Vertex* keys, Weight* sums) const {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      keys[i] = used_[i].key;
      sums[i] = sums_[used_[i].slot];
    }
    return static_cast<Edge>(used_.size());
  }

 private:
  struct Entry {
    Vertex key;
    std::uint32_t slot;
  };

  std::size_t find(Vertex key) const {
    if (direct_) return static_cast<std::size_t>(key);
    auto i = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key)) * 0x9e3779b97f4a7c15ull) >> shift_;
    while (keys_[i] != key && keys_[i] != -1) i = (i + 1) & mask_;
    return i;
  }

  void clear() {
    for (auto const entry : used_) {
      sums_[entry.slot] = 0;
      if (!direct_) keys_[entry.slot] = -1;
    }
    used_.clear();
  }

  bool direct_ = true;
  int shift_ = 0;
  std::uint64_t mask_ = 0;
  std::vector<Vertex> keys_;
  std::vector<Weight> sums_;
  std::vector<Entry> used_;
};

}  // namespace procmap
