// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cuda/atomic>
#include <limits>

#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/passes.cuh"
#include "cuda/exec/prepared_kernels.hpp"
#include "exec/lanes.hpp"

namespace procmap {

// The teams of for_each_team. Their passes have hundreds of short steps with a barrier after each and a chain of
// dependent loads in it: what they touch most lies in shared memory. Clusters of blocks were no faster.

inline constexpr int row_lanes = 8;
inline constexpr Edge long_row = 256;  // arcs; longer ones get a whole warp

/// One block of threads.
template <int Threads>
class BlockTeam : public ThreadBlock<Threads> {
 public:
  static constexpr int threads = Threads;

  __device__ explicit BlockTeam(unsigned fast_bytes) : fast_bytes_(fast_bytes) {}

  template <class Count, class Size, class F>
  __device__ void for_rows(Count count, Size size, F f) const {
    serve_with_warps<row_lanes>(static_cast<Count>(this->rank() / warp_lanes), static_cast<Count>(Threads / warp_lanes),
                                count, size, f, long_row, std::numeric_limits<Edge>::max(), [](Count) {});
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

 private:
  unsigned fast_bytes_;
};

using SmallTeam = BlockTeam<128>;
using LargeTeam = BlockTeam<512>;
static_assert(LaneTeam<SmallTeam> && LaneTeam<LargeTeam>);

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
  int* in_use;      // per slot

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
  __shared__ Edge item, slot;
  Team const team(fast_bytes);
  for (;;) {
    if (team.rank() == 0) {
      item = queue.take();
      if (item < queue.items.count) slot = queue.enter(item);
    }
    team.sync();
    Edge const i = item;
    if (i >= queue.items.count) return;
    bool const done = slot >= 0 && f(i, slot, team);
    team.sync();
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
    return 0u;
  });
  kernel<<<static_cast<unsigned>(std::min(queue.items.count, most)), Team::threads, fast_bytes, stream>>>(
      queue, static_cast<unsigned>(fast_bytes), f);
  check_launch();
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
