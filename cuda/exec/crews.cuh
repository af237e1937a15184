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

struct OneBlock {
  __device__ static unsigned block() { return 0; }
  __device__ static unsigned blocks() { return 1; }
  __device__ static void sync() { __syncthreads(); }
};

/// Code for GPUs before the H100 knows of no clusters, only of single blocks, wherever it runs (gpu_traits.hpp).
struct ClusterBlocks {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  __device__ static unsigned block() { return 0; }
  __device__ static unsigned blocks() { return 1; }
  __device__ static void sync() { __syncthreads(); }
  __device__ static void sync_cluster() { sync(); }
  template <class T>
  __device__ static T* memory_of(T* own, unsigned) {
    return own;
  }
#else
  __device__ static unsigned block() { return cooperative_groups::this_cluster().block_rank(); }
  __device__ static unsigned blocks() { return cooperative_groups::this_cluster().num_blocks(); }
  __device__ static void sync() {
    if (blocks() == 1)
      __syncthreads();
    else
      sync_cluster();
  }
  /// For more than one block.
  __device__ static void sync_cluster() { cooperative_groups::this_cluster().sync(); }
  /// What another block of the cluster has in the shared memory that is `own` here.
  template <class T>
  __device__ static T* memory_of(T* own, unsigned block) {
    return cooperative_groups::this_cluster().map_shared_rank(own, block);
  }
#endif
};

inline constexpr unsigned portable_cluster = 8;  // blocks; larger ones must be asked for

/// For a launch in clusters of so many blocks; `cluster` lives as long.
inline cudaLaunchConfig_t launch_of_clusters(unsigned blocks, cudaLaunchAttribute& cluster) {
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.attrs = &cluster;
  config.numAttrs = blocks > 1 ? 1 : 0;
  return config;
}

/// All blocks of a cooperative kernel: a barrier takes 1 to 1.3 us.
using GridCrew = CrewThreads<GridBlocks>;
/// A cluster of 1 to 16 blocks, while others do something else.
using ClusterCrew = CrewThreads<ClusterBlocks>;
/// A block of one of these, while the others wait.
using BlockCrew = CrewThreads<OneBlock>;

}  // namespace procmap
