// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "procmap/types.hpp"

namespace procmap {

/// Sorted runs of about equal length that lie one behind the other; merging two and two of them is work that threads
/// can share, because every piece of the result can be made alone.
template <class T, class Less>
struct SortedRuns {
  T const* data;
  Edge n;
  Edge count;
  Less less;

  Edge begin_of(Edge run) const { return n * std::min(run, count) / count; }

  /// Positions [begin, end) of what follows when every two neighbours are merged.
  void merge_piece(Edge begin, Edge end, T* out) const {
    for (Edge run = 0; run < count && begin_of(run) < end; run += 2) {
      Edge const first = begin_of(run), middle = begin_of(run + 1), last = begin_of(run + 2);
      Edge const from = std::max(begin, first), to = std::min(end, last);
      if (from >= to) continue;
      Edge const a = first + left_among(run, from - first), b = first + left_among(run, to - first);
      std::merge(data + a, data + b, data + middle + (from - a), data + middle + (to - b), out + from, less);
    }
  }

 private:
  /// How many of the first `length` items of two merged runs are from the left one.
  Edge left_among(Edge run, Edge length) const {
    T const* const left = data + begin_of(run);
    T const* const right = data + begin_of(run + 1);
    Edge low = std::max<Edge>(0, length - (begin_of(run + 2) - begin_of(run + 1)));
    Edge high = std::min(length, begin_of(run + 1) - begin_of(run));
    while (low < high) {
      Edge const middle = low + (high - low) / 2;
      if (less(right[length - 1 - middle], left[middle]))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
};

}  // namespace procmap
