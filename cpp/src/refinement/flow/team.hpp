// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/atomic.hpp"
#include "exec/pass_types.hpp"
#include "procmap/types.hpp"

namespace procmap {

// What the lanes of a team share in memory. A team of one lane needs no atomics, and on the host they are a
// third of the time of a flow.

/// Adds `value` to `*target`, which other lanes of the team may do at the same time; returns what was there.
template <class Group, class T>
PROCMAP_HD T team_add(Group, T* target, std::type_identity_t<T> value) {
  if constexpr (Group::size() == 1) {
    T const before = *target;
    *target = before + value;
    return before;
  } else {
    return fetch_add(target, value);
  }
}

/// Turns `*target` from `expected` into `desired`; of the lanes that try at the same time, one succeeds.
template <class Group, class T>
PROCMAP_HD bool team_claim(Group, T* target, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  if constexpr (Group::size() == 1) {
    if (*target != expected) return false;
    *target = desired;
    return true;
  } else {
    return claim(target, expected, desired);
  }
}

/// What another lane of the team may be storing or adding to at the same time, by team_store or team_add.
template <class Group, class T>
PROCMAP_HD T team_load(Group, T const* source) {
  if constexpr (Group::size() == 1)
    return *source;
  else
    return racy_load(source);
}
/// ... as it is now. A team of several processors may see by team_load what stood there at the last sync.
template <class Group, class T>
PROCMAP_HD T team_load_fresh(Group, T const* source) {
  if constexpr (Group::size() == 1)
    return *source;
  else
    return fresh_load(source);
}
template <class Group, class T>
PROCMAP_HD void team_store(Group, T* target, std::type_identity_t<T> value) {
  if constexpr (Group::size() == 1)
    *target = value;
  else
    racy_store(target, value);
}

/// Items i = rank, rank + size, ... below `count`: the share of one lane.
template <class Group, class Count, class F>
PROCMAP_HD void team_for(Group group, Count count, F f) {
  PROCMAP_LOOP
  for (Count i = static_cast<Count>(group.rank()); i < count; i += static_cast<Count>(group.size())) f(i);
}

template <int n>
PROCMAP_HD Vertex number_of(bool const (&flag)[n]) {
  Vertex number = 0;
  PROCMAP_UNROLL
  for (int i = 0; i < n; ++i) number += flag[i] ? 1 : 0;
  return number;
}

template <int n>
PROCMAP_HD bool any_of(bool const (&flag)[n]) {
  bool any = false;
  PROCMAP_UNROLL
  for (int i = 0; i < n; ++i) any = any || flag[i];
  return any;
}

/// put(place, item) for those items that are new, in places next to each other that `*count` hands out.
template <class Group, int n, class Put>
PROCMAP_HD void put_new(Group group, Vertex* count, Vertex const (&item)[n], bool const (&is_new)[n], Put put) {
  Vertex const number = number_of(is_new);
  if (number == 0) return;
  Vertex place = team_add(group, count, number);
  PROCMAP_UNROLL
  for (int i = 0; i < n; ++i)
    if (is_new[i]) put(place++, item[i]);
}

/// A list that the lanes of a team fill together, in no particular order. A sync stands between the last append and the
/// first look.
struct TeamList {
  Vertex* items = nullptr;
  Vertex* count = nullptr;

  template <class Group>
  PROCMAP_HD void append(Group group, Vertex item) const {
    items[team_add(group, count, 1)] = item;
  }
  /// Appends those items that are new, next to each other.
  template <class Group, int n>
  PROCMAP_HD void append_new(Group group, Vertex const (&item)[n], bool const (&is_new)[n]) const {
    put_new(group, count, item, is_new, [&](Vertex place, Vertex one) { items[place] = one; });
  }
  /// The count, the same for all lanes; called by all of them between two syncs.
  template <class Group>
  PROCMAP_HD Vertex size(Group group) const {
    group.sync();
    Vertex const now = *count;
    group.sync();
    return now;
  }
  template <class Group>
  PROCMAP_HD void clear(Group group) const {
    if (group.rank() == 0) *count = 0;
    group.sync();
  }
};

/// A flag per item, 32 in a word, so that they find room in fast memory where little else does.
struct TeamFlags {
  std::uint32_t* words = nullptr;

