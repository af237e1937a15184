// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "procmap/types.hpp"

namespace procmap {

/// A sum to which threads add, each in a cache line of its own, so that none waits for another.
class SpreadSum {
 public:
  void add(int thread, Weight part) { cells_[thread % num_cells].sum.fetch_add(part, std::memory_order_relaxed); }

  Weight total() const {
    Weight total = 0;
    for (auto const& cell : cells_) total += cell.sum.load(std::memory_order_relaxed);
    return total;
  }

 private:
  static constexpr int num_cells = 16;

  struct alignas(64) Cell {
    std::atomic<Weight> sum = 0;
  };
  Cell cells_[num_cells];
};

}  // namespace procmap
