// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cuda/atomic>

#include "cuda/exec/crews.cuh"
#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/groups.cuh"
#include "cuda/exec/prepared_kernels.hpp"
#include "exec/lanes.hpp"

namespace procmap {

// The teams of for_each_team. Their passes have hundreds of short steps with a barrier after each and a chain of
// dependent loads in it: what they touch most lies in shared memory.

inline constexpr int row_lanes = 4;
inline constexpr Edge long_row = 128;  // arcs; longer ones get a whole warp

/// Serves rows [0, n) with tiles of lanes, long ones with whole warps. Tiles of a warp take turns, as each has branches
/// of its own: so few rows are spread over the warps, which are numbered from 0 to num_warps - 1; all of them call.
template <class Index, class Size, class F>
__device__ void serve_rows(Index warp_index, Index num_warps, Index n, Size const& size, F const& f) {
  constexpr int tiles = warp_lanes / row_lanes;
  auto const warp = this_warp();
  auto const tile = TileGroup<row_lanes>{cooperative_groups::tiled_partition<row_lanes>(warp.tile)};
  auto const of_tile = [=](Index base, int t) { return base + static_cast<Index>(t) * num_warps + warp_index; };
#pragma unroll 1
  for (Index base = 0; base + warp_index < n; base += num_warps * tiles) {
    Index const i = of_tile(base, warp.rank() / row_lanes);
    Edge const mine = i < n ? static_cast<Edge>(size(i)) : 0;
    if (i < n && mine <= long_row) f(i, tile);
    auto left = warp.tile.ballot(tile.rank() == 0 && mine > long_row);
    for (; left != 0; left &= left - 1) f(of_tile(base, (__ffs(static_cast<int>(left)) - 1) / row_lanes), warp);
  }
}

/// One block of threads.
template <int Threads>
class BlockTeam : public ThreadBlock<Threads> {
 public:
  static constexpr int threads = Threads;
  static constexpr int blocks = 1;

  __device__ explicit BlockTeam(unsigned fast_bytes) : fast_bytes_(fast_bytes) {}

  // Functions of their own: a cut adds up in many places, and inlined they would be a large part of its code.
  template <class T>
  __device__ __noinline__ T sum(T value) const {
    return ThreadBlock<Threads>::sum(value);
  }
  template <class T, class Better>
  __device__ __noinline__ T best(T value, Better better) const {
    return ThreadBlock<Threads>::best(value, better);
  }
  __device__ static constexpr int block() { return 0; }
  __device__ static int block_rank() { return BlockTeam::rank(); }
  __device__ static constexpr int block_size() { return Threads; }
  template <class T>
  __device__ static T* fast(FastArray<T> array) {
    extern __shared__ __align__(16) std::byte team_memory[];
    return reinterpret_cast<T*>(team_memory + array.at);
  }

  template <class Count, class Size, class F>
  __device__ void for_rows(Count count, Size size, F f) const {
    serve_rows(static_cast<Count>(this->rank() / warp_lanes), static_cast<Count>(Threads / warp_lanes), count, size, f);
  }
  template <class T>
  __device__ T* counters(T*) const {
    __shared__ T values[num_team_counters];
    return values;
  }
  __device__ FastMemory fast_memory() const {
    extern __shared__ __align__(16) std::byte team_memory[];
    return {team_memory, fast_bytes_};
  }
  template <class T, class Index>
  __device__ static T& item(T* array, Index i) {
    return array[i];
  }
  template <class T>
  __device__ static T* of_block(T* own, unsigned) {
    return own;
  }

 private:
  unsigned fast_bytes_;
};

/// A cluster of blocks, for items that are few and large. Its fast memory is the shared memory of all blocks, which
/// lies nearer than the cache that all processors share; items of an array take turns, so that no block is asked for
/// all of them. Its counters lie in the first block.
template <int Threads, int Blocks>
class ClusterTeam {
 public:
  static constexpr int threads = Threads;  // of a block
  static constexpr int blocks = Blocks;

  __device__ explicit ClusterTeam(unsigned fast_bytes)
      : fast_bytes_(fast_bytes), block_(static_cast<int>(ClusterBlocks::block())) {}

