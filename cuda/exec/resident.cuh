// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <new>

#include "cuda/exec/cuda_check.hpp"
#include "cuda/exec/grid_executor.cuh"
#include "cuda/exec/prepared_kernels.hpp"
#include "exec/kernel_traits.hpp"

namespace procmap {

/// Blocks per processor. A barrier costs more the more blocks it waits for, and most loops that run here have many
/// barriers and little work between them: for refinement two and three blocks, and larger ones, were slower on every
/// graph.
inline constexpr int most_blocks_per_processor = 4;
template <class F>
inline constexpr int blocks_per_processor = KernelTraits<F>::fills_machine ? most_blocks_per_processor : 1;

template <class F, int Lanes>
__global__ void __launch_bounds__(block_threads, blocks_per_processor<F>)
    resident_kernel(__grid_constant__ F const f, __grid_constant__ GridMemory const memory) {
  extern __shared__ __align__(16) std::byte shared[];
  __shared__ KernelClock clock;
  if (KernelClock::on_duty()) {
    clock.start();
    *memory.next_counter = 0;
  }
  GridExecutor<Lanes> ex(memory, shared, clock);
  f(ex);
  if (blockIdx.x == 0) clock.report(*memory.clock);
}

/// Composite f.of(i) for every item i, each run by a crew: the cluster of the same number.
template <class F, int Lanes>
__global__ void __launch_bounds__(block_threads, 1)
    crew_kernel(__grid_constant__ F const f, __grid_constant__ GridMemory const all, std::size_t const* place) {
  using Composite = decltype(f.of(Edge{}));
  extern __shared__ __align__(16) std::byte shared[];
  __shared__ KernelClock clock;
  __shared__ __align__(16) std::byte room[sizeof(GridMemory) + sizeof(Composite)];
  auto* const memory = reinterpret_cast<GridMemory*>(room);
  auto* const composite = reinterpret_cast<Composite*>(memory + 1);
  static_assert(sizeof(GridMemory) % alignof(Composite) == 0);
  if (KernelClock::on_duty()) clock.start();
  if (threadIdx.x == 0) {
    unsigned const blocks = ClusterCrew::blocks();
    unsigned const i = blockIdx.x / blocks;
    new (memory) GridMemory{all.totals + GridMemory::totals_per_block * blocks * i,
                            all.counter + GridMemory::num_counters * i,
                            all.arena + place[i],
                            place[i + 1] - place[i],
                            0,
                            all.clock};
    new (composite) Composite(f.of(i));
  }
  __syncthreads();
  GridExecutor<Lanes, ClusterCrew> ex(*memory, shared, clock);
  (*composite)(ex);
  if (blockIdx.x == 0) clock.report(*all.clock);
}

/// Blocks of each of n crews, of which the one with the most work has this many items: a power of two. In all twice as
/// many as processors, on which one runs at a time: scopes with hubs need the lanes, and the last crews wait for those
/// that end first.
inline unsigned blocks_of_crew(Edge n, Edge items, int num_processors, unsigned most) {
  constexpr Edge per_processor = 2;
  Edge const share = per_processor * num_processors / n;
  Edge const enough = std::min<Edge>(share, (items * small_lanes + block_threads - 1) / block_threads);
  return std::bit_floor(static_cast<unsigned>(std::clamp<Edge>(enough, 1, most)));
}

/// Blocks of a crew, and how many one may have on this GPU.
struct CrewSize {
  unsigned blocks, most;
};

/// Blocks that take part in a kernel with this many items. More than one per processor only once each has plenty to do.
template <class F>
unsigned blocks_of_resident(Edge items, int num_processors) {
  constexpr Edge plenty = 8;  // items per tile of threads
  Edge const blocks = items * small_lanes / block_threads + 1;
  Edge const most = blocks > plenty * num_processors ? blocks_per_processor<F> * Edge{num_processors} : num_processors;
  return static_cast<unsigned>(std::min(blocks, most));
}

/// Tables of items with many keys: one per block, but not for more than `enough` bytes.
inline std::size_t room_for_tables(ResidentNeeds const& needs, unsigned blocks) {
  auto const keys = static_cast<Vertex>(std::min<Edge>(needs.table_universe, needs.table_keys));
  if (keys <= BlockTable::max_keys) return 0;
  constexpr std::size_t least = std::size_t{1} << 24, most = std::size_t{1} << 28;
  auto const enough = std::clamp(8 * static_cast<std::size_t>(needs.arcs), least, most);
  auto const bytes = GridExecutor<small_lanes>::large_table_bytes(keys);
  return bytes * std::clamp<std::size_t>(enough / bytes, 1, blocks);
}

/// Blocks that a processor of the current GPU runs at the same time. Those with less shared memory than the H100's hold
/// fewer than blocks_per_processor.
template <class Kernel>
unsigned blocks_at_once(Kernel* kernel, std::size_t shared_bytes) {
  int blocks = 0;
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_threads, shared_bytes));
  return static_cast<unsigned>(blocks);
}

/// All blocks of a cooperative kernel run at the same time, on so many processors.
template <int Lanes, class F>
void launch_resident_with(PreparedKernels& kernels, F const& f, GridMemory const& memory, unsigned blocks,
                          int processors, cudaStream_t stream) {
  constexpr auto shared = GridExecutor<Lanes>::shared_bytes;
  auto* const kernel = &resident_kernel<F, Lanes>;
  unsigned const at_once = kernels.once(kernel, [&] {
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
    return blocks_per_processor<F> > 1 ? blocks_at_once(kernel, shared) : 1u;
  });
  blocks = std::min(blocks, at_once * static_cast<unsigned>(processors));
  void* arguments[] = {const_cast<F*>(&f), const_cast<GridMemory*>(&memory)};
  cuda_check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(kernel), dim3(blocks), dim3(block_threads),
                                         arguments, shared, stream));
}

template <class F>
void launch_crews(PreparedKernels& kernels, F const& f, GridMemory const& memory, std::size_t const* place, unsigned n,
                  CrewSize size, cudaStream_t stream) {
  constexpr auto shared = GridExecutor<small_lanes, ClusterCrew>::shared_bytes;
  auto* const kernel = &crew_kernel<F, small_lanes>;
  kernels.once(kernel, [&] {
    cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
    if (size.most > portable_cluster)
      cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    return 0u;
  });
  cudaLaunchAttribute cluster{};
  auto config = launch_of_clusters(size.blocks, cluster);
  config.gridDim = dim3(n * size.blocks);
  config.blockDim = dim3(block_threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  cuda_check(cudaLaunchKernelEx(&config, kernel, f, memory, place));
}

/// KernelTraits<F>::by_degree: with more lanes per tile where vertices have many arcs.
template <class F>
void launch_resident(PreparedKernels& kernels, F const& f, ResidentNeeds needs, GridMemory const& memory,
                     unsigned blocks, int processors, cudaStream_t stream) {
  constexpr Edge many_arcs = 20;  // per item
  if constexpr (KernelTraits<F>::by_degree)
    if (needs.arcs > many_arcs * needs.items)
      return launch_resident_with<2 * small_lanes>(kernels, f, memory, blocks, processors, stream);
  launch_resident_with<small_lanes>(kernels, f, memory, blocks, processors, stream);
}

}  // namespace procmap
