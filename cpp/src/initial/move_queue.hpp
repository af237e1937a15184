// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "procmap/types.hpp"

namespace procmap::initial {

/// Place of a vertex in the heap of its queue, or one of these.
using Slot = std::int32_t;
inline constexpr Slot slot_none = -1;    // in no queue
inline constexpr Slot slot_locked = -2;  // in no queue, and not to enter one before the next pass

/// Addressable priority queue of vertices: a 4-ary heap ordered by (gain, tie). Ties are distinct,
/// so what is popped does not depend on the order of the updates. Gains that fall are not
/// reported: an entry holds an upper bound, made exact when it reaches the top. All queues share
/// `slot`, hence a vertex is in at most one.
class MoveQueue {
 public:
  bool empty() const { return heap_.empty(); }

  /// Inserts `v` or raises its gain. The low half of `tie` must be `v`.
  void raise(Vertex v, Weight gain, std::uint64_t tie, std::span<Slot> slot) {
    if (slot[v] == slot_none) {
      heap_.emplace_back();
      slot[v] = static_cast<Slot>(heap_.size()) - 1;
    } else if (gain <= heap_[slot[v]].gain()) {
      return;  // the bound still holds
    }
    sift_up(slot[v], {gain, tie}, slot);
  }

  /// The best vertex by its gain of now. Expects a queue that is not empty.
  Vertex top(std::span<Weight const> gain, std::span<Slot> slot) {
    for (;;) {
      auto const entry = heap_.front();
      auto const exact = gain[entry.vertex()];
      if (exact == entry.gain()) return entry.vertex();
      sift_down(0, {exact, entry.tie()}, slot);
    }
  }

  /// Removes what top() returned.
  void pop(std::span<Slot> slot) {
    slot[heap_.front().vertex()] = slot_none;
    auto const last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sift_down(0, last, slot);
  }

  void clear() { heap_.clear(); }

 private:
  static constexpr Slot arity = 4;

  // (gain, tie) as one number: its comparisons compile to code without branches, and which child
  // is best is as good as random.
  struct Entry {
    Entry() = default;
    Entry(Weight gain, std::uint64_t tie) : key(static_cast<__int128>(gain) << 64 | tie) {}
    Weight gain() const { return static_cast<Weight>(key >> 64); }
    std::uint64_t tie() const { return static_cast<std::uint64_t>(key); }
    Vertex vertex() const { return static_cast<Vertex>(key & 0xffffffffu); }
    bool before(Entry const& other) const { return key > other.key; }
    __int128 key = 0;
  };

  // A copy of where they lie: of what a pointer leads to a compiler forgets everything with each store.
  struct Places {
    Entry* heap;
    Slot* slot;

    void put(Slot at, Entry entry) const {
      heap[at] = entry;
      slot[entry.vertex()] = at;
    }
  };

  void sift_up(Slot at, Entry entry, std::span<Slot> slot) {
    Places const places{heap_.data(), slot.data()};
    while (at > 0) {
      auto const parent = (at - 1) / arity;
      Entry const above = places.heap[parent];
      if (!entry.before(above)) break;
      places.put(at, above);
      at = parent;
    }
    places.put(at, entry);
  }

  void sift_down(Slot at, Entry entry, std::span<Slot> slot) {
    Places const places{heap_.data(), slot.data()};
    auto const size = static_cast<Slot>(heap_.size());
    for (;;) {
      auto const first = at * arity + 1;
      if (first >= size) break;
      auto best = first;
      Entry highest = places.heap[first];
      auto const last = first + arity < size ? first + arity : size;
      for (auto child = first + 1; child < last; ++child) {
        Entry const other = places.heap[child];
        bool const is_better = other.before(highest);
        best = is_better ? child : best;
        highest = is_better ? other : highest;
      }
      if (!highest.before(entry)) break;
      places.put(at, highest);
      at = best;
    }
    places.put(at, entry);
  }

  std::vector<Entry> heap_;
};

}  // namespace procmap::initial
