// SPDX-License-Identifier: MIT
#pragma once

#include <cooperative_groups.h>

#include "cuda/exec/groups.cuh"
#include "procmap/types.hpp"

namespace procmap {

// The blocks of threads that run a composite of passes together.

/// The place of a thread among all threads of a crew, whose blocks are numbered.
template <class Blocks>
struct CrewThreads : Blocks {
  __device__ static Edge thread() { return Edge{Blocks::block()} * block_threads + threadIdx.x; }
  __device__ static Edge threads() { return Edge{Blocks::blocks()} * block_threads; }
};

struct GridBlocks {
  __device__ static unsigned block() { return blockIdx.x; }
  __device__ static unsigned blocks() { return gridDim.x; }
  __device__ static void sync() { cooperative_groups::this_grid().sync(); }
};

/// GPUs before the H100 have no clusters, only single blocks.
struct ClusterBlocks {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  __device__ static unsigned block() { return 0; }
  __device__ static unsigned blocks() { return 1; }
  __device__ static void sync() { __syncthreads(); }
#else
  __device__ static unsigned block() { return cooperative_groups::this_cluster().block_rank(); }
  __device__ static unsigned blocks() { return cooperative_groups::this_cluster().num_blocks(); }
  __device__ static void sync() {
    if (blocks() == 1)
      __syncthreads();
    else
      cooperative_groups::this_cluster().sync();
  }
#endif
};

/// All blocks of a cooperative kernel: a barrier takes 1 to 1.3 us.
using GridCrew = CrewThreads<GridBlocks>;
/// A cluster of 1 to 16 blocks, while others do something else.
using ClusterCrew = CrewThreads<ClusterBlocks>;

}  // namespace procmap
