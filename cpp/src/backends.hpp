// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/constraints.hpp"
#include "core/run.hpp"
#include "graph/examine.hpp"
#include "procmap/procmap.hpp"

namespace procmap {

/// A checked call of map().
struct MapCall {
  Graph const& graph;
  Topology const& topology;
  Options const& options;
  Constraints const& constraints;
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
#endif

// Without the CUDA backend all of these throw DeviceError.

/// Throws DeviceError unless the GPU takes work: without a driver, without such a GPU or code for it, and in a
/// process forked after its parent had used one, where nothing of CUDA works.
void require_gpu(int ordinal);
/// Bytes that the library may still get from a GPU.
std::int64_t available_memory(int device);
/// Most bytes in use by all runs on a GPU since restart_memory_peak().
std::int64_t memory_peak(int device);
void restart_memory_peak(int device);
/// Graph::from_device: the arrays and what their check found, or null if the host is to look at them.
std::shared_ptr<ResidentGraph const> adopt_on_cuda(DeviceCsrArrays const& arrays, bool copy, GraphFacts& facts);
std::shared_ptr<ResidentGraph const> upload_to_cuda(Graph const& graph, int device);

}  // namespace procmap
