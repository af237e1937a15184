// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "core/run.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// A checked call of map().
struct MapCall {
  Graph const& graph;
  Topology const& topology;
  Options const& options;
  Weight pe_capacity;
};

// One entry per backend. Arguments and results are in host memory.
std::vector<Block> map_on_cpu(MapCall const& call, Run& run);
Report evaluate_on_cpu(Graph const& graph, Topology const& topology, std::span<Block const> blocks, int threads,
                       Run& run);

#if defined(PROCMAP_HAS_CUDA)
/// What a run on a GPU brings back. The report lacks what depends on the imbalance.
struct CudaMapping {
  std::vector<Block> blocks;
  Report report;
};

CudaMapping map_on_cuda(MapCall const& call, int device, Run& run);
Report evaluate_on_cuda(Graph const& graph, Topology const& topology, std::span<Block const> blocks, int device,
                        Run& run);
/// Whether this process was forked from one that had used CUDA by then.
bool forked_after_cuda();
/// Throws DeviceError unless the GPU takes work: without a driver, without such a GPU or code for it, and in a
/// process forked after its parent had used one, where nothing of CUDA works.
void require_gpu(int ordinal);
#endif

}  // namespace procmap
