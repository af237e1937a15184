// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "procmap/types.hpp"

namespace procmap {

/// Disjoint sets of ids 0, 1, ..., of vertices or of what else has 32 bits; roots are the smallest.
class DisjointSets {
 public:
  explicit DisjointSets(Vertex size) : parent_(static_cast<std::size_t>(size)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  Vertex root(Vertex v) {
    while (parent_of(v) != v) v = parent_of(v) = parent_of(parent_of(v));
    return v;
  }

  void join(Vertex a, Vertex b) {
    a = root(a);
    b = root(b);
    parent_of(std::max(a, b)) = std::min(a, b);
  }

 private:
  Vertex& parent_of(Vertex v) { return parent_[static_cast<std::size_t>(v)]; }

  std::vector<Vertex> parent_;
};

}  // namespace procmap
