// SPDX-License-Identifier: MIT
#pragma once

#include "core/atomic.hpp"
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

/// Items i = rank, rank + size, ... below `count`: the share of one lane.
template <class Group, class Count, class F>
PROCMAP_HD void team_for(Group group, Count count, F f) {
  for (Count i = static_cast<Count>(group.rank()); i < count; i += static_cast<Count>(group.size())) f(i);
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
    resume(group, 0);
  }
  /// Goes on with the first `length` items of an earlier pass.
  template <class Group>
  PROCMAP_HD void resume(Group group, Vertex length) const {
    if (group.rank() == 0) *count = length;
    group.sync();
  }
};

}  // namespace procmap
