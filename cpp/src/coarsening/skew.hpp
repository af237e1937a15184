// SPDX-License-Identifier: MIT
#pragma once

#include "core/hd.hpp"

namespace procmap {

/// Where weights are uneven (few_are_heavy(), arcs_are_skewed()). Clustering heeds it.
struct Skew {
  bool of_vertices = false;  // few vertices have much of the weight: clusters are to have few vertices, too
  bool of_arcs = false;  // few arcs carry much of the traffic or many next to none: clusters are to grow along them

  [[nodiscard]] PROCMAP_HD bool any() const { return of_vertices || of_arcs; }
};

}  // namespace procmap
