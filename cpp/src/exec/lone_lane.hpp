// SPDX-License-Identifier: MIT
#pragma once

#include "exec/lanes.hpp"

namespace procmap {

/// One lane that has an item to itself, while those beside it have others.
struct LoneLane {
  PROCMAP_HD static constexpr int rank() { return 0; }
  PROCMAP_HD static constexpr int size() { return 1; }
  PROCMAP_HD void sync() const {}
  template <class T>
  PROCMAP_HD T sum(T value) const {
    return value;
  }
  template <class T, class Better>
  PROCMAP_HD T best(T value, Better) const {
    return value;
  }
};

static_assert(LaneGroup<LoneLane>);

}  // namespace procmap