  __device__ int rank() const { return block_ * Threads + static_cast<int>(threadIdx.x); }
  __device__ static constexpr int size() { return Threads * Blocks; }
  __device__ int block() const { return block_; }
  __device__ static int block_rank() { return static_cast<int>(threadIdx.x); }
  __device__ static constexpr int block_size() { return Threads; }
  template <class T>
  __device__ static T* fast(FastArray<T> array) {
    extern __shared__ __align__(16) std::byte team_memory[];
    return reinterpret_cast<T*>(team_memory + array.at);
  }
  __device__ void sync() const { ClusterBlocks::sync_cluster(); }
  template <class T>
  __device__ __noinline__ T sum(T value) const {
    return combine(ThreadBlock<Threads>{}.sum(value), [](T a, T b) { return a + b; });
  }
  template <class T, class Better>
  __device__ T best(T value, Better better) const {
    return combine(ThreadBlock<Threads>{}.best(value, better), [&](T a, T b) { return better(b, a) ? b : a; });
  }
  template <class Count, class Size, class F>
  __device__ void for_rows(Count count, Size size, F f) const {
    auto const warp = static_cast<int>(threadIdx.x) / warp_lanes;
    serve_rows(static_cast<Count>(warp * Blocks + block_), static_cast<Count>(size_in_warps), count, size, f);
  }
  template <class T>
  __device__ T* counters(T*) const {
    __shared__ T values[num_team_counters];
    return of_block(values, 0);
  }
  __device__ FastMemory fast_memory() const {
    extern __shared__ __align__(16) std::byte team_memory[];
    return {team_memory, fast_bytes_, Blocks};
  }
  template <class T, class Index>
  __device__ static T& item(T* array, Index i) {
    if (!__isShared(array)) return array[i];
    auto const at = static_cast<unsigned>(i);
    return *of_block(array + at / Blocks, at % Blocks);
  }
  /// What block b has in the shared memory that is `own` here. All blocks must have started, and none have ended.
  template <class T>
  __device__ static T* of_block(T* own, unsigned b) {
    return ClusterBlocks::memory_of(own, b);
  }

 private:
  static constexpr int size_in_warps = Threads * Blocks / warp_lanes;

  /// Combines one value of every block.
  template <class T, class F>
  __device__ T combine(T mine, F f) const {
    __shared__ alignas(T) unsigned char room[sizeof(T)];  // T may have a constructor
    sync();  // the room may still be read from the last time
    if (threadIdx.x == 0) *reinterpret_cast<T*>(room) = mine;
    sync();
    T result = *reinterpret_cast<T*>(of_block(room, 0));
#pragma unroll
    for (unsigned b = 1; b < Blocks; ++b) result = f(result, *reinterpret_cast<T*>(of_block(room, b)));
    return result;
  }

  unsigned fast_bytes_;
  int block_;
};

using SmallTeam = BlockTeam<128>;
using LargeTeam = BlockTeam<512>;
using SharedTeam = ClusterTeam<256, 16>;  // with more threads per block registers would be spilled
static_assert(ManyLaneTeam<SmallTeam> && ManyLaneTeam<LargeTeam> && ManyLaneTeam<SharedTeam>);

/// Whether items are large, and so few at work at the same time that each can have the processors of a cluster.
inline bool fits_shared_teams(TeamQueue const& queue, int num_processors, unsigned most_cluster_blocks) {
  constexpr Edge enough_work = 16384;  // arcs per item: with few arcs its steps have few rows
  return most_cluster_blocks >= unsigned{SharedTeam::blocks} && queue.work >= enough_work &&
         std::min(queue.slots, queue.count) * SharedTeam::blocks <= num_processors;
}

template <class Team, class F>
__global__ void __launch_bounds__(Team::threads, 1)
    team_kernel(Edge n, unsigned fast_bytes, __grid_constant__ F const f) {
  Team const team(fast_bytes);
  for (Edge i = blockIdx.x; i < n; i += gridDim.x) {
    f(i, team);
    team.sync();  // no lane goes on to the next item before all are done with this one
  }
}

/// The queue of for_each_team_in_order. Teams take items in order, so an item waits only for items that other teams,
/// which run already, have taken: they need not all run at the same time. Called by one lane of a team.
struct DeviceTeamQueue {
  using Flag = cuda::atomic_ref<std::int32_t, cuda::thread_scope_device>;

