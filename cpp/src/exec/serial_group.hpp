// SPDX-License-Identifier: MIT
#pragma once

#include "exec/lanes.hpp"

namespace procmap {

/// One lane: the CPU counterpart of a CUDA tile, and of a team.
struct SerialGroup {
  static constexpr int rank() { return 0; }
  static constexpr int size() { return 1; }
  template <class T>
  T sum(T value) const {
    return value;
  }
  template <class T, class Better>
  T best(T value, Better) const {
    return value;
  }
  template <class T>
  T sum_below(T) const {
    return 0;
  }
  void sync() const {}

  template <class Count, class Size, class F>
  void for_rows(Count count, Size, F f) const {
    for (Count i = 0; i < count; ++i) f(i, SerialGroup{});
  }
  template <class T>
  T* counters(T* own) const {
    return own;
  }
  static FastMemory fast_memory() { return {}; }
  template <class T, class Index>
  static T& item(T* array, Index i) {
    return array[i];
  }
};

static_assert(RowLanes<SerialGroup> && LaneTeam<SerialGroup>);

}  // namespace procmap
