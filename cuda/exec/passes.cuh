// SPDX-License-Identifier: MIT
#pragma once

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

// A pass in groups serves every item by how much work it is: a tile of a few lanes, a whole warp, or, once the first
// two kinds are done, a whole block.
inline constexpr int small_lanes = 8;  // of a tile, unless there are reasons for more
template <int Lanes>
inline constexpr Edge tile_work = 32 * Lanes;
inline constexpr Edge warp_work = 64 * warp_lanes;

/// Serves items [0, n) with tiles of `Lanes` lanes, or whole warps if they are more than `small`; on_large(i) is told
/// of those that are more than `medium`. Warps are numbered from 0 to num_warps - 1; all of them call.
template <int Lanes, class Index, class Work, class F, class OnLarge>
__device__ void serve_with_warps(Index warp_index, Index num_warps, Index n, Work const& work, F const& f, Edge small,
                                 Edge medium, OnLarge on_large) {
  constexpr int tiles = warp_lanes / Lanes;
  auto const warp = this_warp();
  auto const tile = TileGroup<Lanes>{cooperative_groups::tiled_partition<Lanes>(warp.tile)};
#pragma unroll 1
  for (Index base = warp_index * tiles; base < n; base += num_warps * tiles) {
    Index const i = base + warp.rank() / Lanes;
    Edge const mine = i < n ? static_cast<Edge>(work(i)) : 0;
    if (i < n && mine <= small) f(i, tile);
    bool const leads = tile.rank() == 0;
    if (mine > medium && leads) on_large(i);
    auto left = warp.tile.ballot(leads && mine > small && mine <= medium);
    for (; left != 0; left &= left - 1) f(base + (__ffs(static_cast<int>(left)) - 1) / Lanes, warp);
  }
}

/// Serves the small and medium items with all threads of a crew; on_large(i) is told of the others.
template <int Lanes, class Crew = GridCrew, class Work, class F, class OnLarge>
__device__ void serve_group_items(Edge n, Work const& work, F const& f, OnLarge on_large) {
  serve_with_warps<Lanes>(Crew::thread() / warp_lanes, Crew::threads() / warp_lanes, n, work, f, tile_work<Lanes>,
                          warp_work, on_large);
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
/// many there are goes to `count`, memory of the host.
template <class F, class T>
__global__ void __launch_bounds__(block_threads) place_kernel(Edge n, std::uint32_t const* chosen, Edge const* before,
                                                              __grid_constant__ F const value, T* out, Edge* count) {
  if (thread_index() == 0) *count = before[(n + warp_lanes - 1) / warp_lanes];
  for (Edge i = thread_index(); i < n; i += num_threads()) {
    auto const bits = chosen[i / warp_lanes];
    auto const bit = std::uint32_t{1} << (i % warp_lanes);
    if (bits & bit) out[before[i / warp_lanes] + __popc(bits & (bit - 1))] = static_cast<T>(value(i));
  }
}

}  // namespace procmap
