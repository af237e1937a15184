// SPDX-License-Identifier: MIT
#pragma once

#include <cooperative_groups.h>

#include "exec/lanes.hpp"
#include "exec/lone_lane.hpp"

namespace procmap {

inline constexpr int block_threads = 256;
inline constexpr int warp_lanes = 32;
inline constexpr int block_warps = block_threads / warp_lanes;

// The lanes that share one item (exec/lanes.hpp).

/// Part of a warp, or a whole one.
template <int Lanes>
struct TileGroup {
  cooperative_groups::thread_block_tile<Lanes> tile;

  __device__ int rank() const { return static_cast<int>(tile.thread_rank()); }
  __device__ static constexpr int size() { return Lanes; }
  __device__ void sync() const { tile.sync(); }
  template <class T>
  __device__ T sum(T value) const {
    for (int distance = Lanes / 2; distance > 0; distance /= 2) value += tile.shfl_xor(value, distance);
    return value;
  }
  template <class T, class Better>
  __device__ T best(T value, Better better) const {
    for (int distance = Lanes / 2; distance > 0; distance /= 2) {
      T const other = tile.shfl_xor(value, distance);
      if (better(other, value)) value = other;
    }
    return value;
  }
  /// The sum over the lanes of lower rank.
  template <class T>
  __device__ T sum_below(T value) const {
    T up_to_here = value;
    for (int distance = 1; distance < Lanes; distance *= 2) {
      T const other = tile.shfl_up(up_to_here, static_cast<unsigned>(distance));
      if (rank() >= distance) up_to_here += other;
    }
    return up_to_here - value;
  }
};

using WarpGroup = TileGroup<warp_lanes>;
static_assert(RowLanes<WarpGroup>);

__device__ inline WarpGroup this_warp() {
  return {cooperative_groups::tiled_partition<warp_lanes>(cooperative_groups::this_thread_block())};
}

/// A whole block of threads.
template <int Threads>
struct ThreadBlock {
  static constexpr int warps = Threads / warp_lanes;

  __device__ static int rank() { return static_cast<int>(threadIdx.x); }
  __device__ static constexpr int size() { return Threads; }
  __device__ void sync() const { __syncthreads(); }
  template <class T>
  __device__ T sum(T value) const {
    return combine(this_warp().sum(value), [](T a, T b) { return a + b; });
  }
  /// The sum over the threads of lower rank, and over all.
  template <class T>
  struct Sums {
    T below, all;
  };
  template <class T>
  __device__ Sums<T> exclusive_sum(T value) const {
    T const below = this_warp().sum_below(value);
    return over_warps(below, below + value);
  }
  /// How many threads of lower rank have `flag` set, and how many altogether.
  __device__ Sums<int> count_before(bool flag) const {
    auto const warp = this_warp();
    auto const bits = warp.tile.ballot(flag);
    return over_warps(__popc(bits & ((1u << warp.rank()) - 1)), __popc(bits));
  }
  template <class T, class Better>
  __device__ T best(T value, Better better) const {
    return combine(this_warp().best(value, better), [&](T a, T b) { return better(b, a) ? b : a; });
  }

 private:
  /// Adds to `below`, counted within the warp, what the warps of lower rank have; the last lane of a warp knows its
  /// `up_to_here`.
  template <class T>
  __device__ Sums<T> over_warps(T below, T up_to_here) const {
    __shared__ T of_warp[warps];
    sync();  // may still be read from the last time
    if (rank() % warp_lanes == warp_lanes - 1) of_warp[rank() / warp_lanes] = up_to_here;
    sync();
    T all = 0;
    for (int w = 0; w < warps; ++w) {
      if (w < rank() / warp_lanes) below += of_warp[w];
      all += of_warp[w];
    }
    return {below, all};
  }

  /// Combines one value of every warp.
  template <class T, class F>
  __device__ T combine(T of_warp, F f) const {
    __shared__ alignas(T) unsigned char room[warps * sizeof(T)];  // T may have a constructor
    auto* const values = reinterpret_cast<T*>(room);
    sync();  // the room may still be read from the last time
    if (rank() % warp_lanes == 0) values[rank() / warp_lanes] = of_warp;
    sync();
    T result = values[0];
#pragma unroll  // nvcc 13.0 reads past `values` where T is large and the loop is none of its own making
    for (int w = 1; w < warps; ++w) result = f(result, values[w]);
    return result;
  }
};

/// The block of a pass. Its sums are functions of their own: most passes have one, next to barriers that take far
/// longer, and inlined they would be half of the code of a resident kernel.
struct BlockGroup : ThreadBlock<block_threads> {
  template <class T>
  __device__ __noinline__ T sum(T value) const {
    return ThreadBlock::sum(value);
  }
  template <class T>
  __device__ __noinline__ Sums<T> exclusive_sum(T value) const {
    return ThreadBlock::exclusive_sum(value);
  }
  __device__ __noinline__ Sums<int> count_before(bool flag) const { return ThreadBlock::count_before(flag); }
  template <class T, class Better>
  __device__ __noinline__ T best(T value, Better better) const {
    return ThreadBlock::best(value, better);
  }
};
static_assert(LaneGroup<BlockGroup>);

}  // namespace procmap
