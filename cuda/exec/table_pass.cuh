// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "cuda/exec/device_table.cuh"
#include "cuda/exec/groups.cuh"
#include "cuda/exec/passes.cuh"

namespace procmap {

// The pass behind for_each_with_table. A lane or tile that serves an item has its part of the warp's shared memory for
// the table, a warp all of it. The first kernel serves all items but the large ones, and lists these.

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
  static constexpr int tiny_slots = MediumSlots / warp_lanes - 1;
  static_assert(tiny_slots % 2 == 1);  // lanes that look at the same slot of their tables use different banks
  static constexpr Vertex tiny_keys = keys_of_slots(tiny_slots);
  static_assert(table_slots(tiny_keys) <= tiny_slots && tiny_keys * warp_lanes <= used_per_tile * tiles_per_warp);

  Weight sums[MediumSlots];
  Vertex keys[MediumSlots];
  std::uint16_t used[used_per_tile * tiles_per_warp];
  int count[warp_lanes];

  __device__ static constexpr Tiers tiers() {
    return {{lane_work, tiny_keys}, {tile_work<Lanes>, small_keys}, {warp_work, medium_keys}};
  }

  /// An empty table for an item that `group` serves.
  template <class Group>
  __device__ auto table(Group group, Vertex num_keys) {
    int const lane = static_cast<int>(threadIdx.x) % warp_lanes;
    auto table = [&] {
      if constexpr (Group::size() == 1)
        return tiny(lane, num_keys);
      else if constexpr (Group::size() == Lanes)
        return small(lane / Lanes, num_keys);
      else
        return medium(num_keys);
    }();
    table.clear(group);
    return table;
  }

 private:
  __device__ DeviceTable<std::uint16_t, true> tiny(int lane, Vertex num_keys) {
    int const slot = lane * tiny_slots;
    return {keys + slot, sums + slot, used + lane * tiny_keys, count + lane,
            static_cast<std::uint32_t>(table_slots(static_cast<std::uint64_t>(num_keys)))};
  }
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

/// Serves all but the large items with all threads of a crew; on_large(i, keys) is told of the others.
template <class Crew = GridCrew, class Needs, class F, class OnLarge, class Tables>
__device__ void serve_table_items(Edge n, Vertex universe, Needs const& needs_of, F const& f, OnLarge on_large,
                                  Tables (&tables)[block_warps]) {
  auto& mine = tables[threadIdx.x / warp_lanes];
  serve_items<Tables::lanes, Crew>(
      n, Tables::tiers(),
      [&](Edge i) {
        TableNeeds const needs = needs_of(i);
        return ItemNeeds{needs.work, table_keys(needs, universe)};
      },
      [&](Edge i, Vertex keys, auto group) {
        auto table = mine.table(group, keys);
        f(i, group, table);
      },
      on_large);
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
