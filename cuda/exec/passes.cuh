// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "cuda/exec/crews.cuh"
#include "cuda/exec/groups.cuh"
#include "procmap/types.hpp"

namespace procmap {

// The kernels behind the verbs of CudaExecutor. All of them stride over the grid with 64-bit indices, so any grid
// serves any number of items.

__device__ inline Edge thread_index() { return GridCrew::thread(); }
__device__ inline Edge num_threads() { return GridCrew::threads(); }

template <class F>
__global__ void __launch_bounds__(block_threads) for_each_kernel(Edge n, __grid_constant__ F const f) {
  for (Edge i = thread_index(); i < n; i += num_threads()) f(i);
}

// Passes in groups and with tables serve every item by how much work it is and how many keys its table needs:
//
//   tiny     one lane, where a warp has many of them
//   small    a tile of a few lanes
//   medium   the whole warp, one item after the other
//   large    a whole block, once the others are done
inline constexpr int small_lanes = 8;  // of a tile, unless there are reasons for more
inline constexpr Edge lane_work = 8;
template <int Lanes>
inline constexpr Edge tile_work = 32 * Lanes;
template <int Lanes>
inline constexpr Edge long_work = 6 * Lanes;  // for a tile: its steps take longer than to begin once more with a warp
inline constexpr Edge warp_work = 16 * warp_lanes;

/// Blocks for so many threads.
inline unsigned blocks_for(Edge threads) {
  return static_cast<unsigned>(std::min<Edge>((threads + block_threads - 1) / block_threads, 1 << 20));
}

/// Blocks for n rows: a tile of lanes for each, but of so many that there are several for every lane, a warp looks at
/// as many as it has lanes, and short ones can have a lane of their own (serve_items).
inline unsigned blocks_for_rows(Edge n) {
  constexpr Edge many = Edge{1} << 20;
  return blocks_for(n < many ? n * small_lanes : n / 2);
}

/// Who serves an item.
struct Tier {
  Edge work = 0;  // at most so much
  Vertex keys = 0;  // with a table of at most so many

