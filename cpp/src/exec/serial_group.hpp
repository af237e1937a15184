// SPDX-License-Identifier: MIT
#pragma once

#include "exec/lone_lane.hpp"

namespace procmap {

/// One lane of a CPU: the counterpart of a CUDA tile, and of a team.
struct SerialGroup : LoneLane {
  template <class T>
  T sum_below(T) const {
    return 0;
  }

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
