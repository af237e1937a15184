// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/exec/crews.cuh"
#include "cuda/exec/groups.cuh"

namespace procmap {

/// Runs that are merged at a time: every element looks for its place in all of them, which is more work than two by
/// two, but fewer barriers.
inline constexpr int merge_ways = 16;

/// Where element i of a run of `width`, a power of two, goes when it is merged with the run beside it: behind the
/// elements of both that come before it.
template <class T, class Less>
__device__ int place_in_merged(T const* data, int n, int width, int i, Less less) {
  int const first = (i & -width) ^ width;  // of the other run
  int low = first < n ? first : n;
  int high = first + width < n ? first + width : n;
  int const begin = low;
  T const& value = data[i];
  while (low < high) {
    int const middle = low + (high - low) / 2;
    if (less(data[middle], value))
      low = middle + 1;
    else
      high = middle;
  }
  return (i & -(2 * width)) + (i & (width - 1)) + (low - begin);
}

/// Where element i of a run of `width` goes when up to merge_ways runs beside each other are merged.
template <class T, class Less>
__device__ Edge place_among_runs(T const* data, Edge n, Edge width, Edge i, Less less) {
  Edge const group = i / (width * merge_ways) * (width * merge_ways);
  Edge const mine = i / width * width;
  T const value = data[i];
  Edge place = group + (i - mine);
  for (Edge run = group; run < group + width * merge_ways && run < n; run += width) {
    if (run == mine) continue;
    Edge low = run;
    Edge high = run + width < n ? run + width : n;
    while (low < high) {
      Edge const middle = low + (high - low) / 2;
      if (less(data[middle], value))
        low = middle + 1;
      else
        high = middle;
    }
    place += low - run;
  }
  return place;
}

/// Sorts n elements by a strict total order with all threads of a crew: tiles of a block in shared memory, then
/// the sorted runs, many at a time. `other` has room for n elements, `tile` for 2 * block_threads.
template <class Crew, class T, class Less>
__device__ void crew_sort(T* data, T* other, Edge n, Less less, T* tile) {
  int merges = 0;
  for (Edge width = block_threads; width < n; width *= merge_ways) ++merges;
  T* from = merges % 2 == 0 ? data : other;  // so that the last merge ends in `data`
  T* to = merges % 2 == 0 ? other : data;

  for (Edge base = Edge{Crew::block()} * block_threads; base < n; base += Crew::threads()) {
    int const length = n - base < block_threads ? static_cast<int>(n - base) : block_threads;
    int const i = static_cast<int>(threadIdx.x);
    T* now = tile;
    T* next = tile + block_threads;
    if (i < length) now[i] = data[base + i];
    for (int width = 1; width < length; width *= 2) {
      __syncthreads();
      if (i < length) next[place_in_merged(now, length, width, i, less)] = now[i];
      T* const swapped = now;
      now = next;
      next = swapped;
    }
    __syncthreads();
    if (i < length) from[base + i] = now[i];
    __syncthreads();
  }
  Crew::sync();
  for (Edge width = block_threads; width < n; width *= merge_ways) {
    for (Edge i = Crew::thread(); i < n; i += Crew::threads()) to[place_among_runs(from, n, width, i, less)] = from[i];
    Crew::sync();
    T* const swapped = from;
    from = to;
    to = swapped;
  }
}

}  // namespace procmap