  TeamQueue items;
  unsigned* taken;  // how many items
  int* in_use;  // per slot

  __device__ Edge take() const { return atomicAdd(taken, 1u); }
  /// Waits until item i may start. Returns a free slot, -1 if the item is left out.
  __device__ Edge enter(Edge i) const {
    constexpr unsigned nanoseconds = 100;
    Flag const waits_for(items.turn[i].waits_for);
    while (waits_for.load(cuda::memory_order_acquire) > 0) __nanosleep(nanoseconds);
    if (Flag(items.turn[i].left_out).load(cuda::memory_order_relaxed)) return -1;
    for (Edge slot = i % items.slots;; slot = (slot + 1) % items.slots)
      if (Flag(in_use[slot]).exchange(1, cuda::memory_order_acquire) == 0) return slot;
  }
  __device__ void leave(Edge i, Edge slot, bool done) const {
    if (slot >= 0) Flag(in_use[slot]).store(0, cuda::memory_order_release);
    if (!done) items.turn[i].left_out = 1;
    for (Edge const next : items.turn[i].next) {
      if (next < 0) continue;
      if (!done) Flag(items.turn[next].left_out).store(1, cuda::memory_order_relaxed);
      Flag(items.turn[next].waits_for).fetch_sub(1, cuda::memory_order_release);
    }
  }
};

template <class Team, class F>
__global__ void __launch_bounds__(Team::threads, 1)
    queue_kernel(__grid_constant__ DeviceTeamQueue const queue, unsigned fast_bytes, __grid_constant__ F const f) {
  __shared__ Edge taken[2];  // item and slot
  Team const team(fast_bytes);
  for (;;) {
    if (team.rank() == 0) {
      taken[0] = queue.take();
      if (taken[0] < queue.items.count) taken[1] = queue.enter(taken[0]);
    }
    team.sync();
    auto const* const of_team = Team::of_block(taken, 0);
    Edge const i = of_team[0], slot = of_team[1];
    bool const done = i < queue.items.count && slot >= 0 && f(i, slot, team);
    team.sync();  // nobody goes on, or ends, while others look at what he has
    if (i >= queue.items.count) return;
    if (team.rank() == 0) queue.leave(i, slot, done);
  }
}

template <class Team, class F>
void launch_queue(PreparedKernels& kernels, DeviceTeamQueue const& queue, std::size_t fast_bytes, F const& f,
                  cudaStream_t stream) {
  constexpr Edge most = 1 << 12;  // more do not run at the same time
  auto* const kernel = &queue_kernel<Team, F>;
  kernels.once(kernel, [&] {
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(fast_bytes)));
    cuda_check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1));
    if (Team::blocks > portable_cluster)
      cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    return 0u;
  });
  cudaLaunchAttribute cluster{};
  auto config = launch_of_clusters(Team::blocks, cluster);
  config.gridDim = dim3(static_cast<unsigned>(std::min(queue.items.count, most)) * Team::blocks);
  config.blockDim = dim3(Team::threads);
  config.dynamicSmemBytes = fast_bytes;
  config.stream = stream;
  cuda_check(cudaLaunchKernelEx(&config, kernel, queue, static_cast<unsigned>(fast_bytes), f));
}

template <class Team, class F>
void launch_teams(PreparedKernels& kernels, Edge n, std::size_t fast_bytes, F const& f, cudaStream_t stream) {
  constexpr Edge most = 1 << 20;
  auto* const kernel = &team_kernel<Team, F>;
  kernels.once(kernel, [&] {
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(fast_bytes)));
    return 0u;
  });
  kernel<<<static_cast<unsigned>(std::min(n, most)), Team::threads, fast_bytes, stream>>>(
      n, static_cast<unsigned>(fast_bytes), f);
  check_launch();
}

}  // namespace procmap
