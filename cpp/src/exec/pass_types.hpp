// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/hd.hpp"
#include "procmap/types.hpp"

// What the verbs of an executor (exec/executor.hpp) take and give.

namespace procmap {

/// A key-value pair of `sort`: 64-bit key, then id, in increasing order.
struct KeyedId {
  std::uint64_t key = 0;
  Vertex id = 0;
  std::int32_t padding = 0;  // every byte is written, so that memory checkers can follow copies
};

/// What an item of a pass with tables asks for: room for `keys` keys, and lanes for `work`, which is as much if it is
/// not said.
struct TableNeeds {
  Edge keys = 0;
  Edge work = 0;

  PROCMAP_HD TableNeeds(Edge num_keys) : TableNeeds(num_keys, num_keys) {}
  PROCMAP_HD TableNeeds(Edge num_keys, Edge amount) : keys(num_keys), work(amount) {}
};

/// Lengths of rows: all together, and the largest.
struct ScannedRows {
  Edge sum = 0;
  Edge longest = 0;
};

/// What Team::counters has room for.
inline constexpr int num_team_counters = 4;

/// An array in Team::fast_memory, named by where it begins: a compiler that knows where a pointer leads makes faster
/// code (Team::fast).
template <class T>
struct FastArray {
  std::uint32_t at = 0;  // bytes
};

/// What is left of Team::fast_memory.
struct FastMemory {
  std::byte* next = nullptr;
  std::size_t bytes = 0;
  int shares = 1;  // it lies in so many places, each of which has a share of an array
  std::uint32_t taken = 0;  // bytes, of each place

  /// Moves an array of n elements here if there is room; what it holds is lost.
  template <class T>
  PROCMAP_HD void take(T*& array, Vertex n) {
    constexpr std::size_t alignment = 16;
    auto const needed =
        (static_cast<std::size_t>((n + shares - 1) / shares) * sizeof(T) + alignment - 1) / alignment * alignment;
    if (needed > bytes) return;
    array = reinterpret_cast<T*>(next);
    next += needed;
    bytes -= needed;
    taken += static_cast<std::uint32_t>(needed);
  }
  /// The same for an array that has no other place: who takes it has counted that there is room.
  template <class T>
  PROCMAP_HD void take(FastArray<T>& array, Vertex n) {
    T* place = nullptr;
    array.at = taken;
    take(place, n);
  }
};

/// An item of for_each_team_in_order: those that may start only after it, -1: none, and how many it waits for.
struct TeamTurn {
  Edge next[2] = {-1, -1};
  std::int32_t waits_for = 0;
  std::int32_t left_out = 0;  // it, or an item that it waited for, was not done
};

/// The items of for_each_team_in_order.
struct TeamQueue {
  TeamTurn* turn = nullptr;  // of every item, memory of the executor; an item comes behind those that it waits for
  Edge count = 0;
  Edge slots = 1;  // how many items may be at work at the same time
  Edge work = 0;   // of one item, about, in arcs
};

/// What a composite of passes needs to run as one (HostExecutor::resident).
struct ResidentNeeds {
  Edge items = 0;                 // of its usual pass
  std::size_t scratch_bytes = 0;  // at most, for all buffers and passes of it (exec/scratch.hpp)
  Vertex table_universe = 0;      // largest universe of its tables
  Edge arcs = 0;                  // of all its items
  Edge table_keys = std::numeric_limits<Edge>::max();  // most keys that an item asks for, if it is known
};

}  // namespace procmap