  __device__ bool holds(Edge its_work, Vertex its_keys) const { return its_work <= work && its_keys <= keys; }
};
struct Tiers {
  Tier lane, tile, warp;
};

/// What an item needs, with the keys that its table must take.
struct ItemNeeds {
  Edge work = 0;
  Vertex keys = 0;
};

/// Serves all but the large items with all threads of a crew: serve(i, keys, group); on_large(i, keys) is told of the
/// others. A warp looks at as many items at a time as it has lanes, unless there are so few that most warps would have
/// none. Every step of an item is a chain of loads that wait for each other, so nothing but the longest item decides
/// how long few of them take: a warp that has one item serves it alone, and long items of which a tile would be busy
/// while the others wait.
template <int Lanes, class Crew, class NeedsOf, class Serve, class OnLarge>
__device__ void serve_items(Edge n, Tiers const& tiers, NeedsOf const& needs_of, Serve const& serve, OnLarge on_large) {
  constexpr int tiles = warp_lanes / Lanes;
  auto const warp = this_warp();
  auto const tile = TileGroup<Lanes>{cooperative_groups::tiled_partition<Lanes>(warp.tile)};
  Edge const warps = Crew::threads() / warp_lanes;
  int const turn = n > Crew::threads() ? warp_lanes : n > warps ? tiles : 1;
  Edge const stride = warps * turn;
#pragma unroll 1
  for (Edge base = Crew::thread() / warp_lanes * turn; base < n; base += stride) {
    Edge const i = base + warp.rank();
    bool const mine = warp.rank() < turn && i < n;
    ItemNeeds const needs = mine ? needs_of(i) : ItemNeeds{};
    bool lone = mine && turn == warp_lanes && tiers.lane.holds(needs.work, needs.keys);
    if (__popc(warp.tile.ballot(lone)) < warp_lanes / 2) lone = false;  // a few would make all others wait
    if (lone) serve(i, needs.keys, LoneLane{});
    bool small = mine && !lone && tiers.tile.holds(needs.work, needs.keys);
    bool const is_long = small && needs.work > (turn == 1 ? Lanes : long_work<Lanes>);
    int const few = turn == warp_lanes ? __popc(warp.tile.ballot(small)) / 4 : tiles / 2;
    if (__popc(warp.tile.ballot(is_long)) <= few) small = small && !is_long;
    bool const medium = mine && !lone && !small && tiers.warp.holds(needs.work, needs.keys);
    if (mine && !lone && !small && !medium) on_large(i, needs.keys);
    warp.sync();
#pragma unroll 1
    for (auto left = warp.tile.ballot(small); left != 0;) {
      auto own = left;  // from here on the first item is the tile's
      for (int t = warp.rank() / Lanes; t > 0; --t) own &= own - 1;
      int const lane = own != 0 ? __ffs(static_cast<int>(own)) - 1 : 0;
      Vertex const keys = warp.tile.shfl(needs.keys, lane);
      if (own != 0) serve(base + lane, keys, tile);
      for (int t = 0; t < tiles; ++t) left &= left - 1;
      warp.sync();
    }
    for (auto left = warp.tile.ballot(medium); left != 0; left &= left - 1) {
      int const lane = __ffs(static_cast<int>(left)) - 1;
      serve(base + lane, warp.tile.shfl(needs.keys, lane), warp);
      warp.sync();
    }
  }
}

/// Serves the items of a pass in groups.
template <int Lanes, class Crew = GridCrew, class Work, class F, class OnLarge>
__device__ void serve_group_items(Edge n, Work const& work, F const& f, OnLarge on_large) {
  serve_items<Lanes, Crew>(
      n, {{lane_work}, {tile_work<Lanes>}, {warp_work}},
      [&](Edge i) { return ItemNeeds{static_cast<Edge>(work(i)), 0}; },
      [&](Edge i, Vertex, auto group) { f(i, group); }, [&](Edge i, Vertex) { on_large(i); });
}

template <class Work, class F>
__global__ void __launch_bounds__(block_threads)
    group_kernel(Edge n, __grid_constant__ Work const work, __grid_constant__ F const f, Edge* large, unsigned* count) {
  serve_group_items<small_lanes>(n, work, f, [=](Edge i) { large[atomicAdd(count, 1u)] = i; });
}

template <class F>
__global__ void __launch_bounds__(block_threads)
    large_group_kernel(Edge const* large, unsigned const* count, __grid_constant__ F const f) {
  for (unsigned next = blockIdx.x; next < *count; next += gridDim.x) f(large[next], BlockGroup{});
}

template <class T>
__global__ void __launch_bounds__(block_threads) fill_kernel(T* data, Edge n, T value) {
  for (Edge i = thread_index(); i < n; i += num_threads()) data[i] = value;
}

/// Where the blocks of sum_kernel meet. All 0 before and after.
struct SumCell {
  unsigned long long total;
  unsigned blocks_done;
};

/// Adds up term(i), each evaluated once; the last block to be done writes the sum to `result`, memory of the host.
template <class F>
__global__ void __launch_bounds__(block_threads)
    sum_kernel(Edge n, __grid_constant__ F const term, SumCell* cell, Weight* result) {
  Weight mine = 0;
  for (Edge i = thread_index(); i < n; i += num_threads()) mine += static_cast<Weight>(term(i));
  BlockGroup const block;
  mine = block.sum(mine);
  if (block.rank() != 0) return;
  if (mine != 0) atomicAdd(&cell->total, static_cast<unsigned long long>(mine));
  __threadfence();
  if (atomicInc(&cell->blocks_done, gridDim.x - 1) != gridDim.x - 1) return;
  *result = static_cast<Weight>(atomicExch(&cell->total, 0ull));
}

template <class F>
__global__ void __launch_bounds__(block_threads)
    max_kernel(Edge n, __grid_constant__ F const term, Weight smallest, Weight* largest) {
  Weight mine = smallest;
  for (Edge i = thread_index(); i < n; i += num_threads())
    if (auto const value = static_cast<Weight>(term(i)); value > mine) mine = value;
  BlockGroup const block;
  mine = block.best(mine, [](Weight a, Weight b) { return a > b; });
  if (block.rank() == 0) atomicMax(reinterpret_cast<long long*>(largest), static_cast<long long>(mine));
}

/// out[i] = term(i), and out[n] = 0 for the total of a scan.
template <class F>
__global__ void __launch_bounds__(block_threads) terms_kernel(Edge n, __grid_constant__ F const term, Edge* out) {
  for (Edge i = thread_index(); i <= n; i += num_threads()) out[i] = i < n ? static_cast<Edge>(term(i)) : 0;
}

/// ... and the largest term, which `longest`, 0 before, gets.
template <class F>
__global__ void __launch_bounds__(block_threads)
    row_terms_kernel(Edge n, __grid_constant__ F const term, Edge* out, Edge* longest) {
  Edge mine = 0;
  for (Edge i = thread_index(); i <= n; i += num_threads()) {
    Edge const length = i < n ? static_cast<Edge>(term(i)) : 0;
    out[i] = length;
    if (length > mine) mine = length;
  }
  BlockGroup const block;
  mine = block.best(mine, [](Edge a, Edge b) { return a > b; });
  if (block.rank() == 0) atomicMax(reinterpret_cast<long long*>(longest), static_cast<long long>(mine));
}

/// Bit i % 32 of chosen[i / 32] says whether predicate(i). One warp per word.
template <class Predicate>
__global__ void __launch_bounds__(block_threads)
    choose_kernel(Edge n, __grid_constant__ Predicate const predicate, std::uint32_t* chosen) {
  auto const warp = this_warp();
  Edge const words = (n + warp_lanes - 1) / warp_lanes;
  for (Edge w = thread_index() / warp_lanes; w < words; w += num_threads() / warp_lanes) {
    Edge const i = w * warp_lanes + warp.rank();
    auto const bits = warp.tile.ballot(i < n && predicate(i));
    if (warp.rank() == 0) chosen[w] = bits;
  }
}

/// Writes value(i) of every chosen i behind those chosen before it; before[w] counts those of all words below w. How
/// many there are goes to `count`, memory of the host, or nowhere.
template <class F, class T>
__global__ void __launch_bounds__(block_threads) place_kernel(Edge n, std::uint32_t const* chosen, Edge const* before,
                                                              __grid_constant__ F const value, T* out, Edge* count) {
  if (count && thread_index() == 0) *count = before[(n + warp_lanes - 1) / warp_lanes];
  for (Edge i = thread_index(); i < n; i += num_threads()) {
    auto const bits = chosen[i / warp_lanes];
    auto const bit = std::uint32_t{1} << (i % warp_lanes);
    if (bits & bit) out[before[i / warp_lanes] + __popc(bits & (bit - 1))] = static_cast<T>(value(i));
  }
}

}  // namespace procmap
