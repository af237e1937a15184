// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "cuda/exec/device_table.cuh"
#include "cuda/exec/groups.cuh"
#include "cuda/exec/passes.cuh"

namespace procmap {

// The pass behind for_each_with_table. Items are served by how many keys they need and how much work they are:
//
//   small    a tile of lanes and its part of the warp's shared memory
//   medium   the whole warp and all of its shared memory, one item after the other
//   large    a whole block, once the others are done
//
// The first kernel serves the small and medium items and lists the large ones.

/// Most keys of a table with `slots` slots.
constexpr Vertex keys_of_slots(int slots) { return (slots - 2) * 2 / 3; }

/// Shared memory of the tables of one warp and its tiles.
template <int MediumSlots, int Lanes>
struct WarpTables {
  static constexpr int lanes = Lanes;
  static constexpr int tiles_per_warp = warp_lanes / Lanes;
  static constexpr int small_slots = MediumSlots / tiles_per_warp;
  static constexpr Vertex medium_keys = keys_of_slots(MediumSlots);
  static constexpr Vertex small_keys = keys_of_slots(small_slots);
  static_assert(table_slots(medium_keys) <= MediumSlots && table_slots(small_keys) <= small_slots);
  static constexpr int used_per_tile = small_keys + 3;
  static_assert(used_per_tile * tiles_per_warp >= medium_keys);

  Weight sums[MediumSlots];
  Vertex keys[MediumSlots];
  std::uint16_t used[used_per_tile * tiles_per_warp];
  int count[tiles_per_warp];

  __device__ DeviceTable<std::uint16_t> small(int tile, Vertex num_keys) {
    int const slot = tile * small_slots;
    return {keys + slot, sums + slot, used + tile * used_per_tile, count + tile,
            static_cast<std::uint32_t>(table_slots(static_cast<std::uint64_t>(num_keys)))};
  }
  __device__ DeviceTable<std::uint16_t> medium(Vertex num_keys) {
    return {keys, sums, used, count, static_cast<std::uint32_t>(table_slots(static_cast<std::uint64_t>(num_keys)))};
  }
};

/// What fits into the static shared memory of a kernel.
using KernelTables = WarpTables<256, small_lanes>;

/// The large items, in no particular order: they do not depend on each other.
struct LargeItems {
  struct Totals {
    unsigned long long count;  // of items
    unsigned long long slots;  // that their tables need together
    unsigned long long taken;  // slots handed out so far
  };
  Edge* item = nullptr;
  Totals* totals = nullptr;
};

/// Device memory of the tables of the large items.
struct LargeTables {
  Weight* sums;
  Vertex* keys;
  std::uint32_t* used;
  std::uint64_t slots_per_block;  // 0: every item takes its own slots from LargeItems::Totals::taken
};

/// Keys that a table must take.
__device__ inline Vertex table_keys(TableNeeds needs, Vertex universe) {
  return needs.keys < universe ? static_cast<Vertex>(needs.keys) : universe;
}

/// Serves the small and medium items with all threads of a crew; on_large(i, keys) is told of the others.
template <class Crew = GridCrew, class Needs, class F, class OnLarge, class Tables>
__device__ void serve_table_items(Edge n, Vertex universe, Needs const& needs_of, F const& f, OnLarge on_large,
                                  Tables (&tables)[block_warps]) {
  constexpr int lanes = Tables::lanes;
  constexpr int tiles_per_warp = Tables::tiles_per_warp;
  auto const warp = this_warp();
  auto const tile = TileGroup<lanes>{cooperative_groups::tiled_partition<lanes>(warp.tile)};
  auto& mine = tables[threadIdx.x / warp_lanes];
  int const tile_index = warp.rank() / lanes;
  Edge const first = Crew::thread() / warp_lanes * tiles_per_warp;
  Edge const stride = Crew::threads() / warp_lanes * tiles_per_warp;

#pragma unroll 1
  for (Edge base = first; base < n; base += stride) {
    Edge const i = base + tile_index;
    TableNeeds const needs = i < n ? TableNeeds(needs_of(i)) : TableNeeds(0);
    Vertex const keys = table_keys(needs, universe);
    bool const is_small = keys <= Tables::small_keys && needs.work <= tile_work<lanes>;
    bool const is_large = keys > Tables::medium_keys || needs.work > warp_work;
    if (i < n && is_small) {
      auto table = mine.small(tile_index, keys);
      table.clear(tile);
      f(i, tile, table);
    }
    if (is_large && tile.rank() == 0) on_large(i, keys);
    warp.sync();
    auto medium = warp.tile.ballot(!is_small && !is_large && tile.rank() == 0);
    for (; medium != 0; medium &= medium - 1) {
      int const lane = __ffs(static_cast<int>(medium)) - 1;
      Edge const item = base + lane / lanes;
      auto table = mine.medium(warp.tile.shfl(keys, lane));
      table.clear(warp);
      f(item, warp, table);
      warp.sync();
    }
  }
}

template <class Needs, class F>
__global__ void __launch_bounds__(block_threads)
    table_kernel(Edge n, Vertex universe, __grid_constant__ Needs const needs, __grid_constant__ F const f,
                 LargeItems large) {
  __shared__ KernelTables tables[block_warps];
  auto const list = [&](Edge i, Vertex keys) {
    large.item[atomicAdd(&large.totals->count, 1ull)] = i;
    atomicAdd(&large.totals->slots, static_cast<unsigned long long>(table_slots(static_cast<std::uint64_t>(keys))));
  };
  serve_table_items(n, universe, needs, f, list, tables);
}

template <class Needs, class F>
__global__ void __launch_bounds__(block_threads)
    large_table_kernel(Vertex universe, __grid_constant__ Needs const needs, __grid_constant__ F const f,
                       LargeItems large, LargeTables tables) {
  __shared__ int count;
  __shared__ unsigned long long first_slot;
  BlockGroup const block;
  auto const num_items = large.totals->count;
  for (unsigned long long next = blockIdx.x; next < num_items; next += gridDim.x) {
    Edge const i = large.item[next];
    auto const keys = static_cast<std::uint64_t>(table_keys(needs(i), universe));
    auto const slots = table_slots(keys);
    if (block.rank() == 0)
      first_slot = tables.slots_per_block > 0 ? blockIdx.x * tables.slots_per_block
                                              : atomicAdd(&large.totals->taken, static_cast<unsigned long long>(slots));
    block.sync();
    auto const at = first_slot;
    DeviceTable<std::uint32_t> table(tables.keys + at, tables.sums + at, tables.used + at, &count,
                                     static_cast<std::uint32_t>(slots));
    table.clear(block);
    f(i, block, table);
    block.sync();
  }
}

}  // namespace procmap
