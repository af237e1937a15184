// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/atomic.hpp"
#include "cuda/exec/groups.cuh"

namespace procmap {

/// Slots of a table that takes `keys` different keys: a third of them and at least one stay empty.
__host__ __device__ constexpr std::uint64_t table_slots(std::uint64_t keys) { return keys + keys / 2 + 2; }

/// Sums weights by key: what one item sees around it. Lives in shared or device memory and is shared by the
/// lanes of one group, which may add at the same time; a group.sync() stands between the last add and the first
/// look. Open addressing with linear probing; `used_` lists the slots in the order in which they were taken, so
/// that a walk costs the number of keys and keys added meanwhile are behind its end.
///
/// Weights are positive: adding 0 leaves no trace. Slot: a type that counts all slots. Alone: one lane has it for
/// itself.
template <class Slot, bool Alone = false>
class DeviceTable {
 public:
  __device__ DeviceTable(Vertex* keys, Weight* sums, Slot* used, int* count, std::uint32_t slots)
      : keys_(keys), sums_(sums), used_(used), count_(count), slots_(slots) {}

  /// Called by all lanes; empties the table and syncs.
  template <class Group>
  __device__ void clear(Group group) {
    for (auto i = static_cast<std::uint32_t>(group.rank()); i < slots_; i += static_cast<std::uint32_t>(group.size())) {
      keys_[i] = no_vertex;
      sums_[i] = 0;
    }
    if (group.rank() == 0) *count_ = 0;
    group.sync();
  }

  __device__ void add(Vertex key, Weight weight) {
    if (weight == 0) return;
    auto i = home(key);
    for (;;) {
      Vertex const found = claim(keys_[i], key);
      if (found == no_vertex) used_[increase(*count_, 1)] = static_cast<Slot>(i);
      if (found == no_vertex || found == key) break;
      if (++i == slots_) i = 0;
    }
    increase(sums_[i], weight);
  }

  /// f(sums) with sums.add(key, weight).
  template <class F>
  __device__ void fill(F f) {
    f(*this);
  }

  /// The sum of `key`, 0 if it was never added.
  __device__ Weight get(Vertex key) const {
    auto i = home(key);
    while (keys_[i] != key) {
      if (keys_[i] == no_vertex) return 0;
      if (++i == slots_) i = 0;
    }
    return sums_[i];
  }

  __device__ int size() const { return *count_; }

  /// f(key, sum) for every key, called by all lanes; keys that f adds are not visited.
  template <class Group, class F>
  __device__ void for_each(Group group, F f) const {
    int const count = size();
    group.sync();  // before anyone adds
    for (int i = group.rank(); i < count; i += group.size()) {
      auto const slot = used_[i];
      f(keys_[slot], sums_[slot]);
    }
  }

  /// Called by all lanes: writes all keys and sums to keys[0..size) and sums[0..size); returns size.
  template <class Group>
  __device__ Edge export_to(Group group, Vertex* keys, Weight* sums) const {
    int const count = size();
    for (int i = group.rank(); i < count; i += group.size()) {
      auto const slot = used_[i];
      keys[i] = keys_[slot];
      sums[i] = sums_[slot];
    }
    return count;
  }

 private:
  /// Makes an empty slot that of `key`; returns whose it was.
  __device__ static Vertex claim(Vertex& slot, Vertex key) {
    if constexpr (!Alone) return claim_or_see(&slot, no_vertex, key);
    Vertex const found = slot;
    if (found == no_vertex) slot = key;
    return found;
  }
  /// Returns what it was.
  template <class T>
  __device__ static T increase(T& sum, T by) {
    if constexpr (!Alone) return fetch_add(&sum, by);
    T const before = sum;
    sum = before + by;
    return before;
  }

  /// Multiplicative hashing; the high bits of the product are scaled to the number of slots.
  __device__ std::uint32_t home(Vertex key) const {
    return __umulhi(static_cast<std::uint32_t>(key) * 0x9e3779b1u, slots_);
  }

  Vertex* keys_;
  Weight* sums_;
  Slot* used_;
  int* count_;
  std::uint32_t slots_;
};

static_assert(SumTable<DeviceTable<std::uint16_t>, WarpGroup>);

}  // namespace procmap