  static PROCMAP_HD Vertex num_words(Vertex items) { return (items + 31) / 32; }

  template <class Group>
  PROCMAP_HD void clear_all(Group group, Vertex items) const {
    team_for(group, num_words(items), [&](Vertex i) { group.item(words, i) = 0; });
  }
  /// Returns whether it was not set.
  template <class Group>
  PROCMAP_HD bool set(Group group, Vertex i) const {
    auto* const word = &group.item(words, i / 32);
    auto const bit = std::uint32_t{1} << (i % 32);
    if constexpr (Group::size() == 1) {
      bool const was_set = (*word & bit) != 0;
      *word |= bit;
      return !was_set;
    } else {
      return (fetch_or(word, bit) & bit) == 0;
    }
  }
  template <class Group>
  PROCMAP_HD void unset(Group group, Vertex i) const {
    auto const others = ~(std::uint32_t{1} << (i % 32));
    if constexpr (Group::size() == 1)
      group.item(words, i / 32) &= others;
    else
      fetch_and(&group.item(words, i / 32), others);
  }
};

/// An array whose first items may lie in fast memory.
struct TeamItems {
  Vertex* items = nullptr;
  Vertex* first = nullptr;
  Vertex num_first = 0;

  template <class Group>
  PROCMAP_HD Vertex& at([[maybe_unused]] Group group, Vertex i) const {
    if constexpr (Group::size() > 1)  // one lane has no fast memory
      if (i < num_first) return group.item(first, i);
    return items[i];
  }
  /// Moves up to `count` items to fast memory if there is room.
  PROCMAP_HD void move_to(FastMemory& memory, Vertex count) {
    memory.take(first, count);
    if (first != nullptr) num_first = count;
  }
};

/// std::swap, which lanes of a GPU do not have.
template <class T>
PROCMAP_HD void swap_values(T& a, T& b) {
  T const c = a;
  a = b;
  b = c;
}

/// Counts what a team lists in one pass after the other, and adds something up. Three counters take turns, so that one
/// sync per pass is enough: a counter is cleared one pass after all lanes have read it, and one before they add to it.
struct TeamPasses {
  static constexpr int turns = 3;
  Vertex* counts = nullptr;
  Weight* sums = nullptr;
  int turn = 0;

  /// Before the first pass.
  template <class Group>
  PROCMAP_HD void start(Group group) {
    group.sync();  // somebody may still read what counts of passes before
    if (group.rank() == 0)
      for (int i = 0; i < turns; ++i) clear(group, i);
    group.sync();
    turn = 0;
  }
  /// Ends a pass. Returns how many items it listed, the same for all lanes.
  template <class Group>
  PROCMAP_HD Vertex next(Group group) {
    group.sync();
    int const last = turn;
    turn = after(turn);
    if (group.rank() == 0) clear(group, after(turn));
    return counts[last];
  }
  /// What was added up in the pass that ended last.
  template <class Group>
  PROCMAP_HD Weight last_sum(Group group) const {
    return group.item(sums, after(after(turn)));
  }

  /// Lists `item`: the first of a pass is the first of `items`.
  template <class Group>
  PROCMAP_HD void append(Group group, TeamItems const& items, Vertex item) const {
    items.at(group, team_add(group, &counts[turn], 1)) = item;
  }
  /// Lists those items that are new, in places next to each other.
  template <class Group, int n>
  PROCMAP_HD void append_new(Group group, TeamItems const& items, Vertex const (&item)[n],
                             bool const (&is_new)[n]) const {
    put_new(group, &counts[turn], item, is_new, [&](Vertex place, Vertex one) { items.at(group, place) = one; });
  }
  template <class Group>
  PROCMAP_HD void add(Group group, Weight value) const {
    team_add(group, &group.item(sums, turn), value);
  }

 private:
  template <class Group>
  PROCMAP_HD void clear(Group group, int i) const {
    counts[i] = 0;
    group.item(sums, i) = 0;
  }
  PROCMAP_HD static int after(int i) { return i + 1 < turns ? i + 1 : 0; }
};

}  // namespace procmap
