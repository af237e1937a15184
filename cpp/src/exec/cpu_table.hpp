// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "exec/cpu_buffer.hpp"
#include "procmap/types.hpp"

namespace procmap {

/// Sums weights by key: what one vertex sees around it. One table per thread, reused for every
/// vertex; a reset costs the number of keys it held, not its capacity.
///
/// Small key universes are indexed directly, larger ones hashed with linear probing: few keys to slots as near to each
/// other as they are, many to any. Weights are positive: adding 0 leaves no trace. Whether a key is new is a guess that
/// a processor loses half of the time, so nothing branches on it.
class CpuTable {
 public:
  static constexpr Vertex direct_limit = 1 << 17;    // 1 MiB of sums, of which near keys share lines
  static constexpr Vertex farthest_limit = 1 << 20;  // where few tables are in use
  static constexpr Vertex shared_limit = 1 << 22;    // all tables together: 32 MiB
  static constexpr Edge few_keys = 1 << 10;          // hashed to near slots

  /// One of `tables` in use at a time.
  explicit CpuTable(int tables = 1)
      : direct_limit_(std::clamp(shared_limit / std::max(tables, 1), direct_limit, farthest_limit)) {}

  /// Empties the table, for keys in [0, universe) from here on.
  void open(Vertex universe) {
    clear();
    direct_ = universe <= direct_limit_;
    if (!direct_) return;
    auto const keys = std::bit_ceil(static_cast<std::uint64_t>(std::max(universe, direct_limit)));
    // Clusters of the finest graph have most keys, and memory is short after them.
    if (sums_.size() >= 4 * keys) sums_ = CpuBuffer<Weight>();
    make_sums(static_cast<std::uint64_t>(universe));
  }

  /// Empties the table and makes room for `bound` different keys.
  void reset(Edge bound) {
    clear();
    if (static_cast<std::uint64_t>(bound) >= used_.size()) make_entries(static_cast<std::uint64_t>(bound));
    if (direct_) return;
    hash_ = bound <= few_keys ? SlotHash::near() : SlotHash::any(std::bit_ceil(static_cast<std::uint64_t>(2 * bound)));
    make_sums(hash_.mask + 1);
    make_keys(hash_.mask + 1);
  }

  void add(Vertex key, Weight weight) {
    fill([=](auto& sums) { sums.add(key, weight); });
  }

  /// f(sums) with sums.add(key, weight): what loops of them look at stays in registers.
  template <class F>
  void fill(F f) {
    if (direct_)
      fill_slots(DirectSlots{}, f);
    else
      fill_slots(hashed_slots(), f);
  }

  /// The sum of `key`, 0 if it was never added.
  Weight get(Vertex key) const {
    return sums_.data()[direct_ ? static_cast<std::size_t>(key) : hashed_slots().find(key, sums_.data())];
  }

  int size() const { return static_cast<int>(end_ - used_.data()); }

  /// f(key, sum) for every key; keys that f adds are not visited. The order carries no meaning.
  template <class Group, class F>
  void for_each(Group group, F f) const {
    auto const count = size();
    for (int i = group.rank(); i < count; i += group.size()) {
      auto const entry = used_.data()[i];
      f(entry.key, sums_.data()[entry.slot]);
    }
  }

  /// Writes all keys and sums to keys[0..size) and sums[0..size); returns size.
  template <class Group>
  Edge export_to(Group, Vertex* keys, Weight* sums) const {
    for (auto const* entry = used_.data(); entry != end_; ++entry) {
      *keys++ = entry->key;
      *sums++ = sums_.data()[entry->slot];
    }
    return static_cast<Edge>(size());
  }

 private:
  struct Entry {
    Vertex key;
    std::uint32_t slot;
  };

  // A key is its own slot.
  struct DirectSlots {
    std::size_t find(Vertex key, Weight const*) const { return static_cast<std::size_t>(key); }
    void name(std::size_t, Vertex) const {}
  };

  // The slot where a key is looked for first, and then in those behind it.
  struct SlotHash {
    static constexpr int row_bits = 14;                                    // 16 slots for each of few keys
    static constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ull;  // of 2^64

    std::uint64_t turn = 0;
    std::uint64_t factor = 0;
    int shift = 0;
    std::uint64_t mask = 0;

    /// Keys in a row have slots in a row, those of every next 2^14 from another slot on. Few keys hardly ever meet, so
    /// a processor guesses right that they don't.
    static SlotHash near() { return {golden_ratio >> (64 - row_bits) | 1, 1, 0, (1u << row_bits) - 1}; }
    /// Scattered: rows of many keys would run into each other.
    static SlotHash any(std::uint64_t slots) { return {0, golden_ratio, 64 - std::countr_zero(slots), slots - 1}; }

    std::uint64_t operator()(Vertex key) const {
      auto const k = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key));
      return (((k + (k >> row_bits) * turn) * factor) >> shift) & mask;
    }
  };

  // Hashing with linear probing.
  struct HashedSlots {
    Vertex* keys;
    SlotHash hash;

    std::size_t find(Vertex key, Weight const* sums) const {
      auto i = hash(key);
      while (keys[i] != key && sums[i] != 0) i = (i + 1) & hash.mask;
      return i;
    }
    void name(std::size_t i, Vertex key) const { keys[i] = key; }
  };

  HashedSlots hashed_slots() const { return {keys_.data(), hash_}; }

  // The table while it is filled. A copy: what the table itself holds has to be stored after every add, as a loop may
  // end before the next one.
  template <class Slots>
  struct Sums {
    Slots slots;
    Weight* sums;
    Entry* end;

    void add(Vertex key, Weight weight) {
      key = weight == 0 ? 0 : key;  // which may be none then
      auto const i = slots.find(key, sums);
      slots.name(i, key);
      *end = {key, static_cast<std::uint32_t>(i)};  // overwritten by the next one if it is known
      end += static_cast<std::ptrdiff_t>(sums[i] == 0) & static_cast<std::ptrdiff_t>(weight != 0);
      sums[i] += weight;
    }
  };

  template <class Slots, class F>
  void fill_slots(Slots slots, F f) {
    Sums<Slots> sums{slots, sums_.data(), end_};
    f(sums);
    end_ = sums.end;
  }

  void clear() {
    for (auto const* entry = used_.data(); entry != end_; ++entry) sums_.data()[entry->slot] = 0;
    end_ = used_.data();
  }

  // All are only called while the table is empty: nothing is kept but the invariant that all sums are 0.
  void make_sums(std::uint64_t slots) {
    if (slots <= sums_.size()) return;
    sums_ = CpuBuffer<Weight>(std::bit_ceil(slots));
    std::fill_n(sums_.data(), sums_.size(), 0);
  }
  void make_keys(std::uint64_t slots) {
    if (slots <= keys_.size()) return;
    keys_ = CpuBuffer<Vertex>(slots);
    std::fill_n(keys_.data(), keys_.size(), no_vertex);
  }
  void make_entries(std::uint64_t bound) {
    used_ = CpuBuffer<Entry>(std::bit_ceil(bound + 1));  // one more than may be kept
    end_ = used_.data();
  }

  Vertex direct_limit_;
  bool direct_ = true;
  SlotHash hash_;
  CpuBuffer<Vertex> keys_;   // meaningful where the sum is not 0
  CpuBuffer<Weight> sums_;
  CpuBuffer<Entry> used_;
  Entry* end_ = nullptr;     // of those in use; a pointer, as stores of sums may be to a number and never are to it
};

}  // namespace procmap
