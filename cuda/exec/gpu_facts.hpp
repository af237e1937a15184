// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "cuda/exec/gpu_traits.hpp"
#include "cuda/exec/stream.hpp"

namespace procmap {

/// What an executor asks about its GPU.
struct GpuFacts {
  explicit GpuFacts(int device) : ordinal(device) {
    DeviceGuard const guard(device);  // what it runs of our code is asked of the current one
    int generation = 0, shared_memory = 0;
    cuda_check(cudaDeviceGetAttribute(&num_processors, cudaDevAttrMultiProcessorCount, device));
    cuda_check(cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, device));
    cuda_check(cudaDeviceGetAttribute(&shared_memory, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    most_crew_blocks = most_cluster_blocks(compiled_for(), generation);
    large_team_bytes = fitting_shared_memory(wanted_team_bytes, static_cast<std::size_t>(shared_memory));
  }

  // Of a block, for networks of cuts; the rest of 256 KiB is the cache that the graph is read through.
  static constexpr std::size_t wanted_team_bytes = std::size_t{200} << 10;

  int ordinal;
  int num_processors = 1;
  unsigned most_crew_blocks = 1;
  std::size_t large_team_bytes = 0;
};

}  // namespace procmap
